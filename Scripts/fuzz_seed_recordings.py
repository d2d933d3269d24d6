"""Recordings of each layout and container, as seeds of fuzz targets; see fuzz-seeds."""
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zlib


def folder(files: dict) -> bytes:
    """A folder as RecordingFuzzer takes it: a name, a line feed, bytes, a zero byte, and again.

    Files with zero bytes go in hexadecimal digits; the target puts a sound image into each PNG.
    """
    parts = []
    for name, content in files.items():
        if b"\0" in content:
            name, content = name + ".hex", content.hex().encode()
        parts.append(name.encode() + b"\n" + content)
    return b"\0".join(parts)


def folders():
    """Folders of every layout that `Recording.layouts` lists."""
    yield from dumps()
    yield from scans()
    yield from rgbd_folders()
    yield from app_recordings()
    yield folder({"bag.mcap": ros_bag()})


def json_texts():
    """RGB-D JSON with and without a camera, metadata of a dump, and odd but legal JSON."""
    camera = (
        b'"calibration_data":{"intrinsic_matrix":[[70.0,0,0],[0,70.0,0],[40.5,29.25,1]],"pixel_size":0.001,'
        b'"intrinsic_matrix_reference_dimensions":[80,60],"lens_distortion_center":[40.5,29.25],'
        b'"lens_distortion_lookup_table":[0,0.01],"inverse_lens_distortion_lookup_table":[0,-0.01]},'
    )
    for text in (b"", camera):
        yield b"{" + text + b'"depth_data":[[300.5,0,1000],[2e3,-1,12345678901234567890]]}'
    yield rb'{"a":"\u00e9\ud83d\ude00\n","b":[true,false,null,{}],"c":-0.5E-3}'


def ply_frames():
    """Depth frames in the three encodings, and a mesh with lists."""
    text = (
        b'{"timestamp":1.5,"width":2,"height":1,"camera_intrinsics":{"intrinsic_matrix":[70,0,0,0,70,0,40,29,1],'
        b'"intrinsic_matrix_reference_dimensions_width":80,"intrinsic_matrix_reference_dimensions_height":60}}'
    )
    floats = [0.5, 0.25, 1.0, 0.0, 0.1, 0.2, 0.5, 9999.0]
    for encoding in ("ascii", "binary_little_endian", "binary_big_endian"):
        header = (
            f"ply\nformat {encoding} 1.0\ncomment x\nelement metadata {len(text)}\nproperty uchar char\n"
            "element color 2\nproperty float r\nproperty float g\nproperty float b\n"
            "element depth 2\nproperty float d\nend_header\n"
        ).encode()
        if encoding == "ascii":
            yield header + " ".join(str(n) for n in [*text, *floats]).encode()
        else:
            yield header + text + struct.pack((">" if "big" in encoding else "<") + "8f", *floats)
    yield (
        b"ply\nformat binary_little_endian 1.0\nelement face 2\nproperty list uchar int vertex_indices\n"
        b"element depth 1\nproperty short d\nend_header\n\x01\x09\0\0\0\0\xfe\xff"
    )


def dumps():
    """Depth frames as AVFoundation, the RGB-D app and StandardCyborg's app leave them, and photos."""
    entry = (
        b'{"Timestamp":1,"Accuracy":1,"Width":2,"Height":1,"IntrinsicMatrix.0":"(1.5, 0.0, 1.0)",'
        b'"IntrinsicMatrix.1":"(0.0, 1.5, 0.5)","IntrinsicMatrix.2":"(0.0, 0.0, 1.0)",'
        b'"IntrinsicMatrixReferenceDimensions":"(20.0, 10.0)","LensDistortionCenter":"(10.0, 5.0)",'
        b'"LensDistortionLookupTable":[0,0.1],"LensDistortionInverseLookupTable":[0,-0.1]}'
    )
    yield folder({
        "depth_1.png": b"", "rgb_1.png": b"", "depth_02.png": b"", "checkersize.txt": b"2.5",
        "DepthMetadata.json": b"[" + entry + b"]",
        "CameraMetadata.json": b'[{"Timestamp":1,"GeometricDistortionCorrectionEnabled":true}]',
        "Accelerometer.txt": b"1 0.1 -9.8 0.2\n2 0.1 -9.8 0.2\n", "Gyroscope.txt": b"1 0 0.5 0\n",
    })
    for number, text in enumerate(json_texts()):
        yield folder({f"{number}_123456789012.json": text, f"{number}_123456789012.png": b""})
    motion = (
        b'[{"timestamp":1.5,"rotation_x":0.1,"rotation_y":0,"rotation_z":0,"gravity_x":0,"gravity_y":-1,'
        b'"gravity_z":0,"acceleration_x":0,"acceleration_y":0,"acceleration_z":0.1,"attitude_x":0,'
        b'"attitude_y":0,"attitude_z":0,"attitude_w":1}]'
    )
    for frame in ply_frames():
        yield folder({"a.ply": frame, "a.jpeg": b"\xff\xd8", "motion-data.json": motion})
    # Frame and scan of a gray JPEG of one pixel.
    photo = bytes.fromhex("ffd8 ffc0000b080001000101011100 ffda0008010100003f0000 ffd9")
    yield folder({"1.jpg": photo, "2.heic": b"\xff\xd8"})


