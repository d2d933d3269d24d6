"""Seeds of the fuzz targets of model files: small models by hand, as protobuf, FlatBuffers and pickle have them."""
import json
import pickle
import struct


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    text = b""
    while value > 127:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


def field(number: int, value) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def port(name: str, *lengths: int) -> bytes:
    shape = b"".join(field(1, field(1, length) if length else field(2, "n")) for length in lengths)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def onnx(*nodes: bytes, tensors=()) -> bytes:
    graph = b"".join(field(1, node) for node in nodes) + b"".join(field(5, tensor) for tensor in tensors)
    graph += field(11, port("image", 1, 3, 4, 0)) + field(12, port("depth", 1, 1, 4, 0))
    return field(1, 8) + field(2, "seed") + field(8, field(2, 13)) + field(7, graph)


def node(operator: str, inputs, output: str, *attributes: bytes) -> bytes:
    text = b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, operator)
    return text + b"".join(field(5, attribute) for attribute in attributes)


def onnx_files():
    raw = field(1, 1) + field(1, 3) + field(2, 1) + field(8, "w") + field(9, bytes(12))
    packed = field(1, varint(1) + varint(3)) + field(2, 1) + field(4, bytes(12)) + field(8, "w")
    whole = field(1, 2) + field(2, 7) + field(7, varint(5) + varint(6)) + field(8, "w")
    outside = field(1, 2) + field(2, 1) + field(8, "w") + field(13, field(1, "location") + field(2, "x")) + field(14, 1)
    strides = field(1, "strides") + field(8, 2) + field(8, 2) + field(20, 7)
    inner = field(1, "then_branch") + field(6, field(1, node("Relu", ["image"], "y")) + field(12, port("y", 1))) + field(20, 5)
    for tensor in (raw, packed, whole, outside):
        yield onnx(node("Conv", ["image", "w"], "depth", strides), tensors=[tensor])
    yield onnx(node("If", ["image"], "depth", inner))
    yield onnx(node("Constant", [], "depth", field(1, "value") + field(5, raw) + field(20, 4)))


def core_ml(*layers: bytes) -> bytes:
    image = field(1, "image") + field(3, field(4, field(1, 304) + field(2, 228) + field(3, 20)))
    description = field(1, image) + field(10, field(1, "depth"))
    scaler = field(1, "image") + field(10, field(10, 0.5) + field(20, 0.25))
    return field(1, 1) + field(2, description) + field(500, b"".join(field(1, layer) for layer in layers) + field(2, scaler))


def layer(kind: int, parameters: bytes) -> bytes:
    return field(1, "layer") + field(2, "image") + field(3, "depth") + field(kind, parameters)


def core_ml_files():
    floats = field(1, struct.pack("<12f", *range(12)))
    half = field(2, struct.pack("<12e", *range(12)))
    linear = field(30, bytes(6)) + field(40, field(1, 4) + field(101, field(1, struct.pack("<f", 0.5)) + field(2, bytes(4))))
    table = field(30, bytes(3)) + field(40, field(1, 2) + field(102, field(1, struct.pack("<4f", *range(4)))))
    for weights in (floats, half, linear, table):
        shape = field(1, 4) + field(2, 3) + field(10, 1) + field(20, varint(1) + varint(1))
        yield core_ml(layer(100, shape + field(50, field(1, field(10, field(1, 1) + field(2, 1)) * 2)) + field(90, weights)))
    for kind, parameters in ((120, field(1, 1) + field(31, b"")), (130, field(10, b"")), (190, b""), (200, b""), (210, field(1, varint(2) * 2)),
                             (220, field(1, 3) + field(2, 2.0)), (230, field(1, 0.5)), (300, field(1, varint(3) + varint(2) + varint(2))),
                             (301, b""), (310, field(1, bytes([0, 1, 3, 2]))), (320, b""), (345, field(1, 1) + field(2, 2)), (999, b"")):
        yield core_ml(layer(kind, parameters))




def pickles():
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85U\x01btR(K\x01%scnumpy\ndtype\n(U\x02%sK\x00K\x01tR(K\x03U\x01%sNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb%sU%s%stb"
    for kind, size, order, fortran in ((b"f4", 4, b"<", b"\x89"), (b"f2", 2, b"<", b"\x88"), (b"f8", 8, b">", b"\x88")):
        data = bytes(range(6 * size))
        yield b"\x80\x02" + array % (b"K\x02K\x03\x86", kind, order, fortran, bytes([len(data)]), data) + b"."
    for protocol in range(0, 6):
        yield pickle.dumps({"conv1": {"weights": [1, 2.5, None, True, (1, 2, 3, 4), b"bytes", 1 << 40]}}, protocol=protocol)


def npy_files():
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }\n"
    for text in pickles():
        yield b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + text


def tflite_files():
    # A root table with a version, one graph and one buffer, each a table without fields.
    yield bytes.fromhex(
        "1c00000054464c33000000000000120018000400000008000000000010000c001200000003000000"
        "10000000180000000000000001000000040000000400040004000000010000000400000004000400")
    yield b"\x08\0\0\0TFL3" + bytes(64)


def cards():
    card = {"schema": "plumbline.model-card/1", "name": "a", "title": "t", "license": "MIT", "origin": "o",
            "input": {"width": 4, "height": 5, "layout": "nchw", "channels": "bgr", "factor": 1, "mean": [0, 0, 0],
                      "deviation": [1, 1, 1], "placement": "centerCrop"},
            "output": {"meaning": "relativeInverse", "name": "d", "focalName": "f"}, "assumedFocalPixels": 500}
    yield json.dumps(card).encode()
    yield json.dumps({"schema": "plumbline.model/1", "file": "model.onnx", "bytes": 1, "sha256": "0", "card": card}).encode()


def obj_files():
    square = "v 0 0 0\nv 1 0 0.5\nv 1 1 -1e-2\nv 0 1 0\n"
    yield (square + "vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf -1/-1 -2/-2 -3/-3\n").encode()
    yield (square + "vn 0 0 1\nf 1//1 2//1 3//1 4//1\n# end\n").encode()
    yield (square + "g a\r\nf 1 2 3\r\n\tf 4 3 2 1").encode()


def morphable_models():
    """Packs of four vertices and two modes, with and without texture and landmarks."""
    for coordinates in (0, 4):
        for anchored in (False, True):
            header = json.dumps({"schema": "plumbline.morphableModel/1", "name": "a", "license": "b", "vertices": 4,
                                 "identity": 1, "expressions": ["jawOpen"], "triangles": 2,
                                 "coordinates": coordinates}).encode()
            body = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0)
            for mode in range(2):
                body += struct.pack("<f12h", 1e-4, *(1000 * i - 3000 * mode for i in range(12)))
            triangles = struct.pack("<6I", 0, 1, 2, 0, 2, 3)
            body += triangles
            if coordinates:
                body += struct.pack("<8f", 0, 1, 1, 1, 1, 0, 0, 0) + triangles
            anchor = struct.pack("<3I3f", 0, 1, 2, 0.5, 0.25, 0.25) if anchored else b"\xff" * 12 + bytes(12)
            yield b"PLBFACE1" + struct.pack("<I", len(header)) + header + body + anchor * 468


def model_files():
    yield from onnx_files()
    yield from core_ml_files()
    yield from npy_files()
    yield from tflite_files()
