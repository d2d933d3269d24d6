"""Files that Tools/convert-model is given in its tests. Ends the program with 77 where a package is missing."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL, ORACLES = ROOT / "Tools/convert-model", ROOT / "Tests/Oracles"
PACKAGES = ("numpy", "onnx", "onnxruntime", "openvino", "coremltools", "flatbuffers")
DIVISOR = "16"

missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
if missing:
    print(f"no Python with {', '.join(missing)}: install Scripts/requirements-test.txt")
    sys.exit(77)

sys.path[:0] = [str(TOOL.parent), str(ORACLES)]


def oracle(name, *arguments):
    command = [sys.executable, str(ORACLES / name), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def convert(*arguments, python=()):
    return subprocess.run(
        [sys.executable, *python, str(TOOL), *map(str, arguments)], capture_output=True, text=True)


def field(number, value):
    """One field of protobuf: a whole number, a text or a message."""
    def varint(value):
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def core_ml(*layers, height=2, width=3, space=20, steps=()):
    """A Core ML network of layers with one input and one output, and steps of preprocessing."""
    image = field(1, "image") + field(3, field(4, field(1, width) + field(2, height) + field(3, space)))
    description = field(1, image) + field(10, field(1, "depth"))
    network = b"".join(field(1, layer) for layer in layers) + b"".join(field(2, step) for step in steps)
    return field(1, 1) + field(2, description) + field(500, network)


def layer(kind, parameters=b"", name="my_layer"):
    return field(1, name) + field(2, "image") + field(3, "depth") + field(kind, parameters)


def array_file(pickle):
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }\n"
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + pickle


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def converted(self, name):
        """The ONNX file of a file of the folder."""
        model = self.folder / f"{pathlib.Path(name).stem}.onnx"
        run = convert(self.folder / name, "-o", model)
        self.assertEqual(run.returncode, 0, run.stderr)
        return model

    def card(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())
