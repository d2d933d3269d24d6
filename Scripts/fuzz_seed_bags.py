"""Small bags of ROS 1 for the fuzz target: RealSense's layout and a driver's, with and without an index."""
import struct

MAGIC = b"#ROSBAG V2.0\n"


def text(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


def fields(**values: bytes) -> bytes:
    return b"".join(text(name.encode() + b"=" + value) for name, value in values.items())


def record(data: bytes, **values: bytes) -> bytes:
    return text(fields(**values)) + text(data)


def number(value: int) -> bytes:
    return struct.pack("<I", value)


def header(nanoseconds: int, frame: bytes) -> bytes:
    return struct.pack("<III", 1, nanoseconds // 10**9, nanoseconds % 10**9) + text(frame)


def image(nanoseconds: int, encoding: bytes, pixels: bytes, frame: bytes = b"0", behind: bytes = b"") -> bytes:
    size = struct.pack("<II", 2, 2) + text(encoding) + b"\0" + number(len(pixels) // 2)
    return header(nanoseconds, frame) + size + text(pixels) + behind


def camera_info(model: bytes) -> bytes:
    numbers = struct.pack("<9d", 5, 0, 0.5, 0, 5, 0.5, 0, 0, 1) + bytes(8 * 21 + 4 * 6 + 1)
    terms = number(5) + struct.pack("<5d", 0.01, 0, 0.001, 0, 0)
    return header(0, b"") + struct.pack("<II", 2, 2) + text(model) + terms + numbers


def motion(nanoseconds: int) -> bytes:
    return header(nanoseconds, b"0") + bytes(8 * 13) + struct.pack("<3d", 1, 2, 3) + bytes(8 * 21)


def transform(nanoseconds: int, x: float) -> bytes:
    pose = struct.pack("<7d", x, 0, 0, 0, 0, 0, 1)
    return number(1) + header(nanoseconds, b"/world") + text(b"cam") + pose


def bag(messages, compression: bytes = b"none", indexed: bool = True) -> bytes:
    """A bag with one chunk of (topic, type, time, message)."""
    numbers, records, entries, index = {}, b"", {}, b""
    for topic, kind, time, message in messages:
        if topic not in numbers:
            numbers[topic] = len(numbers)
            connection = record(fields(topic=topic, type=kind), op=b"\7", conn=number(numbers[topic]), topic=topic)
            records += connection
            index += connection
        stamp = struct.pack("<II", time // 10**9, time % 10**9)
        entries.setdefault(numbers[topic], []).append(stamp + number(len(records)))
        records += record(message, op=b"\2", conn=number(numbers[topic]), time=stamp)
    stored = records
    if compression == b"lz4":
        # One block without compression in LZ4's frame format.
        stored = bytes.fromhex("04224d186040 82") + number(len(records) | 1 << 31) + records + number(0)
    # The padding of 4096 bytes is that of writers; readers take any.
    start = len(MAGIC) + len(bag_header(0, 0, 0))
    body = record(stored, op=b"\5", compression=compression, size=number(len(records)))
    counts = b""
    for connection, found in entries.items():
        body += record(b"".join(found), op=b"\4", ver=number(1), conn=number(connection), count=number(len(found)))
        counts += number(connection) + number(len(found))
    index += record(counts, op=b"\6", ver=number(1), chunk_pos=struct.pack("<Q", start), start_time=bytes(8),
                    end_time=bytes(8), count=number(len(entries)))
    if not indexed:
        return MAGIC + bag_header(0, 0, 0) + body
    return MAGIC + bag_header(start + len(body), len(numbers), 1) + body + index


def bag_header(position: int, connections: int, chunks: int) -> bytes:
    return record(b" " * 8, op=b"\3", index_pos=struct.pack("<Q", position), conn_count=number(connections),
                  chunk_count=number(chunks))


def bags():
    device, stereo, rgb = b"/device_0", b"/device_0/sensor_0", b"/device_0/sensor_1"
    depth = struct.pack("<4H", 900, 0, 1000, 1100)
    plain, unit = struct.pack("<7d", 0.015, 0, 0, 0, 0, 0, 1), struct.pack("<f", 0.001)
    sdk = [
        (device + b"/info", b"diagnostic_msgs/KeyValue", 1, text(b"Name") + text(b"Intel RealSense D455")),
        (stereo + b"/option/Depth_Units/value", b"std_msgs/Float32", 1, unit),
        (stereo + b"/Depth_0/info/camera_info", b"sensor_msgs/CameraInfo", 1, camera_info(b"Brown Conrady")),
        (rgb + b"/Color_0/info/camera_info", b"sensor_msgs/CameraInfo", 1, camera_info(b"Inverse Brown Conrady")),
        (stereo + b"/Depth_0/tf/0", b"geometry_msgs/Transform", 1, plain),
        (rgb + b"/Color_0/tf/0", b"geometry_msgs/Transform", 1, plain),
        (stereo + b"/Depth_0/image/data", b"sensor_msgs/Image", 9, image(10**9, b"mono16", depth, b"1", unit)),
        (rgb + b"/Color_0/image/data", b"sensor_msgs/Image", 9, image(10**9, b"rgb8", bytes(12))),
        (device + b"/sensor_2/Gyro_0/imu/data", b"sensor_msgs/Imu", 9, motion(10**9)),
    ]
    driver = [
        (b"/camera/depth/image", b"sensor_msgs/Image", 9, image(10**9, b"16UC1", depth, b"/cam")),
        (b"/camera/depth/camera_info", b"sensor_msgs/CameraInfo", 9, camera_info(b"plumb_bob")),
        (b"/tf", b"tf/tfMessage", 9, transform(10**9, 1)),
        (b"/tf", b"tf/tfMessage", 10, transform(1_100_000_000, 2)),
        (b"/imu", b"sensor_msgs/Imu", 11, motion(10**9)),
    ]
    for messages in (sdk, driver):
        for compression in (b"none", b"lz4"):
            for indexed in (True, False):
                whole = bag(messages, compression, indexed)
                yield whole
                yield whole[:-30]
