"""FCRN's card, which both the tool and the product have."""
import json
import re
import unittest

from files import ROOT
from model_conversion import card

CARDS = ROOT / "Sources/Processing/PlumblineInference/Cards"


def literal(text):
    """A text or a number of Swift; other values, such as `.nchw`, stay as they are written."""
    return json.loads(text) if re.match(r'["\d]', text) else text.removeprefix(".")


class CardTests(unittest.TestCase):
    def swift(self):
        """All labels of the known model FCRN with their literals; fails where one is there twice."""
        source = (CARDS / "KnownModel.swift").read_text()
        blocks = re.findall(r"static let fcrn: KnownModel = \{\n(.*?)\n  \}\(\)", source, re.S)
        self.assertEqual(len(blocks), 1)
        pairs = re.findall(r'(\w+)(?:: | = )("[^"\n]*"|[\w.]+|\[)', blocks[0])
        # Every colon and equals sign outside of texts belongs to a label that is read here.
        self.assertEqual(len(re.findall("[:=]", re.sub(r'"[^"\n]*"', "", blocks[0]))), len(pairs))
        names = [name for name, _ in pairs if name != "card"]
        self.assertEqual(len(names), len(set(names)))
        return {name: literal(text) for name, text in pairs if name != "card"}

    def common(self):
        """What a card of Swift has unless it says otherwise."""
        source = (CARDS / "ModelCard.swift").read_text()
        found = dict(re.findall(r"^    self\.(\w+) = (.+)$", source, re.M))
        vectors = {".zero": [0, 0, 0], "SIMD3(repeating: 1)": [1, 1, 1]}
        return {
            "channels": literal(found["channels"]), "mean": vectors[found["mean"]],
            "deviation": vectors[found["deviation"]], "placement": literal(found["placement"]),
        }

    def test_the_products_card_of_fcrn_is_the_tools(self):
        values = self.swift()
        self.assertEqual(values.pop("inputSize"), "RasterSize")
        self.assertEqual(values.pop("publishedError"), "PublishedError")
        # These are of its file, not of its card.
        self.assertEqual([values.pop(name) for name in ("sha256", "byteCount", "fileNames")], ["nil", "nil", "["])
        expected = {"schema": "plumbline.model-card/1"}
        expected |= {name: values.pop(name) for name in ("name", "title", "license", "origin", "assumedFocalPixels")}
        expected["input"] = self.common() | {
            name: values.pop(name) for name in ("width", "height", "layout", "factor")}
        expected["output"] = {"meaning": values.pop("outputMeaning"), "name": None, "focalName": None}
        expected["publishedError"] = {name: values.pop(name) for name in ("rmseMeters", "delta1", "data", "source")}
        self.assertEqual(values, {})
        self.assertEqual(card.FCRN, expected)
