"""Networks of each kind of layer and FCRN, converted by Tools/convert-model, against numpy.

coremltools builds the Core ML files, which the tool reads by itself; OpenVINO, which plumbline uses, and ONNX
Runtime run the result. Channels are divided: FCRN as its authors have it has 63.6 million weights.
"""
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL, ORACLES = ROOT / "Tools/convert-model", ROOT / "Tests/Oracles"
PACKAGES = ("numpy", "onnx", "onnxruntime", "openvino", "coremltools")
DIVISOR = "16"
# Sums in 32-bit floats, relative to the maximum; half floats keep 11 bits of each weight.
TOLERANCE, HALF_TOLERANCE = 2e-5, 5e-3

missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
if missing:
    print(f"no Python with {', '.join(missing)}: install Scripts/requirements-test.txt")
    sys.exit(77)

import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import openvino  # noqa: E402

sys.path[:0] = [str(TOOL.parent), str(ORACLES)]
import fcrn_weights  # noqa: E402
from model_conversion import conversion, refusal  # noqa: E402


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


def core_ml(*layers, height=2, width=3):
    """A Core ML network of layers with one input and one output."""
    image = field(1, "image") + field(3, field(4, field(1, width) + field(2, height) + field(3, 20)))
    description = field(1, image) + field(10, field(1, "depth"))
    return field(1, 1) + field(2, description) + field(500, b"".join(field(1, layer) for layer in layers))


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


def by_onnx_runtime(model, values):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    port = session.get_inputs()[0]
    return session.run(None, {port.name: values.reshape(port.shape)})[0]


def by_openvino(model, values):
    options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    network = openvino.Core().compile_model(str(model), "CPU", options)
    return network(values.reshape(network.input(0).shape))[0]


class NumberTests(Folder):
    def compare(self, name, model):
        def floats(kind):
            return np.fromfile(self.folder / f"{name}.{kind}.f32", np.float32)
        expected = floats("expected")
        for run in (by_onnx_runtime, by_openvino):
            found = run(model, floats("input")).ravel()
            self.assertEqual(found.size, expected.size, run.__name__)
            worst = np.abs(found - expected).max() / np.abs(expected).max()
            self.assertLessEqual(worst, HALF_TOLERANCE if name.endswith("half") else TOLERANCE, run.__name__)

    def test_each_core_ml_layer_computes_what_its_definition_says(self):
        names = [line.split()[0] for line in oracle("coreml_networks.py", str(self.folder), DIVISOR).splitlines()]
        self.assertGreater(len(names), 60)
        for name in names:
            with self.subTest(name):
                self.compare(name, self.converted(f"{name}.mlmodel"))
        self.assertEqual(self.card("fcrn")["name"], "fcrn-nyu")
        self.assertEqual(self.card("fcrn")["output"]["meaning"], "meters")
        # What the file does not say is not made up.
        self.assertIsNone(self.card("crop")["output"]["meaning"])
        self.assertIsNone(self.card("crop")["publishedError"])
        self.assertEqual([self.card("crop")["input"][side] for side in ("width", "height")], [8, 6])

    def test_the_authors_weights_compute_what_the_authors_network_does(self):
        for protocol in ("2", "4", "python2"):
            with self.subTest(protocol):
                paths = [str(self.folder / f"fcrn.{end}") for end in ("npy", "input.f32", "expected.f32")]
                oracle("fcrn_weights.py", *paths, DIVISOR, protocol)
                self.compare("fcrn", self.converted("fcrn.npy"))

    def test_other_orders_of_bytes_and_dimensions_are_the_same_numbers(self):
        layers = fcrn_weights.weights(64)
        fcrn_weights.save(self.folder / "plain.npy", layers, 2)
        for parts in layers.values():
            for part, values in parts.items():
                parts[part] = np.asfortranarray(values.astype(">f8"))
        fcrn_weights.save(self.folder / "other.npy", layers, 4)
        self.assertEqual(self.converted("plain.npy").read_bytes(), self.converted("other.npy").read_bytes())


