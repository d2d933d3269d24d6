"""Reads and writes ROS 2 recordings in MCAP, and bags of ROS 1, with the peers' own libraries.

    mcap_recording.py read-mcap FILE          every message by mcap and mcap_ros2
    mcap_recording.py read-rosbags FILE       the same by rosbags
    mcap_recording.py write-mcap FILE         a small bag by mcap_ros2
    mcap_recording.py write-rosbags FILE      the same by rosbags
    mcap_recording.py write-ros1 FILE         the same as a bag of ROS 1 by rosbags, in chunks of lz4
    mcap_recording.py rerun FILE              what Rerun makes of it, in words

Reading prints JSON: {"topic": [{"log": ns, "publish": ns, "schema": name, "message": {...}}, ...]}.
Numbers stand as they are, bytes and rasters as the SHA-256 of their little-endian bytes, since
JSON has no NaN.
"""
import hashlib
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

FLOAT32 = {"values", "table"}  # by field name; the pixels of a Raster32F are found by their parent


def digest(values, kind):
    return hashlib.sha256(numpy.asarray(values, dtype=kind).tobytes()).hexdigest()


def plain(value, name="", parent=""):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return hashlib.sha256(bytes(value)).hexdigest()
    if name == "data" and "Raster32F" in parent:
        return digest(value, "<f4")
    if name == "data" and "Raster16" in parent:
        return digest(value, "<u2")
    if name in ("data", "residuals"):
        return digest(value, "u1")
    if name in FLOAT32:
        return digest(value, "<f4")
    if isinstance(value, numpy.ndarray):
        return [plain(item.item()) for item in value]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (int, str, bool)):
        return value
    fields = getattr(value, "__slots__", None) or vars(value).keys()
    kind = type(value).__name__
    return {
        field: plain(getattr(value, field), field, kind)
        for field in fields
        if not field.startswith("_")
    }


def read_mcap(path):
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory

    topics = {}
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for schema, channel, message, decoded in reader.iter_decoded_messages():
            topics.setdefault(channel.topic, []).append({
                "log": message.log_time, "publish": message.publish_time, "schema": schema.name,
                "message": plain(decoded)})
        header = reader.get_header()
        assert header.profile == "ros2", header
    return topics


def read_rosbags(path):
    from rosbags.rosbag2 import Reader
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    topics = {}
    store = get_typestore(Stores.EMPTY)
    with Reader(path) as reader:
        for connection in reader.connections:
            store.register(get_types_from_msg(connection.msgdef.data, connection.msgtype))
        for connection, time, raw in reader.messages():
            message = store.deserialize_cdr(raw, connection.msgtype)
            topics.setdefault(connection.topic, []).append({
                "log": time, "schema": connection.msgtype, "message": plain(message)})
    return topics


STAMPS = [10_000_000_000 + 33_333_333 * i for i in range(4)]
# Half of the seconds lie between two transforms, the last after all of them.
TRANSFORMS = [9_990_000_000 + 50_000_000 * i for i in range(3)]
WIDTH, HEIGHT = 6, 4


def depth_meters(index):
    meters = numpy.array(
        [[0.5 + 0.1 * x + 0.01 * y + 0.001 * index for x in range(WIDTH)] for y in range(HEIGHT)],
        dtype="<f4")
    meters[0, 0] = numpy.nan
    meters[1, 1] = 0
    meters[2, 2] = numpy.inf
    return meters


def rows(array, padding, big=False):
    """The bytes of an image with some bytes after each row."""
    array = array.astype(array.dtype.newbyteorder(">")) if big else array
    return b"".join(row.tobytes() + b"\xaa" * padding for row in array)


