import Foundation
import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct PLYWriterTests {
  let origin = ExportOrigin(producer: "plumbline 0.1.0", sourceSHA256: "abc")

  /// Random points; every combination of attributes.
  static func cloud(count: Int, isColored: Bool, hasSigma: Bool) -> PointCloud {
    var random = SeededGenerator(seed: 11)
    let positions = (0..<count).map { _ in
      PackedPoint(
        x: Float(random.gaussian()), y: Float(random.gaussian()),
        z: Float(random.uniform(in: 0.2..<5)))
    }
    let colors = (0..<count).map { _ in
      RGB8(
        red: UInt8(random.integer(below: 256)), green: UInt8(random.integer(below: 256)),
        blue: UInt8(random.integer(below: 256)))
    }
    let sigmas = (0..<count).map { _ in Float(random.uniform(in: 0..<0.1)) }
    return PointCloud(
      positions: positions, colors: isColored ? colors : nil, sigmaMeters: hasSigma ? sigmas : nil,
      isMetric: true)
  }

  /// Positions, colors and sigmas one behind the other.
  static func values(_ cloud: PointCloud) -> [UInt8] {
    rawBytes(cloud.positions) + rawBytes(cloud.colors ?? []) + rawBytes(cloud.sigmaMeters ?? [])
  }

  @Test func headerSaysWhatTheNumbersMean() throws {
    var cloud = Self.cloud(count: 2, isColored: true, hasSigma: true)
    let bytes = PLYWriter(cloud, origin: origin).bytes
    let expected = """
      ply
      format binary_little_endian 1.0
      comment made by plumbline 0.1.0
      comment source sha256 abc
      comment unit meter
      comment frame camera: x right, y down, z forward
      comment sigma is one standard deviation of z, same unit as z
      element vertex 2
      property float x
      property float y
      property float z
      property uchar red
      property uchar green
      property uchar blue
      property float sigma
      end_header

      """
    #expect(String(decoding: bytes.dropLast(2 * 19), as: UTF8.self) == expected)
    let sigma = try #require(cloud.sigmaMeters)
    #expect(Array(bytes.suffix(4)) == rawBytes([sigma[1]]))
    cloud.isMetric = false
    let relative = PLYWriter(cloud, origin: origin).bytes
    #expect(String(decoding: relative.prefix(400), as: UTF8.self).contains("comment unit relative"))
  }

  @Test func textCannotEndTheHeader() {
    let cloud = Self.cloud(count: 0, isColored: false, hasSigma: false)
    let origin = ExportOrigin(producer: "a\nend_header\r\u{2028}é", sourceSHA256: "b\nc")
    let text = String(decoding: PLYWriter(cloud, origin: origin).bytes, as: UTF8.self)
    #expect(text.contains("comment made by a?end_header???\ncomment source sha256 b?c\n"))
    #expect(
      text.hasSuffix(
        "\nelement vertex 0\nproperty float x\nproperty float y\n"
          + "property float z\nend_header\n"))
  }

  @Test func piecesAreTheWhole() throws {
    // More than one piece of 1 MiB.
    let cloud = Self.cloud(count: 120_000, isColored: true, hasSigma: true)
    let writer = PLYWriter(cloud, origin: origin)
    let folder = try TemporaryFolder()
    var output = OutputTransaction(existing: .keep, durability: .buffered)
    try output.stage(at: folder.file("c.ply")) { file throws(OutputError) in
      try writer.write(to: file)
    }
    _ = try output.publish()
    #expect(folder.bytes("c.ply") == writer.bytes)
  }

  @Test(
    .enabled(if: PythonPeer.has("plyfile"), "\(PythonPeer.absence("plyfile"))"),
    arguments: [true, false], [true, false])
  func plyfileReadsEveryValue(isColored: Bool, hasSigma: Bool) throws {
    let cloud = Self.cloud(count: 1000, isColored: isColored, hasSigma: hasSigma)
    let answer = try ExportOracle("plyfile", PLYWriter(cloud, origin: origin).bytes, name: "c.ply")
    #expect(answer.about.contains(#""shape": [1000]"#))
    #expect(answer.about.contains("comments\": [\"made by plumbline 0.1.0\""))
    #expect(answer.values == Self.values(cloud))
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dReadsEveryValue() throws {
    let cloud = Self.cloud(count: 1000, isColored: true, hasSigma: true)
    let answer = try ExportOracle("open3d", PLYWriter(cloud, origin: origin).bytes, name: "c.ply")
    #expect(answer.about == #"{"shape": [1000], "names": ["colors", "positions", "sigma"]}"#)
    #expect(answer.values == Self.values(cloud))
  }
}
