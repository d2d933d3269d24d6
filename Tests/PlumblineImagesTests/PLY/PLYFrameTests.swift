import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

@Suite("PLY depth frames")
struct PLYFrameTests {
  @Test(
    "Reads the same frame in each encoding",
    arguments: ["ascii", "binary_little_endian", "binary_big_endian"])
  func encodings(encoding: String) throws {
    let capture = try CaptureReader().capture(from: RecordedFiles.plyFrame(encoding: encoding))
    let record = try #require(capture.depth)
    guard case .depth(let map) = record.values else {
      Issue.record("no depth")
      return
    }
    #expect(map.size == RecordedFiles.size)
    #expect(map.meters[0, 0].isNaN)
    #expect(map.meters[3, 2] == 0.323)
    #expect(capture.timestampSeconds == 12.5)
    #expect(capture.color?[5, 3] == RGB8(red: 5, green: 3, blue: 0))
    let calibration = try #require(record.calibration)
    #expect(calibration.intrinsics == RecordedFiles.intrinsics)
    #expect(calibration.distortion?.distorting == .table(RecordedFiles.tables.distorting))
    #expect(calibration.distortion?.undistorting == .table(RecordedFiles.tables.undistorting))
    #expect(calibration.extrinsics?.translationMillimeters == [5, 6, 7])
    #expect(calibration.pixelSizeMillimeters == 0.001)
    #expect(capture.findings.isEmpty)
  }

  @Test("Undoes the power of 2.2 that newer apps put on colors")
  func linearColor() throws {
    let bytes = RecordedFiles.plyFrame()
    let sound = try CaptureReader().capture(from: bytes)
    #expect(!sound.provenance.contains { $0.name == "decoded-color" })
    // 0.5 lies on no grid of codes: 255 · 0.5^(1/2.2) = 186.08.
    var powers = bytes
    let start = bytes.count - 4 * RecordedFiles.size.pixelCount * 4
    powers.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0x3F])
    let capture = try CaptureReader().capture(from: powers)
    #expect(capture.color?[0, 0].red == 186)
    #expect(capture.provenance.contains { $0.name == "decoded-color" })
  }

  @Test("Codes of powers are the nearest ones at all codes, between them and at the ends")
  func powerCodes() {
    let codes = PowerCodes()
    for step in 0...10200 {
      // Fortieths of a code, off the halves where both neighbors are as near.
      let code = min(Double(step) / 40 + 1e-6, 255)
      #expect(codes.code(ofShare: pow(code / 255, 2.2)) == UInt8(code.rounded()))
    }
    #expect(codes.code(ofShare: 0) == 0 && codes.code(ofShare: 1) == 255)
  }

  @Test("Says what a cloud or mesh lacks")
  func cloud() {
    let text = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n"
    let error = #expect(throws: CaptureReadingError.self) {
      try CaptureReader().capture(from: Array(text.utf8))
    }
    #expect(error?.reason == .unsupported)
    #expect(error?.found.contains("point cloud or mesh (1 vertex)") == true)
  }

  @Test("Passes over lists before the element that is asked for")
  func lists() throws {
    let header = """
      ply
      format binary_little_endian 1.0
      element face 2
      property list uchar int vertex_indices
      element depth 1
      property short d
      end_header

      """
    let body: [UInt8] = [1, 9, 9, 9, 9, 0, 0xFE, 0xFF]
    let file = try PLYFile((Array(header.utf8) + body)[...], limits: ReadingLimits())
    #expect(try file.rows(of: "depth", atMost: 10) == [-2])
    let text = header.replacing("binary_little_endian", with: "ascii") + "2 7 8\n0\n-2\n"
    let ascii = try PLYFile(Array(text.utf8)[...], limits: ReadingLimits())
    #expect(try ascii.rows(of: "depth", atMost: 10) == [-2])
    #expect(throws: CaptureReadingError.self) { try ascii.rows(of: "face", atMost: 10) }
    #expect(throws: CaptureReadingError.self) { try ascii.rows(of: "nothing", atMost: 10) }
  }

  @Test(
    "Refuses headers that promise what cannot be",
    arguments: [
      "ply\nformat binary_little_endian 1.0\nelement depth 9223372036854775807\nproperty double d\n"
        + "element metadata 1\nproperty uchar c\nend_header\n1",
      "ply\nformat ascii 1.0\nelement metadata 9223372036854775807\nproperty uchar c\n"
        + "element depth 1\nproperty float d\nend_header\n1 2 3",
      "ply\nformat binary_big_endian 1.0\nelement a 5\nproperty list int int b\nelement metadata 1\n"
        + "property uchar c\nelement depth 1\nproperty float d\nend_header\n\u{7F}abcdefghijkl",
      "ply\nelement depth 1\nend_header\n", "ply\nformat ascii 1.0\nformat ascii 1.0\nend_header\n",
      "ply\nformat ascii 1.0\nproperty float x\nend_header\n",
      "ply\nformat ascii 1.0\nelement a -1\n",
      "ply\nformat ascii 1.0\nelement a 1\nproperty list float int b\nend_header\n",
      "ply\nformat ascii 1.0\nwhatever\nend_header\n", "ply\nformat ascii 1.0\n",
      "ply\n\nformat ascii 1.0\nend_header\n", "ply\nformat ascii 1.0\nend_header\n",
    ])
  func hostileHeaders(text: String) throws {
    let error = try #require(throws: CaptureReadingError.self) {
      try CaptureReader().capture(from: Array(text.utf8))
    }
    #expect(!error.expected.isEmpty && !error.found.isEmpty)
  }

  @Test("Refuses every cut, survives every flip")
  func damage() {
    for encoding in ["ascii", "binary_big_endian"] {
      let bytes = RecordedFiles.plyFrame(encoding: encoding)
      for length in ByteDamage.truncations(of: bytes.count - 1) {
        #expect(throws: CaptureReadingError.self) {
          try CaptureReader().capture(from: Array(bytes[..<length]))
        }
      }
      for seed in 0..<400 {
        _ = try? CaptureReader().capture(
          from: ByteDamage.flipped(bytes, seed: UInt64(seed), within: 1200))
      }
    }
  }

  @Test(
    "Reads what can be used of damaged metadata, and says what cannot",
    arguments: [
      ("\"width\":8", "\"width\":7", "expected 42 depths"),
      ("\"width\":8", "\"width\":1e9", "width"),
      ("\"width\":8", "\"width\":\"8\"", ""), ("[70.0,", "[0.0,", "calibration.damaged"),
      ("[0.0, 0.01", "[\"a\", 0.01", ""), ("\"timestamp\":12.5", "\"timestamp\":{}", ""),
      ("\"camera_intrinsics\":{", "\"camera_intrinsics\":{{", "expected a key"),
    ])
  func damagedMetadata(old: String, new: String, message: String) throws {
    let json = RecordedFiles.frameMetadata(timestamp: 12.5).replacing(old, with: new)
    do {
      let capture = try CaptureReader().capture(from: RecordedFiles.plyFrame(json: json))
      let codes = capture.findings.map(\.code.rawValue)
      #expect(message.isEmpty || codes.contains(message), "\(codes)")
    } catch {
      #expect(!message.isEmpty && "\(error)".contains(message), "\(error)")
    }
  }
}