def bag():
    """(topic, type, time, message as nested dictionaries), by ascending time."""
    header = lambda ns, frame: {
        "stamp": {"sec": ns // 10**9, "nanosec": ns % 10**9}, "frame_id": frame}
    messages = []
    static = {"header": header(0, "body"), "child_frame_id": "camera_depth_optical_frame",
              "transform": {"translation": {"x": 0.1, "y": 0.0, "z": 0.0},
                            "rotation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}}
    messages.append(("/tf_static", "tf2_msgs/msg/TFMessage", 1, {"transforms": [static]}))
    for i, ns in enumerate(TRANSFORMS):
        angle = 0.2 * i
        moving = {"header": header(ns, "odom"), "child_frame_id": "body",
                  "transform": {"translation": {"x": 1.0 * i, "y": 2.0, "z": 0.0},
                                "rotation": {"x": 0.0, "y": 0.0, "z": math.sin(angle / 2), "w": math.cos(angle / 2)}}}
        messages.append(("/tf", "tf2_msgs/msg/TFMessage", ns, {"transforms": [moving]}))
    for i, ns in enumerate(STAMPS):
        frame = "camera_depth_optical_frame"
        codes = (numpy.nan_to_num(depth_meters(i), nan=0, posinf=0) * 1000).astype("<u2")
        color = numpy.array(
            [[(10 * x, 20 * y, 30 + i) for x in range(WIDTH)] for y in range(HEIGHT)], dtype="u1")
        image = lambda encoding, data, step, big=0: {
            "header": header(ns, frame), "height": HEIGHT, "width": WIDTH, "encoding": encoding,
            "is_bigendian": big, "step": step, "data": numpy.frombuffer(data, "u1")}
        kind = "sensor_msgs/msg/Image"
        messages.append(("/camera/aligned/image_raw", kind, ns + 1, image("32FC1", rows(depth_meters(i), 4), WIDTH * 4 + 4)))
        messages.append(("/camera/depth/image_raw", kind, ns + 2, image("16UC1", rows(codes, 2, True), WIDTH * 2 + 2, 1)))
        # A color frame a tenth of an interval later; the third is lost.
        if i != 2:
            late = image("bgr8", rows(color[:, :, ::-1], 1), WIDTH * 3 + 1)
            late["header"] = header(ns + 3_000_000, frame)
            messages.append(("/camera/color/image_raw", kind, ns + 3, late))
        messages.append(("/camera/infra/image_raw", kind, ns + 4, image("mono8", rows(color[:, :, 0], 0), WIDTH)))
        info = {"header": header(ns, frame), "height": HEIGHT, "width": WIDTH, "distortion_model": "plumb_bob",
                "d": numpy.array([0.01, -0.002, 0.0, 0.0, 0.0003]), "k": numpy.array([5.0 + i, 0, 2.5, 0, 5.5, 1.5, 0, 0, 1]),
                "r": numpy.eye(3).ravel(), "p": numpy.array([5.0, 0, 2.5, 0, 0, 5.5, 1.5, 0, 0, 0, 1, 0]),
                "binning_x": 0, "binning_y": 0,
                "roi": {"x_offset": 0, "y_offset": 0, "height": 0, "width": 0, "do_rectify": False}}
        messages.append(("/camera/aligned/camera_info", "sensor_msgs/msg/CameraInfo", ns + 5, info))
        imu = {"header": header(ns, "imu"), "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
               "orientation_covariance": numpy.array([-1.0] + [0.0] * 8),
               "angular_velocity": {"x": 0.1, "y": 0.2, "z": 0.3 + i},
               "angular_velocity_covariance": numpy.zeros(9),
               "linear_acceleration": {"x": 0.0, "y": 0.0, "z": 9.81},
               "linear_acceleration_covariance": numpy.zeros(9)}
        messages.append(("/imu", "sensor_msgs/msg/Imu", ns + 6, imu))
    return sorted(messages, key=lambda message: message[2])


def definitions(kind):
    from rosbags.typesys import Stores, get_typestore

    text = get_typestore(Stores.ROS2_HUMBLE).generate_msgdef(kind, ros_version=2)
    return text[0] if isinstance(text, tuple) else text


def write_mcap(path):
    from mcap_ros2.writer import Writer

    def listed(value):
        if isinstance(value, dict):
            return {key: listed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [listed(item) for item in value]
        if isinstance(value, numpy.ndarray):
            return bytes(value) if value.dtype == numpy.uint8 else value.tolist()
        return value

    with open(path, "wb") as file:
        writer = Writer(file)
        schemas = {}
        for topic, kind, time, message in bag():
            if kind not in schemas:
                schemas[kind] = writer.register_msgdef(kind, definitions(kind))
            writer.write_message(topic, schemas[kind], listed(message), log_time=time, publish_time=time)
        writer.finish()


def write_rosbags(path):
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)

    def build(kind, value):
        fields = store.get_msgdef(kind).fields
        arguments = {}
        for name, (node, detail) in fields:
            item = value[name]
            if node.name == "NAME":
                item = build(detail, item)
            elif node.name in ("ARRAY", "SEQUENCE") and detail[0][0].name == "NAME":
                item = [build(detail[0][1], inner) for inner in item]
            arguments[name] = item
        return store.types[kind](**arguments)

    with tempfile.TemporaryDirectory() as folder:
        bag_folder = pathlib.Path(folder) / "bag"
        with Writer(bag_folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
            connections = {}
            for topic, kind, time, message in bag():
                if topic not in connections:
                    connections[topic] = writer.add_connection(topic, kind, typestore=store)
                writer.write(connections[topic], time, store.serialize_cdr(build(kind, message), kind))
        (found,) = bag_folder.glob("*.mcap")
        pathlib.Path(path).write_bytes(found.read_bytes())


def write_ros1(path):
    from rosbags.rosbag1 import Writer
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    store = get_typestore(Stores.ROS1_NOETIC)
    for kind in ("tf2_msgs/msg/TFMessage", "tf/msg/tfMessage"):
        store.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms\n", kind))

    def build(kind, value):
        arguments = {}
        for name, (node, detail) in store.get_msgdef(kind).fields:
            # ROS 1 has a sequence number in headers, and D, K, R and P in capitals.
            item = 7 if name == "seq" else value[name if name in value else name.lower()]
            if node.name == "NAME":
                item = build(detail, item)
            elif node.name in ("ARRAY", "SEQUENCE") and detail[0][0].name == "NAME":
                item = [build(detail[0][1], inner) for inner in item]
            arguments[name] = item
        return store.types[kind](**arguments)

    writer = Writer(path)
    writer.set_compression(Writer.CompressionFormat.LZ4)
    with writer:
        connections = {}
        for topic, kind, time, message in bag():
            # The older of two types with equal fields.
            kind = "tf/msg/tfMessage" if topic == "/tf" else kind
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(connections[topic], time, bytes(store.serialize_ros1(build(kind, message), kind)))


def rerun(path):
    program = pathlib.Path(sys.executable).parent / "rerun"
    check = subprocess.run([program, "mcap", "check", path], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.rrd"
        subprocess.run([program, "mcap", "convert", path, "-o", output], check=True, capture_output=True)
        shown = subprocess.run([program, "rrd", "print", "-v", output], check=True, capture_output=True, text=True)
    return {"check": check.stdout + check.stderr, "print": shown.stdout}


def main():
    mode, path = sys.argv[1:3]
    if mode == "read-mcap":
        print(json.dumps(read_mcap(path)))
    elif mode == "read-rosbags":
        print(json.dumps(read_rosbags(path)))
    elif mode == "write-mcap":
        write_mcap(path)
    elif mode == "write-rosbags":
        write_rosbags(path)
    elif mode == "write-ros1":
        write_ros1(path)
    elif mode == "rerun":
        print(json.dumps(rerun(path)))
    else:
        sys.exit(f"unknown mode {mode}")


main()