def scans():
    """Posed scans in five layouts."""
    rows = "0.8,0,0.6,1,0,1,0,2,-0.6,0,0.8,3"
    numbers = dict(zip((f"t_{i}{j}" for i in range(3) for j in range(4)), rows.split(",")))
    camera = ("{" + ",".join(f'"{k}":{v}' for k, v in numbers.items())
              + ',"fx":20,"fy":20,"cx":10,"cy":5,"width":20,"height":10,"blur_score":9}').encode()
    mesh = b'{"alignmentTransform":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]}'
    yield folder({
        "keyframes/corrected_cameras/12.json": camera, "keyframes/cameras/9.json": camera,
        "keyframes/depth/12.png": b"", "keyframes/depth/9.png": b"", "keyframes/confidence/9.png": b"",
        "keyframes/corrected_images/12.jpg": b"", "mesh_info.json": mesh,
    })
    frame = f'{{"cameraPoseARFrame":[{rows},0,0,0,1],"intrinsics":[20,0,960,0,20,720,0,0,1],"time":1.5,"motionQuality":1}}'
    yield folder({
        "frame_00000.json": frame.encode(), "depth_00000.png": b"", "conf_00000.png": b"",
        "frame_00001.json": frame.encode(), "depth_00001.png": b"", "info.json": b"{}",
    })
    yield folder({
        "lowres_depth/4_1.500.png": b"", "lowres_depth/4_1.600.png": b"", "confidence/4_1.500.png": b"",
        "lowres_wide_intrinsics/4_1.499.pincam": b"20 10 20 20 10 5", "wide/4_1.503.png": b"",
        "wide_intrinsics/4_1.503.pincam": b"40 20 40 40 20 10",
        "lowres_wide.traj": b"1.501 0.1 0.2 0.3 1 2 3\n1.601 0 0 0 1 2 3\n",
    })
    matrix = "[[" + "],[".join(",".join(rows.split(",")[i : i + 4]) for i in (0, 4, 8)) + "],[0,0,0,1]]"
    frames = ",".join(
        f'{{"file_path":"images/{i}.png","depth_file_path":"depth/{i}.png","transform_matrix":{matrix},"timestamp":{i}}}'
        for i in (1, 2)
    )
    yield folder({
        "transforms.json": (
            '{"fl_x":20,"fl_y":20,"cx":10,"cy":5,"w":20,"h":10,"k1":0.1,"p1":0.01,"camera_model":"OPENCV",'
            '"applied_transform":[[1,0,0,0],[0,0,-1,0],[0,1,0,0]],"applied_scale":2,"frames":[' + frames + "]}"
        ).encode(),
        "images/1.png": b"", "depth/1.png": b"", "depth/2.png": b"",
    })
    yield folder({
        "sparse/0/cameras.txt": b"# c\n1 OPENCV 20 10 20 20 10 5 0.1 0.01 0 0\n2 SIMPLE_RADIAL 20 10 20 10 5 0.1\n",
        "sparse/0/images.txt": b"1 1 0 0 0 1 2 3 1 1.png\n\n2 0.6 0 0.8 0 1 2 3 2 2.png\n1 2 -1\n",
        "images/1.png": b"", "depth/1.png": b"",
        "stereo/depth_maps/2.png.geometric.bin": b"2&1&1&" + struct.pack("<2f", 1, 2),
    })
    yield folder({
        "cameras.bin": struct.pack("<QIiQQ4d", 1, 1, 1, 20, 10, 20, 20, 10, 5),
        "images.bin": struct.pack("<QI7dI", 1, 1, 1, 0, 0, 0, 1, 2, 3, 1) + b"1.png\0" + struct.pack("<Q", 0),
        "images/1.png": b"",
    })