class RefusalTests(Folder):
    def refused(self, data, *words):
        (self.folder / "odd.bin").write_bytes(data)
        run = convert(self.folder / "odd.bin", "-o", self.folder / "odd.onnx")
        self.assertEqual(run.returncode, 65, run.stderr)
        self.assertTrue(run.stderr.startswith("convert-model: odd.bin") and run.stderr.count("\n") == 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["odd.bin"])

    def test_a_layer_that_cannot_be_converted_is_named(self):
        self.refused(core_ml(layer(175)), "odd.bin/my_layer: ", "layer kind 175 (softmax)")
        self.refused(core_ml(layer(130, field(71, b""))), "odd.bin/my_layer: ", "activation kind 71")
        self.refused(core_ml(layer(100, field(1, 4))), "odd.bin/my_layer: ", "stored weights")
        self.refused(core_ml(), "output")
        layers = fcrn_weights.weights(64)
        layers["my_layer"] = {"weights": layers["conv1"]["weights"]}
        fcrn_weights.save(self.folder / "odd.bin", layers, 2)
        self.refused((self.folder / "odd.bin").read_bytes(), "odd.bin/my_layer: expected a layer of FCRN")

    def test_other_kinds_of_files_are_named(self):
        for data, word in [
            (b"", "empty"), (b"PK\3\4", "ZIP"), (b"\x89HDF", "HDF5"), (b"\x80\4]", "pickle"), (b"text", "another file"),
            (b"1234TFL3", "TFLite"), (field(1, 8) + field(7, b""), "an ONNX model"),
            (field(1, 5) + field(2, b"") + field(502, b""), "an ML program"),
        ]:
            with self.subTest(word):
                self.refused(data, word)

    def test_a_pickle_runs_nothing(self):
        mark = self.folder / "mark"
        call = f"touch {mark}".encode()
        self.refused(
            array_file(b"cos\nsystem\n(X" + len(call).to_bytes(4, "little") + call + b"tR."), "the function os system")
        self.assertFalse(mark.exists())
        for module, name in [("builtins", "eval"), ("numpy", "load"), ("numpy.core.multiarray", "fromfile"),
                             ("collections", "Counter"), ("copyreg", "__newobj__")]:
            self.refused(array_file(f"c{module}\n{name}\n.".encode()), name)

    def test_damage_ends_with_a_refusal(self):
        convolution = field(1, 2) + field(2, 3) + field(20, b"\1\1") + field(90, field(2, bytes(12)))
        fcrn_weights.save(self.folder / "w.npy", {"conv1": fcrn_weights.weights(64)["conv1"]}, 2)
        codes = field(30, bytes(2)) + field(40, field(1, 4) + field(101, field(1, bytes(4))))
        sound = [core_ml(layer(kind, parameters)) for kind, parameters in (
            (100, convolution), (210, field(1, b"\2\2")), (245, field(1, 3) + field(2, codes)),
            (300, field(1, b"\3\2\3")), (310, field(1, b"\0\1\3\2")))]
        sound.append((self.folder / "w.npy").read_bytes())
        generator = random.Random(11)
        for data in sound:
            variants = [data[:count] for count in range(0, len(data), max(1, len(data) // 200))]
            for _ in range(1000):
                changed = bytearray(data)
                for _ in range(generator.randint(1, 4)):
                    changed[generator.randrange(len(changed))] = generator.randrange(256)
                variants.append(bytes(changed))
            for variant in variants:
                try:
                    conversion.converted(variant)
                except refusal.Refusal:
                    pass


class CommandTests(Folder):
    def test_wrong_arguments_end_with_64(self):
        for arguments in ([], ["a"], ["a", "-o", "b.txt"], ["a", "b", "-o", "c.onnx"]):
            self.assertEqual(convert(*arguments).returncode, 64)

    def test_what_cannot_be_read_or_written_ends_with_65(self):
        self.assertEqual(convert(self.folder / "absent", "-o", self.folder / "a.onnx").returncode, 65)
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b""))))
        self.assertEqual(convert(self.folder / "a.mlmodel", "-o", self.folder / "none/a.onnx").returncode, 65)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_a_missing_package_ends_with_69_and_what_installs_it(self):
        # Without the folders of packages.
        run = convert("a", "-o", "b.onnx", python=["-S", "-E"])
        self.assertEqual(run.returncode, 69)
        self.assertIn("pip install numpy onnx", run.stderr)

    def test_the_model_and_its_card_are_all_that_is_written(self):
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b"")), height=228, width=304))
        self.converted("a.mlmodel")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "a.mlmodel", "a.onnx"])


unittest.main()
