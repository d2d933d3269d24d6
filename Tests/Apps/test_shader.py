"""The shader of the app, compiled and run as C++ by stand-ins for what Metal adds to that language.

It shows that the source is complete, and that its structures and its arithmetic are those of the Swift code. Whether
Metal takes it, the app's own tests show on a Mac.
"""
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHADER = ROOT / "Apps/PlumblineCamera/Streamer/PointShader.swift"

# The few words of Metal that the shader uses. Vectors of Metal have the alignment of these; packed ones have that of
# their components.
METAL = r"""
namespace metal {}
typedef unsigned int uint;
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float3 __attribute__((ext_vector_type(3)));
struct packed_float3 { float x, y, z; operator float3() const { return float3{x, y, z}; } };
struct float4x4 { float4 columns[4]; };
inline float4 operator*(const float4x4 &m, float4 v) {
  return m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z + m.columns[3] * v.w;
}
inline float clamp(float v, float low, float high) { return v < low ? low : v > high ? high : v; }
inline float4 unpack_unorm4x8_to_float(uint v) {
  return float4{(v & 255) / 255.0f, (v >> 8 & 255) / 255.0f, (v >> 16 & 255) / 255.0f, (v >> 24) / 255.0f};
}
inline float4 joined(float3 v, float w) { return float4{v.x, v.y, v.z, w}; }
#define vertex
#define fragment
#define device
#define constant const
"""

DRIVER = r"""
#include <cstddef>
#include <cstdio>
static_assert(sizeof(Point) == 16 && offsetof(Point, color) == 12, "PointVertex");
static_assert(sizeof(Projection) == 80 && offsetof(Projection, pointScale) == 64, "PointProjection");
int main() {
  Projection projection;
  Point points[2];
  while (fread(&projection, 1, 80, stdin) == 80 && fread(points, 16, 2, stdin) == 2) {
    Drawn drawn = drawPoint(1, points, projection);
    float numbers[9] = {drawn.position.x, drawn.position.y, drawn.position.z, drawn.position.w, drawn.side,
      drawn.color.x, drawn.color.y, drawn.color.z, drawn.color.w};
    float4 seen = colorPoint(drawn);
    if (seen.x != drawn.color.x || seen.w != drawn.color.w) return 1;
    fwrite(numbers, 4, 9, stdout);
  }
}
"""


def source() -> str:
    """The shader as C++: constructors of vectors are written as functions."""
    text = re.search(r'static let source = """\n(.*?)\n +"""', SHADER.read_text(), re.S).group(1)
    if not text.lstrip().startswith("#include <metal_stdlib>"):
        raise ValueError("the shader does not include Metal's library")
    text = text.replace("#include <metal_stdlib>", METAL)
    return text.replace("float4(place, 1.0f)", "joined(place, 1.0f)")


class ShaderTests(unittest.TestCase):
    def test_it_computes_what_the_swift_code_does(self):
        compiler = shutil.which("clang++") or shutil.which("clang")
        self.assertIsNotNone(compiler, "clang is a part of Swift's toolchain")
        generator = random.Random(4)
        cases = []
        for _ in range(200):
            matrix = [generator.uniform(-2, 2) for _ in range(16)]
            scale = generator.uniform(0.1, 20)
            point = [generator.uniform(-1, 1), generator.uniform(-1, 1), generator.uniform(0.1, 3)]
            color = [generator.randrange(256) for _ in range(3)] + [255]
            cases.append((matrix, scale, point, color))
        data = b"".join(
            struct.pack("<16f f 12x", *matrix, scale) + bytes(16) + struct.pack("<3f 4B", *point, *color)
            for matrix, scale, point, color in cases)
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "shader"
            path = program.with_suffix(".cpp")
            path.write_text("#define _DEFAULT_SOURCE\n" + source() + DRIVER)
            subprocess.run(
                [compiler, "-x", "c++", "-std=c++17", "-Wno-unknown-attributes", "-Wno-ignored-attributes", path,
                 "-o", program], check=True)
            output = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(len(output), 36 * len(cases))
        for index, (matrix, scale, (x, y, z), color) in enumerate(cases):
            numbers = struct.unpack_from("<9f", output, 36 * index)
            clip = [matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row] for row in range(4)]
            for found, expected in zip(numbers[:4], clip):
                self.assertAlmostEqual(found, expected, places=4)
            if abs(clip[3]) > 0.01:
                side = min(max(scale * z / clip[3], 1), 64)
                self.assertAlmostEqual(numbers[4], side, delta=1e-3 * side)
            for found, code in zip(numbers[5:], color):
                self.assertAlmostEqual(found, code / 255, places=6)


if __name__ == "__main__":
    unittest.main()
