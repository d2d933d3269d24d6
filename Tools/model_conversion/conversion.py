"""Which kind of file something is, and its conversion."""
import hashlib

import onnx

from . import card, core_ml, fcrn, npy, tflite
from .core_ml import WANTED
from .refusal import Refusal

TFLITE_MARK = b"TFL3"
# Other kinds of files: where their mark lies, the mark, and their name.
OTHER = [
    (0, b"PK\3\4", "a ZIP archive, as PyTorch and .mlpackage are"), (0, b"\x89HDF", "HDF5, as Keras writes it"),
    (0, b"GGUF", "GGUF"), (0, b"\x80\2", "a pickle, as PyTorch writes it"), (0, b"\x80\4", "a pickle"),
    (0, b"<?xml", "XML, as OpenVINO's own files are"),
]


def converted(data):
    """The bytes of the ONNX file, checked by ONNX's own checker, and the card.

    Raises Refusal with the name of a layer that cannot be converted.
    """
    if len(data) == 0:
        raise Refusal("", WANTED, "an empty file")
    for offset, mark, kind in OTHER:
        if data[offset:offset + len(mark)] == mark:
            raise Refusal("", WANTED, kind)
    view = memoryview(data)
    if data[:6] == npy.MAGIC:
        model, described = fcrn.onnx_model(npy.layers(view)), card.FCRN
    elif data[4:8] == TFLITE_MARK:
        model, described = tflite.onnx_model(view)
        described = card.known_tflite(hashlib.sha256(view).hexdigest(), described)
    else:
        model, described = core_ml.onnx_model(view)
    written = model.SerializeToString(deterministic=True)
    try:
        onnx.checker.check_model(written)
    except onnx.checker.ValidationError as error:
        raise Refusal("", "a network of which ONNX can be made", " ".join(str(error).split())) from None
    return written, described
