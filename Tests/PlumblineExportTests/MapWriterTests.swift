import PlumblineExport
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct MapWriterTests {
  /// Edge values in padded rows: holes, the smallest and the largest number, negative zero.
  static let map = Raster<Float>(
    size: RasterSize(width: 5, height: 3), rowStride: 7,
    samples: [
      0.228164, .nan, 1, 2, 3, 77, 77, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan,
      5, 77, 77, 6, 7, 8, 9, .pi, 77, 77,
    ])

  let origin = ExportOrigin(producer: "plumbline 0.1.0", sourceSHA256: "ab\ncd")

  @Test func arrayHeaderIsAlignedAndTiny() {
    let bytes = NPYWriter().bytes(Self.map)
    #expect(bytes.count == 128 + 4 * 15)
    #expect(bytes[127] == UInt8(ascii: "\n"))
    #expect(Array(bytes[128...]) == rawBytes(Self.map.packed.samples))
  }

  @Test func headerStaysAlignedForEverySize() {
    for width in [1, 9, 10, 99, 100, 9_999_999] {
      let raster = Raster<Float>(size: RasterSize(width: width, height: 1), repeating: 1)
      let bytes = NPYWriter().bytes(raster)
      let header = bytes.count - 4 * width
      #expect(header % 64 == 0 && bytes[header - 1] == UInt8(ascii: "\n"))
    }
  }

  @Test(.enabled(if: PythonPeer.has("numpy"), "\(PythonPeer.absence("numpy"))"))
  func numpyReadsTheArray() throws {
    let answer = try ExportOracle("npy", NPYWriter().bytes(Self.map), name: "depth.npy")
    #expect(answer.about == #"{"shape": [3, 5], "type": "<f4"}"#)
    #expect(answer.values == rawBytes(Self.map.packed.samples))
  }

  @Test(.enabled(if: PythonPeer.has("tifffile"), "\(PythonPeer.absence("tifffile"))"))
  func tifffileReadsTheImage() throws {
    let writer = TIFFWriter(description: "depth in meters é", origin: origin)
    let answer = try ExportOracle("tiff", writer.bytes(Self.map), name: "depth.tiff")
    #expect(
      answer.about
        == #"{"description": "depth in meters ?; made by plumbline 0.1.0; source sha256 ab?cd", "#
        + #""software": "plumbline 0.1.0", "pages": 1, "shape": [3, 5], "type": "<f4"}"#)
    #expect(answer.values == rawBytes(Self.map.packed.samples))
  }

  @Test(
    .enabled(if: PythonPeer.has("cv2", "PIL", "numpy"), "\(PythonPeer.absence("cv2 and pillow"))"),
    arguments: ["pillow", "opencv"])
  func othersReadTheImage(reader: String) throws {
    let bytes = TIFFWriter(description: "meters", origin: origin).bytes(Self.map)
    let answer = try ExportOracle(reader, bytes, name: "depth.tiff")
    #expect(answer.values == rawBytes(Self.map.packed.samples))
  }

  @Test func millimetersAreRoundedHalfToEvenAndCounted() {
    let meters: [Float] = [
      .nan, 0.0004, 0.0006, 0.5, 0.0625 + 1, 0.1875 + 1, 1.0004, 65.535, 65.53549, 65.5356, 1e9,
    ]
    let size = RasterSize(width: 11, height: 1)
    let map = MillimeterMap(DepthMap(meters: Raster(size: size, samples: meters)))
    // 1.0625 m and 1.1875 m are exact in binary: 1062.5 mm and 1187.5 mm, the only real halves.
    #expect(
      map.millimeters.samples == [0, 0, 1, 500, 1062, 1188, 1000, 65_535, 65_535, 0, 0])
    #expect(map.tooFarCount == 2)
    #expect(map.tooNearCount == 1)
  }

  @Test func millimetersReadBackAsTheSameDepth() {
    let stored = Raster<UInt16>(size: RasterSize(width: 256, height: 256)) { x, y in
      UInt16(256 * y + x)
    }
    let map = MillimeterMap(DepthMap(millimeters: stored))
    #expect(map.millimeters == stored)
    #expect(map.tooFarCount == 0 && map.tooNearCount == 0)
  }

  @Test(
    .enabled(if: PythonPeer.has("cv2", "PIL", "numpy"), "\(PythonPeer.absence("cv2 and pillow"))"),
    arguments: ["opencv", "pillow"])
  func everyMillimeterIsRead(reader: String) throws {
    let stored = Raster<UInt16>(size: RasterSize(width: 256, height: 256)) { x, y in
      UInt16(256 * y + x)
    }
    let bytes = PNGEncoder().encoded(stored)
    let answer = try ExportOracle(reader, bytes, name: "depth.png")
    #expect(answer.values == rawBytes(stored.samples))
  }
}
