"""Seeds of the fuzz target of calibration files: one and two cameras in each format that is read."""
import json
import pathlib

ROTATION = [0.9999, 0.01, 0.0098, -0.0101, 0.9999, 0.01, -0.0097, -0.0101, 0.9999]


def own(lens: dict, aperture=None, uncertainty=None) -> bytes:
    camera = {"width": 640, "height": 480, "fx": 534.8, "fy": 534.8, "cx": 335.7, "cy": 240.7, "polynomial": None,
              "distortion": None, "cleanAperture": aperture, **lens}
    pose = {"rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1], "translation": [-0.0832, 0.0003, -0.0002], "unit": "meter"}
    return json.dumps({"schema": "plumbline.stereo-calibration/1", "producer": "seed", "left": camera, "right": camera,
                       "rightFromLeft": pose, "baseline": 0.0832, "uncertainty": uncertainty}).encode()


def own_files():
    sigma = {"baseline": 1e-4, "focalLengthShare": 0.001, "offsetPixels": 0.2, "rotationRadians": [1e-4] * 3,
             "translation": [1e-4] * 3, "epipolarRMSPixels": 0.15, "basis": "13 pairs"}
    yield own({})
    yield own({"polynomial": {"radial": [0.1, -0.2, 0], "tangential": [0.001, 0]}}, [8, 8, 600, 400], sigma)
    table = {"centerX": 320.5, "centerY": 240.1, "distorting": [0, 0.001, 0.01, 0.02], "undistorting": [0, -0.001, -0.01, -0.02],
             "pixelSizeMillimeters": 0.002}
    yield own({"distortion": table})
    table = {**table, "distorting": {"coefficients": [0, 0.1, -0.01]}, "undistorting": {"coefficients": [0, -0.1, 0.01]}}
    yield own({"distortion": table})


def yaml_matrix(name: str, rows: int, values) -> str:
    data = ", ".join(f"{value:.17g}" + ("." if float(value).is_integer() else "") for value in values)
    return f"{name}: !!opencv-matrix\n   rows: {rows}\n   cols: {len(values) // rows}\n   dt: d\n   data: [ {data} ]\n"


def xml_matrix(name: str, rows: int, values) -> str:
    data = " ".join(f"{value:.17g}" for value in values)
    return (f"<{name} type_id=\"opencv-matrix\">\n  <rows>{rows}</rows>\n  <cols>{len(values) // rows}</cols>\n"
            f"  <dt>d</dt>\n  <data>\n    {data}</data></{name}>\n")


def opencv_files():
    camera = [534.8, 0, 335.7, 0, 534.8, 240.7, 0, 0, 1]
    lens = [0.3, -1.0, 0.001, -0.002, 0.5]
    inner = [("M1", 3, camera), ("D1", 1, lens), ("M2", 3, camera), ("D2", 1, lens[:4])]
    outer = [("R", 3, ROTATION), ("T", 3, [-3.33, 0.04, -0.01])]
    size = "image_width: 640\nimage_height: 480\n"
    write = lambda matrices: "".join(yaml_matrix(*matrix) for matrix in matrices)
    yield f"%YAML:1.0\n---\n{size}{write(inner + outer)}translation_unit_meters: 0.025\n".encode()
    yield f"%YAML:1.0\n{write(inner)}".encode() + b"\xff" + f"%YAML:1.0\n{write(outer)}".encode()
    text = "".join(xml_matrix(*matrix) for matrix in inner + outer)
    whole = f"<image_width>640</image_width>\n<image_height>480</image_height>\n{text}"
    yield f"<?xml version=\"1.0\"?>\n<opencv_storage>\n<!-- seed -->\n{whole}</opencv_storage>\n".encode()
    single = yaml_matrix("camera_matrix", 3, camera) + yaml_matrix("distortion_coefficients", 5, lens)
    yield f"%YAML:1.0\n---\n{size}{single}".encode()


def open3d_file() -> bytes:
    matrix = [534.8, 0, 0, 0, 534.8, 0, 335.7, 240.7, 1]
    return json.dumps({"width": 640, "height": 480, "intrinsic_matrix": matrix}).encode()


def files(data: pathlib.Path):
    yield from own_files()
    yield from opencv_files()
    yield open3d_file()
    for path in sorted((data / "boards").glob("*.yml")) + sorted((data / "boards").glob("*.xml")):
        yield path.read_bytes()
