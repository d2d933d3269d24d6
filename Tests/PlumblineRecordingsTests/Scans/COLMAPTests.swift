import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("COLMAP")
struct COLMAPTests {
  let scene = PlaneScene(count: 11)

  @Test("Gives back what it writes", arguments: COLMAPRecordingWriter.Encoding.allCases)
  func roundTrip(encoding: COLMAPRecordingWriter.Encoding) throws {
    let folder = try ScanFolders.colmap(scene, encoding)
    let recording = try Recording(folder: folder)
    #expect(recording.layout == "COLMAP")
    #expect(recording.findings.isEmpty)
    #expect(recording.frameNames[9...] == ["frame_00010", "frame_00011"])
    // A quaternion, an inverse and its inverse: positions reach 2 m, some dozen roundings each.
    try scene.expect(recording, tolerance: 1e-14, hasTimes: false)
    #expect(try recording.capture(at: 3).color == PlaneScene.color)
    let loose = folder.renamed { $0.replacing("sparse/0/", with: "sparse/") }
    try scene.expect(try Recording(folder: loose), tolerance: 1e-14, hasTimes: false)
    let flat = folder.renamed { $0.replacing("sparse/0/", with: "") }
    try scene.expect(try Recording(folder: flat), tolerance: 1e-14, hasTimes: false)
  }

  @Test("Shares cameras of equal numbers, and takes the simplest model that holds the lens")
  func cameras() throws {
    let output = MemoryOutput()
    var writer = COLMAPRecordingWriter(output: output, header: RecordingHeader(origin: "a\ntest"))
    var capture = scene.captures[0]
    try writer.append(capture, name: "0")
    try writer.append(capture, name: "1")
    let camera = scene.views[0].intrinsics
    for terms in [SIMD3(0.1, -0.02, 0), [0.1, -0.02, 0.003]] {
      capture.depth?.calibration?.distortion = LensDistortion(radialPolynomial: terms, of: camera)
      try writer.append(capture, name: "2")
    }
    try writer.finish()
    let text = String(decoding: try output.folder.bytes(of: "sparse/0/cameras.txt"), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      lines.map { $0.split(separator: " ")[1] } == ["PINHOLE", "OPENCV", "FULL_OPENCV"])
    let recording = try Recording(folder: output.folder)
    let read = try #require(recording.capture(at: 3).depth?.calibration)
    let terms = try #require(read.distortion?.radialPolynomial(of: read.intrinsics))
    #expect(abs(terms.z - 0.003) < 1e-15)
  }

  @Test("Reads the models that share a focal length, and says what it does not model")
  func models() throws {
    let rows: [(String, FindingCode?, SIMD2<Double>?)] = [
      ("SIMPLE_PINHOLE 64 48 55 30 25", nil, [55, 55]),
      ("SIMPLE_RADIAL 64 48 55 30 25 0.1", nil, [55, 55]),
      ("RADIAL 64 48 55 30 25 0.1 0.01", nil, [55, 55]),
      ("OPENCV 64 48 55 54 30 25 0.1 0.01 0 0", nil, [55, 54]),
      ("OPENCV 64 48 55 54 30 25 0 0 0.01 0", .calibrationUnmodeledLens, [55, 54]),
      ("FULL_OPENCV 64 48 55 54 30 25 0 0 0 0 0 0.1 0 0", .calibrationUnmodeledLens, [55, 54]),
      ("OPENCV_FISHEYE 64 48 55 54 30 25 0 0 0 0", .calibrationUnmodeledLens, nil),
      ("PINHOLE 64 48 0 54 30 25", .calibrationDamaged, nil),
      ("PINHOLE 64 48 55 54 30", .calibrationMissing, nil),
      ("NEW_MODEL 64 48 1", .calibrationMissing, nil),
    ]
    var folder = try ScanFolders.colmap(PlaneScene(count: 1), .text)
    for (row, code, focalLength) in rows {
      folder.files["sparse/0/cameras.txt"] = Array("1 \(row)\n".utf8)
      let capture = try Recording(folder: folder).capture(at: 0)
      #expect(capture.findings.map(\.code) == [code].compactMap(\.self), "\(row)")
      #expect(capture.depth?.calibration?.intrinsics.focalLength == focalLength, "\(row)")
    }
  }

  @Test("Dense maps have the unit of the model, which is no meter")
  func denseMaps() throws {
    var folder = try ScanFolders.colmap(PlaneScene(count: 2), .binary)
      .renamed { $0.hasPrefix("depth/") ? nil : $0 }
    var map = Array("3&2&1&".utf8)
    for value in [1.5, 2, 0, -1, 3, 4.25] as [Float] {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { map += $0 }
    }
    folder.files["stereo/depth_maps/frame_00001.png.geometric.bin"] = map
    let recording = try Recording(folder: folder)
    let record = try #require(recording.capture(at: 0).depth)
    guard case .depth(let depth) = record.values else { throw CocoaError(.fileReadUnknown) }
    #expect(depth.size == RasterSize(width: 3, height: 2))
    #expect(depth.meters[2, 1] == 4.25 && depth.meters[0, 1].isNaN && depth.meters[2, 0].isNaN)
    #expect(!record.hasUnit)
    #expect(try recording.capture(at: 1).depth == nil)
    for damaged in [Array(map.dropLast()), Array("3&2&".utf8), Array("99999999999&1&1&".utf8), []] {
      folder.files["stereo/depth_maps/frame_00001.png.geometric.bin"] = damaged
      #expect(throws: CaptureReadingError.self) { try Recording(folder: folder).capture(at: 0) }
    }
  }

