import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO

/// The points of PLY clouds of any program.
@Suite("PLY points")
struct PLYPointsTests {
  /// Numbers that every type of coordinate holds exactly.
  static let rows: [[Double]] = [[1, -2, 3, 0.5], [4, 5, -6, 0.25], [7, 8, 9, 2]]

  /// The types of the columns, and how a number of each is written.
  static func file(
    _ encoding: String, _ columns: [(type: String, name: String, place: Int?)],
    comments: [String] = [], before: (header: String, body: [UInt8]) = ("", [])
  ) -> [UInt8] {
    let properties = columns.map { "property \($0.type) \($0.name)\n" }.joined()
    let header =
      "ply\nformat \(encoding) 1.0\n" + comments.map { "comment \($0)\n" }.joined()
      + before.header + "element vertex \(rows.count)\n" + properties + "end_header\n"
    var body = before.body
    for row in rows {
      for (index, column) in columns.enumerated() {
        let value = column.place.map { row[$0] } ?? 77
        if encoding == "ascii" {
          body += Array((index == 0 ? "" : " ").utf8)
          let isWhole = column.type != "float" && column.type != "double"
          body += Array((isWhole ? "\(Int(value))" : "\(value)").utf8)
        } else {
          body += Self.bytes(value, column.type, isBig: encoding == "binary_big_endian")
        }
      }
      if encoding == "ascii" { body += Array("\n".utf8) }
    }
    return Array(header.utf8) + body
  }

  private static func bytes(_ value: Double, _ type: String, isBig: Bool) -> [UInt8] {
    func ordered<Bits: FixedWidthInteger>(_ bits: Bits) -> [UInt8] {
      withUnsafeBytes(of: isBig ? bits.bigEndian : bits.littleEndian) { Array($0) }
    }
    return switch type {
    case "float": ordered(Float(value).bitPattern)
    case "double": ordered(value.bitPattern)
    case "short": ordered(Int16(value))
    case "int": ordered(Int32(value))
    default: ordered(UInt8(value))
    }
  }

  static let encodings = ["ascii", "binary_little_endian", "binary_big_endian"]

  @Test("Reads coordinates of any type, order and byte order", arguments: encodings)
  func orders(encoding: String) throws {
    let orders: [[(type: String, name: String, place: Int?)]] = [
      [("float", "x", 0), ("float", "y", 1), ("float", "z", 2), ("float", "sigma", 3)],
      [
        ("uchar", "red", nil), ("double", "z", 2), ("float", "sigma", 3), ("double", "x", 0),
        ("int", "label", nil), ("short", "y", 1), ("uchar", "alpha", nil),
      ],
      [
        ("double", "nx", nil), ("int", "y", 1), ("float", "scalar_sigma", 3), ("double", "x", 0),
        ("float", "z", 2),
      ],
    ]
    for columns in orders {
      let points = try PLYPoints(Self.file(encoding, columns)[...], limits: ReadingLimits())
      #expect(points.x == Self.rows.map { $0[0] })
      #expect(points.y == Self.rows.map { $0[1] })
      #expect(points.z == Self.rows.map { $0[2] })
      #expect(points.sigmas == Self.rows.map { $0[3] })
    }
  }

  @Test("Passes over other elements, and keeps the comments", arguments: encodings)
  func others(encoding: String) throws {
    let body: [UInt8] = encoding == "ascii" ? Array("2 5 6\n".utf8) : [2, 5, 6]
    let bytes = Self.file(
      encoding, [("float", "x", 0), ("float", "y", 1), ("float", "z", 2)],
      comments: ["unit meter", "made by hand"],
      before: ("element camera 1\nproperty list uchar uchar c\n", body))
    let points = try PLYPoints(bytes[...], limits: ReadingLimits())
    #expect(points.z == [3, -6, 9] && points.sigmas == nil)
    #expect(points.comments == ["unit meter", "made by hand"])
    #expect(try PLYPoints.recognizes(bytes[...]))
    #expect(try !PLYPoints.recognizes(RecordedFiles.plyFrame()[...]))
  }

  @Test("Numbers that are none are read as such")
  func notANumber() throws {
    let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
    let bytes = Array((text + "property float z\nend_header\nnan 1 2\n-nan inf 3\n").utf8)
    let points = try PLYPoints(bytes[...], limits: ReadingLimits())
    #expect(points.x.allSatisfy(\.isNaN) && points.y[1] == .infinity && points.z == [2, 3])
  }

  @Test("Refuses every cut, survives every flip", arguments: encodings)
  func damage(encoding: String) throws {
    let bytes = Self.file(
      encoding,
      [("uchar", "red", nil), ("float", "x", 0), ("double", "y", 1), ("float", "z", 2)])
    // In text, the last digit and the line's end can be missing unnoticed.
    let least = encoding == "ascii" ? bytes.count - 4 : bytes.count - 1
    for length in 0...least {
      #expect(throws: CaptureReadingError.self, "\(length)") {
        try PLYPoints(bytes[..<length], limits: ReadingLimits())
      }
    }
    for seed in 0..<2000 {
      _ = try? PLYPoints(
        ByteDamage.flipped(bytes, seed: UInt64(seed))[...], limits: ReadingLimits())
    }
  }

  @Test(
    "Refuses headers that promise what cannot be, before memory is taken",
    arguments: [
      "element vertex 9223372036854775807\nproperty float x\nproperty float y\nproperty float z\n",
      "element vertex 16000000\nproperty float x\nproperty float y\nproperty float z\n",
      "element vertex 1\nproperty float x\nproperty float y\n", "element vertex 0\n",
      "element vertex 1\nproperty list uchar int a\nproperty float x\nproperty float y\n"
        + "property float z\n",
      "element face 9223372036854775807\nproperty uchar c\nelement vertex 1\nproperty float x\n"
        + "property float y\nproperty float z\n", "element points 1\nproperty float x\n",
    ])
  func hostile(elements: String) throws {
    for encoding in Self.encodings {
      let bytes = Array("ply\nformat \(encoding) 1.0\n\(elements)end_header\n12345678".utf8)
      let error = try #require(throws: CaptureReadingError.self) {
        try PLYPoints(bytes[...], limits: ReadingLimits())
      }
      #expect(!error.expected.isEmpty && !error.found.isEmpty)
    }
  }
}