def rgbd_folders():
    """Folders of TUM and Open3D, and loose pairs in each of their files."""
    yield folder({
        "depth.txt": b"# file: 'rgbd_dataset_freiburg1_a'\n1.0 depth/1.png\n0.5 depth/2.png",
        "rgb.txt": b"1.01 rgb/1.png", "groundtruth.txt": b"1 0 0 0 0 0 0 1",
        "accelerometer.txt": b"1 0 9.8 0", "depth/1.png": b"", "depth/2.png": b"", "rgb/1.png": b"",
        "calibration.txt": b"5 5 1 1",
    })
    yield folder({
        "scene/associations.txt": b"1.0 depth/1.png 1.01 rgb/1.png\n", "scene/depth/1.png": b"",
        "scene/rgb/1.png": b"", "scene/groundtruth.txt": b"1 1 2 3 0 0 0.6 0.8",
    })
    yield folder({
        "depth/1.png": b"", "color/1.png": b"",
        "trajectory.log": b"0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1",
        "intrinsic.json": b'{"width":2,"height":1,"intrinsic_matrix":[1,0,0,0,1,0,1,0,1],"depth_scale":1000}',
        "rgbd.match": b"depth/1.png color/1.png",
    })
    text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n"
    array = b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + struct.pack("<2f", 1.5, 0)
    yield folder({"a_depth.npy": array, "a.png": b"", "intrinsics.txt": b"1 0 1 0 1 0 0 0 1"})
    tags = {256: 2, 257: 1, 258: 32, 259: 1, 262: 1, 273: 0, 277: 1, 278: 1, 279: 8, 339: 3}
    tags[273] = 8 + 2 + 12 * len(tags) + 4
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items())
    image = b"II\x2a\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(4) + struct.pack("<2f", 1.5, 2)
    yield folder({
        "1721362630.651355_depth.tiff": image, "1721362630.651355_rgb.png": b"",
        "1721362631.651355_depth.tiff": image,
        "intrinsics.json": b'{"width":2,"height":1,"intrinsic_matrix":[1,0,0,0,1,0,1,0,1]}',
    })
    yield folder({"1/depth.pgm": b"P5 2 1 65535\n\x03\xe8\x07\xd0", "1/rgb.png": b"", "2/depth.png": b""})


def app_recordings():
    """Record3D and Stray Scanner in their older and newer forms."""

    def stored(data: bytes) -> bytes:
        return b"bvx-" + struct.pack("<I", len(data)) + data + b"bvx$"

    metadata = (
        b'{"w":4,"h":2,"dw":2,"dh":1,"fps":60,"K":[4,0,0,0,4,0,2,1,1],"cameraType":1,'
        b'"perFrameIntrinsicCoeffs":[[4,4,2,1],[4,4,2,1]],"frameTimestamps":[0.5,0.25],'
        b'"poses":[[0,0,0,1,1,2,3],[0,0.6,0,0.8,1,2,3]],"initPose":[0,0,0,1,0,0,0]}'
    )
    maps = {
        "rgbd/0.depth": stored(struct.pack("<2f", 1.5, 2)), "rgbd/0.conf": stored(b"\1\2"),
        "rgbd/1.depth": stored(struct.pack("<2e", 1.5, 2)), "rgbd/1.jpg": b"\xff\xd8",
    }
    yield folder({"metadata": metadata, **maps})
    # Older: one matrix, maps of the color image's shape.
    yield folder({"metadata": b'{"w":4,"h":2,"fps":30,"K":[4,0,2,0,4,1,0,0,1]}', **maps})
    yield folder({"rgbd/0.depth": stored(bytes(8))})
    rows = {
        "timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy":
            "{t}, {n:06}, 1, 2, 3, 0, 0.6, 0, 0.8, 9, 9, 5, 4",
        "timestamp, frame, x, y, z, qx, qy, qz, qw": "{t}, {n:06}, 1, 2, 3, 0, 0, 0, 1",
        "": "1, 2, 3, 0, 0, 0, 1",
    }
    for names, row in rows.items():
        lines = [names] * bool(names) + [row.format(t=1.5 + n / 60, n=n) for n in range(2)]
        yield folder({
            "odometry.csv": "\n".join(lines).encode(), "camera_matrix.csv": b"9,0,5\n0,9,4\n0,0,1\n",
            "depth/000000.png": b"", "depth/000001.png": b"", "confidence/000000.png": b"",
            "imu.csv": b"timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n1.5, 0, -1, 0, 0.1, 0.2, 0\n",
            "rgb.mp4": b"",
        })


def mcap_record(opcode: int, body: bytes) -> bytes:
    return bytes([opcode]) + struct.pack("<Q", len(body)) + body