  @Test("Names may hold blanks and folders; those that leave the folder are refused")
  func names() throws {
    let folder = try ScanFolders.colmap(PlaneScene(count: 2), .text)
      .replacing("frame_00001.png", with: "cam 1/a.png", in: "sparse/0/images.txt")
      .replacing("frame_00002.png", with: "../a.png", in: "sparse/0/images.txt")
      .renamed { $0.replacing("frame_00001.png", with: "cam 1/a.png") }
    let recording = try Recording(folder: folder)
    #expect(recording.findings.map(\.code) == [.sequenceRefusedPaths])
    #expect(recording.frameNames == [".._a", "cam 1_a"])
    #expect(try recording.capture(at: 1).depth != nil)
    #expect(throws: CaptureReadingError.self) { try recording.capture(at: 0) }
  }

  @Test("Points of images are passed over in both forms")
  func points() throws {
    let scene = PlaneScene(count: 2)
    let text = try ScanFolders.colmap(scene, .text)
      .replacing("png\n\n", with: "png\n1.5 2.5 -1 3 4 7\n", in: "sparse/0/images.txt")
    try scene.expect(try Recording(folder: text), tolerance: 1e-14, hasTimes: false)
    var binary = try ScanFolders.colmap(scene, .binary)
    var bytes = try binary.bytes(of: "sparse/0/images.bin")
    // 8 bytes of count, and 64 + 16 + 8 of the first image, the last of which count its points.
    let end = 8 + 64 + "frame_00001.png".utf8.count + 1 + 8
    bytes[end - 8] = 1
    bytes.insert(contentsOf: [UInt8](repeating: 9, count: 24), at: end)
    binary.files["sparse/0/images.bin"] = bytes
    try scene.expect(try Recording(folder: binary), tolerance: 1e-14, hasTimes: false)
    bytes.replaceSubrange(end - 8..<end, with: [UInt8](repeating: 0xFF, count: 8))
    binary.files["sparse/0/images.bin"] = bytes
    #expect(throws: CaptureReadingError.self) { try Recording(folder: binary) }
  }

  struct PeerImage: Decodable {
    var name, model: String
    var matrix, cameraFromWorld: [Double]
    var pixels: [[Double]]
  }

  @Test(
    "pycolmap reads the same cameras, poses and projections",
    .enabled(if: PythonPeer.has("pycolmap"), Comment(rawValue: PythonPeer.absence("pycolmap"))),
    arguments: COLMAPRecordingWriter.Encoding.allCases)
  func peer(encoding: COLMAPRecordingWriter.Encoding) throws {
    let scene = PlaneScene(count: 3)
    let output = MemoryOutput()
    var writer = COLMAPRecordingWriter(
      output: output, header: RecordingHeader(origin: "a test"), encoding: encoding)
    var captures = scene.captures
    let lenses: [SIMD3<Double>?] = [nil, [0.05, -0.01, 0], [0.05, -0.01, 0.002]]
    for (index, terms) in lenses.enumerated() {
      captures[index].depth?.calibration?.distortion = terms.map {
        LensDistortion(radialPolynomial: $0, of: scene.views[index].intrinsics)
      }
      try writer.append(captures[index], name: "\(index)")
    }
    try writer.finish()
    let disk = try TemporaryFolder()
    try output.folder.write(to: disk.path)
    let points = try captures[0].worldPoints().enumerated().filter { $0.offset % 30 == 0 }.map(
      \.element)
    let list = points.map { "\($0.x),\($0.y),\($0.z)" }.joined(separator: ";")
    let images = try JSONDecoder().decode(
      [PeerImage].self,
      from: Data(try PythonPeer.run("colmap_model.py", disk.file("sparse/0"), list)))
    #expect(images.map(\.model) == ["PINHOLE", "OPENCV", "FULL_OPENCV"])
    for (index, image) in images.enumerated() {
      let view = scene.views[index]
      #expect(image.name == "frame_0000\(index + 1).png")
      let point = view.intrinsics.principalPoint + 0.5
      let k = view.intrinsics.focalLength
      let matrix: [Double] = [k.x, 0, point.x, 0, k.y, point.y, 0, 0, 1]
      #expect(zip(image.matrix, matrix).allSatisfy { abs($0 - $1) < 1e-12 })
      let cameraFromWorld = view.worldFromCamera.inverse
      #expect(
        zip(image.cameraFromWorld, cameraFromWorld.rowMajor).allSatisfy { abs($0 - $1) < 1e-14 })
      let terms = lenses[index] ?? .zero
      for (point, pixel) in zip(points, image.pixels) {
        // OpenCV's polynomial in normalized coordinates, written out.
        let local = cameraFromWorld * point
        let ideal = SIMD2(local.x, local.y) / local.z
        let r2 = (ideal * ideal).sum()
        let factor = 1 + r2 * (terms.x + r2 * (terms.y + r2 * terms.z))
        let seen = ideal * factor * k + view.intrinsics.principalPoint + 0.5
        // Pixels reach some hundreds, and terms went through percent and millimeters.
        #expect(abs(seen.x - pixel[0]) < 1e-9 && abs(seen.y - pixel[1]) < 1e-9)
      }
    }
  }
}
