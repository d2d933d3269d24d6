"""Writes a bag of ROS 1 as the SDK of RealSense's cameras records it, with PyPI's rosbags.

    realsense_bag.py FILE [--compression none|lz4|bz2] [--units METERS] [--image-units METERS]
                          [--model NAME] [--frames N] [--size WIDTH HEIGHT]

The topics, types and values are those of librealsense's ros_writer.cpp:
depth of 16 bits by the name mono16, one camera info a stream, options, extrinsics from the point
of reference to each stream, motion in a topic for each sensor. --units is the option Depth Units
("none" leaves it out); --image-units appends the unit to each image, as newer versions do. For a
trial of the whole way: realsense_bag.py try.bag --size 640 480, then plumbline check try.bag.
"""
import argparse
import pathlib
import struct

import numpy
from rosbags.rosbag1 import Writer
from rosbags.typesys import Stores, get_typestore

STORE = get_typestore(Stores.ROS1_NOETIC)
STATIC = 1  # The time of everything that is stated before the first frame, in nanoseconds.
FIRST = 1_600_000_000_000_000_000
STEP = 33_333_333
# The color camera's axes in the depth camera's, and where the depth camera's center lies in it.
ANGLE = 0.01
TRANSLATION = (0.0148, 0.0002, -0.0003)


def depth_codes(index, width, height):
    """A wall that tilts to the right; the first column is not measured."""
    x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    codes = (800 + 2 * x + y + 10 * index).astype("<u2")
    codes[:, 0] = 0
    return codes


def color_pixels(index, width, height):
    x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    return numpy.stack([3 * x % 256, 5 * y % 256, (40 + index) % 256 + 0 * x], axis=-1).astype("u1")


def make(kind, **fields):
    return STORE.types[kind](**fields)


def header(nanoseconds, frame="1", sequence=0):
    time = make("builtin_interfaces/msg/Time", sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)
    return make("std_msgs/msg/Header", seq=sequence, stamp=time, frame_id=frame)


def vector(values):
    return make("geometry_msgs/msg/Vector3", **dict(zip("xyz", map(float, values))))


def transform(angle, translation):
    turn = make("geometry_msgs/msg/Quaternion", x=0.0, y=float(numpy.sin(angle / 2)), z=0.0,
                w=float(numpy.cos(angle / 2)))
    return make("geometry_msgs/msg/Transform", translation=vector(translation), rotation=turn)


def camera_info(width, height, focal, model, terms):
    roi = make("sensor_msgs/msg/RegionOfInterest", x_offset=0, y_offset=0, height=0, width=0, do_rectify=False)
    k = numpy.array([focal, 0, width / 2 - 0.25, 0, focal + 0.5, height / 2 + 0.25, 0, 0, 1])
    return make("sensor_msgs/msg/CameraInfo", header=header(0, ""), height=height, width=width,
                distortion_model=model, D=numpy.array(terms, "f8"), K=k, R=numpy.zeros(9),
                P=numpy.zeros(12), binning_x=0, binning_y=0, roi=roi)


def image(index, nanoseconds, pixels, encoding, frame):
    height, width = pixels.shape[:2]
    step = pixels.strides[0]
    return make("sensor_msgs/msg/Image", header=header(nanoseconds, frame, index), height=height,
                width=width, encoding=encoding, is_bigendian=0, step=step,
                data=numpy.frombuffer(pixels.tobytes(), "u1"))


def motion(nanoseconds, force=(0, 0, 0), rate=(0, 0, 0)):
    quaternion = make("geometry_msgs/msg/Quaternion", x=0.0, y=0.0, z=0.0, w=0.0)
    return make("sensor_msgs/msg/Imu", header=header(nanoseconds), orientation=quaternion,
                orientation_covariance=numpy.zeros(9), angular_velocity=vector(rate),
                angular_velocity_covariance=numpy.zeros(9), linear_acceleration=vector(force),
                linear_acceleration_covariance=numpy.zeros(9))


def messages(options):
    """(topic, type, time, message, bytes behind it)"""
    width, height = options.size
    device, stereo, rgb = "/device_0", "/device_0/sensor_0", "/device_0/sensor_1"
    text = lambda key, value: make("diagnostic_msgs/msg/KeyValue", key=key, value=value)
    yield "/file_version", "std_msgs/msg/UInt32", STATIC, make("std_msgs/msg/UInt32", data=4), b""
    for key, value in (("Name", "Intel RealSense D435I"), ("Serial Number", "012345678901"),
                       ("Firmware Version", "05.12.07.100")):
        yield device + "/info", "diagnostic_msgs/msg/KeyValue", STATIC, text(key, value), b""
    if options.units is not None:
        value = make("std_msgs/msg/Float32", data=options.units)
        yield stereo + "/option/Depth Units/value", "std_msgs/msg/Float32", STATIC, value, b""
    depth, color = stereo + "/Depth_0", rgb + "/Color_0"
    kind = "sensor_msgs/msg/CameraInfo"
    yield depth + "/info/camera_info", kind, STATIC, camera_info(width, height, 0.6 * width, "Brown Conrady", [0] * 5), b""
    terms = [0.01, -0.02, 0.0005, -0.0003, 0.003]
    yield color + "/info/camera_info", kind, STATIC, camera_info(width, height, 0.9 * width, options.model, terms), b""
    kind = "geometry_msgs/msg/Transform"
    yield depth + "/tf/0", kind, STATIC, transform(0, (0, 0, 0)), b""
    yield color + "/tf/0", kind, STATIC, transform(ANGLE, TRANSLATION), b""
    frame = "0" if options.image_units is None else "1"
    unit = lambda value: b"" if options.image_units is None else struct.pack("<f", value)
    for index in range(options.frames):
        time = FIRST + STEP * index
        stamp = 2_000_000_000 + STEP * index
        pixels = depth_codes(index, width, height)
        yield (depth + "/image/data", "sensor_msgs/msg/Image", time,
               image(index, stamp, pixels, "mono16", frame), unit(options.image_units))
        yield depth + "/image/metadata", "diagnostic_msgs/msg/KeyValue", time, text("timestamp_domain", "Hardware Clock"), b""
        pixels = color_pixels(index, width, height)
        yield (color + "/image/data", "sensor_msgs/msg/Image", time + 1,
               image(index, stamp + 2_000_000, pixels, "rgb8", frame), unit(0))
        kind = "sensor_msgs/msg/Imu"
        yield "/device_0/sensor_2/Accel_0/imu/data", kind, time + 2, motion(stamp, force=(0.1, -9.8, 0.2 + index)), b""
        yield "/device_0/sensor_2/Gyro_0/imu/data", kind, time + 3, motion(stamp + 1_000_000, rate=(0.01, 0.02, 0.03 * index)), b""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--compression", default="lz4", choices=("none", "lz4", "bz2"))
    parser.add_argument("--units", type=lambda text: None if text == "none" else float(text), default=0.001)
    parser.add_argument("--image-units", type=float)
    parser.add_argument("--model", default="Inverse Brown Conrady")
    parser.add_argument("--frames", type=int, default=4)
    parser.add_argument("--size", type=int, nargs=2, default=(12, 8))
    options = parser.parse_args()
    writer = Writer(options.path)
    if options.compression != "none":
        writer.set_compression(Writer.CompressionFormat[options.compression.upper()])
    with writer:
        connections = {}
        for topic, kind, time, message, behind in messages(options):
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=STORE)
            writer.write(connections[topic], time, bytes(STORE.serialize_ros1(message, kind)) + behind)


main()
