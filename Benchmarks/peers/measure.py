"""Measures Plumbline and its peers in one run; started by `Benchmarks/run`."""

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys

import photos
import table

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.dirname(HERE)
PEERS = {"numpy": "numpy", "cv2": "opencv-contrib-python-headless", "open3d": "open3d"}
BOARD_PEERS = {"numpy": "numpy", "cv2": "opencv-contrib-python-headless"}
PHOTO_PEERS = {"pillow_heif": "pillow_heif", "PIL": "pillow"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=BENCHMARKS).stdout.strip()


def metadata():
    names = [line for line in open("/proc/cpuinfo")] if os.path.exists("/proc/cpuinfo") else []
    model = next((line.split(":")[1].strip() for line in names if "model name" in line), "")
    return {
        "commit": output_of("git", "rev-parse", "--short", "HEAD"),
        "changed_files": len(output_of("git", "status", "--short").splitlines()),
        "compiler": output_of("swift", "--version").splitlines()[0],
        "processor": model or platform.processor(),
        "threads": os.cpu_count(),
        "load_before": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def data_path(name):
    """A file or folder of real data beside the checkout, where the tests look for it too."""
    named = os.environ.get("PLUMBLINE_DATA")
    folder = os.path.dirname(BENCHMARKS)
    around = [named] if named else [
        os.path.join(folder, *[".."] * up, "shared", "data") for up in (1, 2, 3)
    ]
    paths = [os.path.join(place, name) for place in around]
    return next((path for path in paths if os.path.exists(path)), None)


def require(modules):
    missing = [name for module, name in modules.items() if not importlib.util.find_spec(module)]
    if missing:
        raise SystemExit(
            f"{sys.executable} lacks {', '.join(missing)}: install them with pip, or name another "
            "interpreter in PLUMBLINE_PYTHON"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", help="the folder with the release executables")
    parser.add_argument("--quick", action="store_true", help="a sixth of the repetitions")
    parser.add_argument("--kernels-only", action="store_true", help="no photos")
    parser.add_argument("--photos-only", action="store_true", help="no kernels")
    parser.add_argument("--boards-only", action="store_true", help="only calibration boards")
    parser.add_argument("--photo", help="a HEIC depth photo; ../shared/data/photos/pug.heic if none")
    parser.add_argument("--focal-length", default="3032.59", help="its camera, pixels of the photo")
    parser.add_argument("--principal-point", default="2015.5,1511.5", help="X,Y in such pixels")
    parser.add_argument("--name", default="results", help="results/NAME.json is written")
    options = parser.parse_args()
    executable = os.path.join(options.builds, "KernelBenchmark")
    plumbline = os.path.join(options.builds, "plumbline")
    document = {"metadata": metadata(), "groups": []}
    if not (options.photos_only or options.kernels_only):
        require(BOARD_PEERS)
        command = [sys.executable, os.path.join(HERE, "board_detection.py")]
        command += [os.path.join(options.builds, "BoardBenchmark")]
        command += ["--quick"] if options.quick else []
        frames = data_path("zeiss-truedepth")
        command += ["--frames", frames] if frames else []
        boards = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if boards.returncode != 0:
            raise SystemExit("the board detectors were not measured")
        answer = json.loads(boards.stdout)
        document["groups"] += answer["groups"]
        document["metadata"]["versions"] = answer["versions"]
    if not (options.photos_only or options.boards_only):
        require(PEERS)
        for script in ("kernels.py", "filters.py", "colors.py"):
            command = [sys.executable, os.path.join(HERE, script), executable]
            command += ["--quick"] if options.quick else []
            kernels = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            if kernels.returncode != 0:
                raise SystemExit(f"{script} was not measured")
            answer = json.loads(kernels.stdout)
            document["groups"] += answer["groups"]
            document["metadata"].setdefault("versions", {}).update(answer["versions"])
    if not (options.kernels_only or options.boards_only):
        require(PEERS | PHOTO_PEERS)
        photo = options.photo or data_path("photos/pug.heic")
        if photo is None:
            raise SystemExit("no photo: give --photo, set PLUMBLINE_DATA, or ask --kernels-only")
        camera = [options.focal_length, *options.principal_point.split(",")]
        rounds = 3 if options.quick else 15
        document["groups"].append(photos.cloud(plumbline, sys.executable, photo, camera, rounds))
        for threads in (1, 2):
            document["groups"].append(
                photos.check(plumbline, executable, sys.executable, photo, threads, rounds)
            )
    path = os.path.join(BENCHMARKS, "results", options.name + ".json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(document, file, indent=1, ensure_ascii=False)
        file.write("\n")
    print(table.markdown(document))
    print(f"written to {os.path.relpath(path)}", file=sys.stderr)


main()
