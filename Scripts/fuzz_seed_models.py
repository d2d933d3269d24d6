"""Seeds of the fuzz targets of model files: small models by hand, as protobuf and FlatBuffers have them."""
import json
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


def foreign_files():
    """Files that are known by their content and refused: a Core ML network, an array of NumPy."""
    yield field(1, 1) + field(2, field(1, field(1, "image"))) + field(500, field(1, field(1, "layer")))
    yield b"\x93NUMPY\x01\x00" + bytes(2)


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


def mesh_files():
    """One triangle as binary and text STL, PLY in each encoding, and GLB with indices of each width."""
    points = (0, 0, 0, 1, 0, 0, 0, 1, 0)
    yield b" " * 80 + struct.pack("<I12fH", 1, 0, 0, 1, *points, 0)
    yield b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
    for encoding, order in (("binary_little_endian", "<"), ("binary_big_endian", ">"), ("ascii", "")):
        properties = "".join(f"property float {axis}\n" for axis in "xyz")
        head = (f"ply\nformat {encoding} 1.0\nelement vertex 3\n{properties}element face 1\n"
                "property list uchar int vertex_indices\nend_header\n").encode()
        body = struct.pack(order + "9fB3i", *points, 3, 0, 1, 2) if order else b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
        yield head + body
    for component, form in ((5121, "<3B1x"), (5123, "<3H2x"), (5125, "<3I")):
        body = struct.pack("<9f", *points) + struct.pack(form, 0, 1, 2)
        document = json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "translation": [1, 0, 0], "scale": [1, 2, -1]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                          {"bufferView": 1, "componentType": component, "count": 3, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36},
                            {"buffer": 0, "byteOffset": 36, "byteLength": len(body) - 36}],
            "buffers": [{"byteLength": len(body)}]}).encode()
        document += b" " * (-len(document) % 4)
        chunks = struct.pack("<I4s", len(document), b"JSON") + document
        chunks += struct.pack("<I4s", len(body), b"BIN\0") + body
        yield struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


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
    yield from foreign_files()
    yield from tflite_files()
