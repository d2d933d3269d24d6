import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// The vertices and polygons of a Wavefront OBJ file; polygons become fans of triangles.
///
/// Colors behind positions are read if every vertex has one. Texture coordinates, normals, groups and
/// materials are passed over.
///
/// - Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, *Object Files*.
struct OBJPolygons {
  private(set) var parts = MeshParts()
  private var colors: [RGB8] = []

  /// The most corners of one polygon.
  private static let maximumCornerCount = 1024

  init(_ bytes: [UInt8], maximumCount: Int) throws(CaptureReadingError) {
    var lines = TextLines(bytes[...])
    while let line = lines.next() {
      let fields = TextLines.fields(line, atMost: Self.maximumCornerCount + 2)
      guard let keyword = fields.first else { continue }
      let path = ["OBJ", "line \(lines.number)"]
      if keyword.first == UInt8(ascii: "#") {
        parts.addStatement(printable(line.drop { $0 == 0x23 || $0 == 0x20 }.prefix(200)))
      } else if keyword.elementsEqual("v".utf8) {
        try addVertex(fields.dropFirst(), path: path)
      } else if keyword.elementsEqual("f".utf8) {
        try addPolygon(fields.dropFirst(), path: path)
      }
      guard max(parts.positions.count, parts.triangles.count) <= maximumCount else {
        throw CaptureReadingError(
          .limitExceeded, path: path, expected: "at most \(maximumCount) vertices and triangles",
          found: "more")
      }
    }
    if colors.count == parts.positions.count, !colors.isEmpty { parts.colors = colors }
  }

  private mutating func addVertex(
    _ fields: ArraySlice<ArraySlice<UInt8>>, path: [String]
  ) throws(CaptureReadingError) {
    guard (3...7).contains(fields.count), let numbers = TextLines.numbers(fields) else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "three numbers, with a color six",
        found: printable(fields.joined(separator: [0x20]).prefix(60)))
    }
    parts.positions.append(
      PackedPoint(x: Float(numbers[0]), y: Float(numbers[1]), z: Float(numbers[2])))
    let shares = numbers.suffix(3)
    guard numbers.count >= 6, shares.allSatisfy({ (0...1).contains($0) }) else { return }
    let codes = shares.map { UInt8(($0 * 255).rounded()) }
    colors.append(RGB8(red: codes[0], green: codes[1], blue: codes[2]))
  }

  private mutating func addPolygon(
    _ fields: ArraySlice<ArraySlice<UInt8>>, path: [String]
  ) throws(CaptureReadingError) {
    guard (3...Self.maximumCornerCount).contains(fields.count) else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "3 to \(Self.maximumCornerCount) corners",
        found: "\(fields.count)")
    }
    let count = parts.positions.count
    var corners: [UInt32] = []
    for field in fields {
      let text = field.prefix { $0 != UInt8(ascii: "/") }
      // Positive from 1, negative backward from the last vertex so far.
      let number = text.count <= 12 ? Int(String(decoding: text, as: UTF8.self)) : nil
      let index = number.map { $0 < 0 ? count + $0 : $0 - 1 }
      guard let index, (0..<count).contains(index) else {
        throw CaptureReadingError(
          .malformed, path: path, expected: "an index of \(count) vertices",
          found: printable(field.prefix(40)))
      }
      corners.append(UInt32(index))
    }
    for last in 2..<corners.count {
      parts.triangles.append(TriangleIndices(corners[0], corners[last - 1], corners[last]))
    }
  }
}
