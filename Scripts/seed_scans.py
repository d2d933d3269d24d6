"""Small posed scans for Scripts/fuzz-seeds."""
import struct


def scans():
    """Posed scans in five layouts, as the target takes folders; files with zero bytes in hexadecimal."""

    def folder(files: dict) -> bytes:
        parts = []
        for name, content in files.items():
            if b"\0" in content:
                name, content = name + ".hex", content.hex().encode()
            parts.append(name.encode() + b"\n" + content)
        return b"\0".join(parts)

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