def ros_bag() -> bytes:
    """One depth image of 2 × 1 pixels in millimeters, in a bag without an index."""
    text = lambda value: struct.pack("<I", len(value)) + value
    image = struct.pack("<iI", 1, 2) + text(b"cam\0") + struct.pack("<II", 1, 2) + text(b"16UC1\0")
    image += bytes(1)
    image += bytes(-len(image) % 4) + struct.pack("<I", 4) + text(struct.pack("<HH", 900, 0))
    return b"".join([
        b"\x89MCAP0\r\n", mcap_record(1, text(b"ros2") + text(b"seed")),
        mcap_record(3, struct.pack("<H", 1) + text(b"sensor_msgs/msg/Image") + text(b"ros2msg") + text(b"")),
        mcap_record(4, struct.pack("<HH", 1, 1) + text(b"/depth/image_raw") + text(b"cdr") + text(b"")),
        mcap_record(5, struct.pack("<HIQQ", 1, 0, 10**9, 10**9) + b"\0\1\0\0" + image),
        mcap_record(15, bytes(4))])


def mcap_files():
    """Small recordings: with and without chunks, an index, checksums; and cut."""
    text = lambda value: struct.pack("<I", len(value)) + value
    magic = b"\x89MCAP0\r\n"
    schema = mcap_record(3, struct.pack("<H", 1) + text(b"s") + text(b"e") + text(b"\1\2"))
    channel = mcap_record(4, struct.pack("<HH", 1, 1) + text(b"/a") + text(b"m") + text(text(b"k") + text(b"v")))
    messages = [mcap_record(5, struct.pack("<HIQQ", 1, n, 7 - n, n) + b"data" * n) for n in range(4)]
    for crc in (0, 1):
        for chunked in (0, 1):
            data = mcap_record(1, text(b"p") + text(b"l")) + mcap_record(12, text(b"n") + text(text(b"a") + text(b"b")))
            attachment = struct.pack("<QQ", 1, 2) + text(b"n") + text(b"t") + struct.pack("<Q", 3) + b"abc"
            attachment_at = 8 + len(data)
            data += mcap_record(9, attachment + struct.pack("<I", zlib.crc32(attachment) * crc))
            attachment_end = 8 + len(data)
            records = schema + channel + b"".join(messages)
            chunk_at = 8 + len(data)
            if chunked:
                fields = struct.pack("<QQQI", 4, 7, len(records), zlib.crc32(records) * crc)
                data += mcap_record(6, fields + text(b"") + struct.pack("<Q", len(records)) + records)
            else:
                data += records
            chunk_end = 8 + len(data)
            entries, at = b"", len(schema) + len(channel)
            for n, message in enumerate(messages):
                entries += struct.pack("<QQ", 7 - n, at)
                at += len(message)
            index = mcap_record(7, struct.pack("<H", 1) + text(entries))
            if chunked:
                data += index
            data = magic + data + mcap_record(15, bytes(4))
            summary = schema + channel
            summary += mcap_record(
                11, struct.pack("<QHIIIIQQ", 4, 1, 1, 1, 1, chunked, 4, 7) + text(struct.pack("<HQ", 1, 4)))
            summary += mcap_record(13, struct.pack("<QQ", 8 + 19, 31) + text(b"n"))
            summary += mcap_record(10, struct.pack("<QQQQQ", attachment_at, attachment_end - attachment_at, 1, 2, 3)
                                   + text(b"n") + text(b"t"))
            if chunked:
                summary += mcap_record(
                    8, struct.pack("<QQQQ", 4, 7, chunk_at, chunk_end - chunk_at)
                    + text(struct.pack("<HQ", 1, chunk_end)) + struct.pack("<Q", len(index)) + text(b"")
                    + struct.pack("<QQ", len(records), len(records)))
            footer = b"\2" + struct.pack("<QQQ", 20, len(data), 0)
            summary += footer + struct.pack("<I", zlib.crc32(summary + footer) * crc)
            yield data + summary + magic
            yield data
            yield data[:-40]


def videos():
    """Small videos of every kind that ffmpeg makes here, and the lists beside them."""
    yield b"timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy\n1.5, 000000, 1, 2, 3, 0, 0, 0, 1, 9, 9, 5, 4\n"
    yield b"timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n1.5, 0, -1, 0, 0.1, 0.2, nan\n"
    if not shutil.which("ffmpeg"):
        return
    kinds = (
        ["-c:v", "libx264", "-bf", "2", "-g", "5"],
        ["-c:v", "libx264", "-movflags", "+faststart", "-vf", "setpts=(N+floor(N/3))/30/TB"],
        ["-c:v", "libx264", "-movflags", "+frag_keyframe+empty_moov"],
        ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none:keyint=5"],
        ["-c:v", "mpeg4"],
    )
    for options in kinds:
        with tempfile.TemporaryDirectory() as folder:
            video = pathlib.Path(folder) / "video.mp4"
            source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30", "-frames:v", "12"]
            run = ["ffmpeg", "-v", "quiet", *source, "-pix_fmt", "yuv420p", *options, str(video)]
            if subprocess.run(run).returncode == 0:
                yield video.read_bytes()
