"""Networks of each kind of layer and FCRN, converted by Tools/convert-model, against numpy.

coremltools builds the Core ML files, which the tool reads by itself; OpenVINO, which plumbline uses, and ONNX
Runtime run the result. Channels are divided: FCRN as its authors have it has 63.6 million weights.
"""
import pathlib
import random
import unittest
from unittest import mock

# Before the packages, since it ends the program where one is missing.
from files import DIVISOR, Folder, array_file, convert, core_ml, field, layer, oracle

import fcrn_weights
import numpy as np
import onnxruntime
import openvino
import tflite_segmenter
from cards import CardTests  # noqa: F401: run below
from commands import CommandTests  # noqa: F401
from model_conversion import conversion, graph, npy, refusal

# Sums in 32-bit floats, relative to the maximum; half floats keep 11 bits of each weight.
TOLERANCE, HALF_TOLERANCE = 2e-5, 5e-3


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
                name = f"fcrn-{protocol}"
                paths = [str(self.folder / f"{name}.{end}") for end in ("npy", "input.f32", "expected.f32")]
                oracle("fcrn_weights.py", *paths, DIVISOR, protocol)
                self.compare(name, self.converted(f"{name}.npy"))

    def test_a_tflite_network_computes_what_its_operators_say(self):
        oracle("tflite_segmenter.py", str(self.folder))
        self.compare("segmenter", self.converted("segmenter.tflite"))
        card = self.card("segmenter")
        self.assertIsNone(card["output"]["meaning"])
        self.assertEqual([card["input"][side] for side in ("width", "height", "layout")], [10, 12, "nhwc"])

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

    def test_a_normalization_of_other_arrays_is_named(self):
        sound = fcrn_weights.weights(64)
        parts = sound["bn_conv1"]
        for part in parts:
            others = {name: values for name, values in parts.items() if name != part}
            for changed, place in [
                (others, "bn_conv1: "), (others | {part: np.float32([1, 1])}, "bn_conv1/"),
                (others | {part: np.array(1, np.float32)}, f"bn_conv1/{part}: "),
                (others | {part: np.float32([[1]])}, f"bn_conv1/{part}: "),
                (others | {part: np.float32([])}, f"bn_conv1/{part}: "),
            ]:
                with self.subTest(part=part, keys=list(changed)):
                    fcrn_weights.save(self.folder / "odd.bin", sound | {"bn_conv1": changed}, 4)
                    with self.assertRaises(refusal.Refusal) as caught:
                        conversion.converted((self.folder / "odd.bin").read_bytes())
                    self.assertIn(place, str(caught.exception))
        fcrn_weights.save(self.folder / "odd.bin", sound | {"bn_conv1": {"scale": parts["scale"]}}, 2)
        self.refused((self.folder / "odd.bin").read_bytes(), "odd.bin/bn_conv1: expected offset")

    def test_other_images_than_of_color_are_named(self):
        activation = layer(130, field(10, b""))
        for space, word in [(10, "GRAYSCALE (10)"), (40, "GRAYSCALE_FLOAT16 (40)"), (0, "none"), (25, "25")]:
            self.refused(core_ml(activation, space=space), "odd.bin/input image: ", word)
        for space in (20, 30):
            conversion.converted(core_ml(activation, space=space))

    def test_a_second_step_of_preprocessing_is_refused(self):
        activation, step = layer(130, field(10, b"")), field(10, b"")
        conversion.converted(core_ml(activation, steps=[step]))
        self.refused(core_ml(activation, steps=[step, step]), "odd.bin/preprocessing: expected one step", "found 2")

    def test_a_result_too_large_for_protobuf_is_refused_before_it_is_made(self):
        # One number, a gigabyte of times.
        numbers = np.broadcast_to(np.float32(0), 1 << 29)
        with self.assertRaisesRegex(refusal.Refusal, "an ONNX file of at most"):
            graph.Graph().store("a", numbers)
        convolution = field(1, 2) + field(2, 3) + field(20, b"\1\1") + field(90, field(1, bytes(24)))
        network = core_ml(layer(100, convolution))
        size = len(conversion.converted(network)[0])
        with mock.patch.object(graph, "MAXIMUM_SIZE", size):
            with self.assertRaisesRegex(refusal.Refusal, "my_layer.*an ONNX file of at most"):
                conversion.converted(network)

    def test_an_operator_of_tflite_that_cannot_be_converted_is_named(self):
        network = tflite_segmenter.Network([1, 4, 4, 3])
        for code, name, word in [(99, b"", "number 99"), (32, b"MyOwn", "MyOwn")]:
            network.operators, network.codes = [], []
            output = network.add(code, [network.input], [1, 4, 4, 3], name=name)
            self.refused(network.bytes(output), "odd.bin/operator 0: expected an operator that can be converted", word)

    def test_other_kinds_of_files_are_named(self):
        for data, word in [
            (b"", "empty"), (b"PK\3\4", "ZIP"), (b"\x89HDF", "HDF5"), (b"\x80\4]", "pickle"), (b"text", "another file"),
            (b"1234TFL3", "byte 875770417"), (field(1, 8) + field(7, b""), "an ONNX model"),
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

    def test_a_pickle_reserves_no_memory_for_places_that_it_does_not_use(self):
        # Each would be 256 MB; the largest possible 64 GB.
        for put in (b"r" + (1 << 24).to_bytes(4, "little"), b"p16777216\n"):
            self.refused(array_file(b"\x80\2N" + put + b"."), "odd.bin/pickle: expected a place", "found 16777216")
        self.refused(array_file(b"\x80\2Nq\xc8."), "odd.bin/pickle: expected a place", "found 200")
        with mock.patch.object(npy, "MAXIMUM_INSTRUCTIONS", 100):
            with self.assertRaisesRegex(refusal.Refusal, "at most 100 instructions"):
                conversion.converted(array_file(b"\x80\2" + b"N0" * 50 + b"N."))

    def test_damage_ends_with_a_refusal(self):
        convolution = field(1, 2) + field(2, 3) + field(20, b"\1\1") + field(90, field(2, bytes(12)))
        weights = fcrn_weights.weights(64)
        # The second is a normalization, with four arrays that belong together.
        first = {name: weights[name] for name in ("conv1", "bn_conv1")}
        codes = field(30, bytes(2)) + field(40, field(1, 4) + field(101, field(1, bytes(4))))
        sound = [core_ml(layer(kind, parameters)) for kind, parameters in (
            (100, convolution), (210, field(1, b"\2\2")), (245, field(1, 3) + field(2, codes)),
            (300, field(1, b"\3\2\3")), (310, field(1, b"\0\1\3\2")))]
        for protocol in (2, 4, "python2"):
            fcrn_weights.save(self.folder / "w.npy", first, protocol)
            sound.append((self.folder / "w.npy").read_bytes())
        oracle("tflite_segmenter.py", str(self.folder))
        sound.append((self.folder / "segmenter.tflite").read_bytes())
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


unittest.main()
