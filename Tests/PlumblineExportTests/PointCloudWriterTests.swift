import Foundation
import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct PointCloudWriterTests {
  static let origin = ExportOrigin(producer: "plumbline 0.1.0", sourceSHA256: "abc")

  /// The bytes of a file.
  static func bytes(
    _ cloud: PointCloud, _ format: PointCloudFormat, statements: [String] = []
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let writer = PointCloudWriter(cloud, format: format, origin: origin, statements: statements)
    var output = OutputTransaction(existing: .keep, durability: .buffered)
    try output.stage(at: folder.file("c")) { file throws(OutputError) in
      try writer.write(to: file)
    }
    _ = try output.publish()
    return try #require(folder.bytes("c"))
  }

  @Test func theEndingNamesTheFormat() {
    #expect(PointCloudFormat(fileName: "a/b.c/scan.PLY") == .ply)
    #expect(PointCloudFormat(fileName: "scan.pcd") == .pcd)
    #expect(PointCloudFormat(fileName: "scan.tar.xyz") == .xyz)
    #expect(PointCloudFormat(fileName: "scan.glb") == .glb)
    #expect(PointCloudFormat(fileName: "scan.E57") == .e57)
    #expect(PointCloudFormat(fileName: "a.b/scan") == .ply)
    for other in ["scan.obj", "scan.", "scan.ply.gz", ".hidden", "scan.las", "scan.laz"] {
      #expect(PointCloudFormat(fileName: other) == nil, "\(other)")
    }
  }

  @Test(arguments: PointCloudFormat.allCases)
  func everyFileSaysWhatItsNumbersMean(format: PointCloudFormat) throws {
    var cloud = PLYWriterTests.cloud(count: 3, isColored: true, hasSigma: true)
    cloud.frame = .world(.yUp)
    let bytes = try Self.bytes(cloud, format, statements: ["voxels of\n0.02 m"])
    // What describes an E57 file is at its end, with checksums in it.
    let text =
      format == .e57
      ? try E57File(bytes).xml : String(decoding: bytes.prefix(1500), as: UTF8.self)
    #expect(text.contains("plumbline 0.1.0") && text.contains("abc"))
    #expect(text.contains("world: y up, right-handed"))
    #expect(text.contains("one standard deviation along the rays that saw the point"))
    #expect(text.contains(format == .glb ? #"voxels of\n0.02 m"# : "voxels of?0.02 m"))
    #expect(try Self.bytes(cloud, format, statements: ["voxels of\n0.02 m"]) == bytes)
  }

  @Test func plainPLYIsThatOfPLYWriter() throws {
    let cloud = PLYWriterTests.cloud(count: 50, isColored: true, hasSigma: true)
    #expect(try Self.bytes(cloud, .ply) == PLYWriter(cloud, origin: Self.origin).bytes)
  }

  @Test(
    .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"),
    arguments: [PointCloudFormat.ply, .pcd], [true, false])
  func open3dReadsEveryValue(format: PointCloudFormat, hasAll: Bool) throws {
    // More than a piece of 1 MiB.
    let cloud = PLYWriterTests.cloud(count: 70_000, isColored: hasAll, hasSigma: hasAll)
    let answer = try ExportOracle(
      "open3d", try Self.bytes(cloud, format), name: "c.\(format.rawValue)")
    #expect(answer.values == PLYWriterTests.values(cloud))
  }

  @Test(
    .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"),
    arguments: [true, false])
  func open3dReadsTheLinesOfXYZ(hasAll: Bool) throws {
    let cloud = PLYWriterTests.cloud(count: 20_000, isColored: hasAll, hasSigma: hasAll)
    let answer = try ExportOracle("xyz", try Self.bytes(cloud, .xyz), name: "c.xyz")
    // Positions by Open3D, the other columns by NumPy.
    #expect(answer.values == PLYWriterTests.values(cloud))
  }

  @Test(
    .enabled(if: PythonPeer.has("numpy"), "\(PythonPeer.absence("numpy"))"),
    arguments: [PointCloud.Frame.camera, .world(.yUp), .world(.zUp), .world(.unknown)])
  func aPlainReaderOfGLBFindsThePoints(frame: PointCloud.Frame) throws {
    var cloud = PLYWriterTests.cloud(count: 100_000, isColored: true, hasSigma: true)
    cloud.frame = frame
    let answer = try ExportOracle("glb_points", try Self.bytes(cloud, .glb), name: "c.glb")
    #expect(answer.about.contains(#""shape": [100000], "mode": 0, "bounds": true"#))
    let positions = cloud.positions.map { point in
      switch frame {
      case .camera: PackedPoint(x: point.x, y: 0 - point.y, z: 0 - point.z)
      case .world(.zUp): PackedPoint(x: point.x, y: point.z, z: 0 - point.y)
      case .world: point
      }
    }
    let count = 12 * cloud.count
    #expect(Array(answer.values.prefix(count)) == rawBytes(positions))
    // sRGB's own curve, which the reader computes, rounds to the same 16 bits or the next.
    #expect(answer.about.contains(#""colors": true"#))
    #expect(Array(answer.values.suffix(4 * cloud.count)) == rawBytes(cloud.sigmaMeters ?? []))
  }

  @Test(arguments: PointCloudFormat.allCases)
  func aCloudWithoutPointsIsAFile(format: PointCloudFormat) throws {
    let cloud = PLYWriterTests.cloud(count: 0, isColored: true, hasSigma: true)
    let bytes = try Self.bytes(cloud, format)
    #expect(bytes.count > 40)
    if format == .glb {
      // A header, and one chunk of JSON.
      let length = bytes[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(length == bytes.count && Array(bytes.prefix(4)) == Array("glTF".utf8))
    }
  }
}
