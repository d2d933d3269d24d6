/// The statements of a Wavefront OBJ file that say where a surface is, line by line.
///
/// Normals, groups, materials and smoothing are passed over.
///
/// - Source: Wavefront Technologies, *Advanced Visualizer Manual*, appendix B1, *Object Files*.
package struct OBJStatements {
  /// One statement.
  package enum Statement {
    /// A vertex in the file's own unit and frame; with a color from 0 to 1 where six numbers or more give one.
    case vertex(SIMD3<Float>, color: SIMD3<Double>?)
    /// A texture coordinate, its second number counted upward from the image's lower edge.
    case textureCoordinate(SIMD2<Float>)
    /// A polygon of 3 to 1,024 corners.
    case polygon([Corner])
    /// A comment without its mark.
    case comment(String)
  }

  /// One corner of a polygon, counted from 0; both name what the file has by then.
  package struct Corner {
    /// The vertex.
    package var vertex: UInt32
    /// The texture coordinate; `nil` where the corner has none.
    package var coordinate: UInt32?
  }

  /// The most corners of one polygon.
  package static let maximumCornerCount = 1024

  private var lines: TextLines
  private let readsCoordinates: Bool
  private var (vertexCount, coordinateCount) = (0, 0)

  /// Starts before the first line.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - readsCoordinates: Whether texture coordinates count; else they, and what corners name of them, are
  ///     passed over unread.
  package init(_ bytes: [UInt8], readsCoordinates: Bool) {
    lines = TextLines(bytes[...])
    self.readsCoordinates = readsCoordinates
  }

  /// The number of the line that was read last, from 1.
  package var line: Int { lines.number }

  /// The next statement; `nil` at the end.
  ///
  /// - Throws: `.malformed` with the line. Cost: O(line).
  package mutating func next() throws(CaptureReadingError) -> Statement? {
    while let line = lines.next() {
      let fields = TextLines.fields(line, atMost: Self.maximumCornerCount + 2)
      guard let keyword = fields.first else { continue }
      if keyword.first == UInt8(ascii: "#") {
        return .comment(printable(line.drop { $0 == 0x23 || $0 == 0x20 }.prefix(200)))
      }
      if keyword.elementsEqual("v".utf8) { return try vertex(fields.dropFirst()) }
      if readsCoordinates, keyword.elementsEqual("vt".utf8) {
        return try coordinate(fields.dropFirst())
      }
      if keyword.elementsEqual("f".utf8) { return try polygon(fields.dropFirst()) }
    }
    return nil
  }

  private mutating func vertex(
    _ fields: ArraySlice<ArraySlice<UInt8>>
  ) throws(CaptureReadingError) -> Statement {
    guard (3...7).contains(fields.count), let numbers = TextLines.numbers(fields) else {
      throw malformed("three numbers, with a color six", fields.joined(separator: [0x20]))
    }
    let position = SIMD3(Float(numbers[0]), Float(numbers[1]), Float(numbers[2]))
    guard position.x.isFinite, position.y.isFinite, position.z.isFinite else {
      throw malformed("numbers that single precision holds", fields.joined(separator: [0x20]))
    }
    vertexCount += 1
    let color = numbers.suffix(3)
    guard numbers.count >= 6, color.allSatisfy({ (0...1).contains($0) }) else {
      return .vertex(position, color: nil)
    }
    return .vertex(
      position, color: SIMD3(color[color.startIndex], color[color.startIndex + 1], color.last ?? 0))
  }

  private mutating func coordinate(
    _ fields: ArraySlice<ArraySlice<UInt8>>
  ) throws(CaptureReadingError) -> Statement {
    guard (2...3).contains(fields.count), let numbers = TextLines.numbers(fields) else {
      throw malformed("two numbers", fields.joined(separator: [0x20]))
    }
    let pair = SIMD2(Float(numbers[0]), Float(numbers[1]))
    guard pair.x.isFinite, pair.y.isFinite else {
      throw malformed("numbers that single precision holds", fields.joined(separator: [0x20]))
    }
    coordinateCount += 1
    return .textureCoordinate(pair)
  }

  private func polygon(
    _ fields: ArraySlice<ArraySlice<UInt8>>
  ) throws(CaptureReadingError) -> Statement {
    guard (3...Self.maximumCornerCount).contains(fields.count) else {
      throw malformed("3 to \(Self.maximumCornerCount) corners", "\(fields.count)".utf8)
    }
    var corners: [Corner] = []
    corners.reserveCapacity(fields.count)
    for field in fields {
      let parts = field.split(
        separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
      var corner = Corner(vertex: try index(parts[0], below: vertexCount))
      if readsCoordinates, parts.count > 1, !parts[1].isEmpty {
        corner.coordinate = try index(parts[1], below: coordinateCount)
      }
      corners.append(corner)
    }
    return .polygon(corners)
  }

  /// An index as OBJ counts: from 1, or backward from −1.
  private func index(
    _ text: ArraySlice<UInt8>, below count: Int
  ) throws(CaptureReadingError) -> UInt32 {
    let number = text.count <= 12 ? Int(String(decoding: text, as: UTF8.self)) : nil
    let index = number.map { $0 < 0 ? count + $0 : $0 - 1 }
    guard let index, (0..<count).contains(index) else {
      throw malformed("an index of \(count)", text)
    }
    return UInt32(index)
  }

  private func malformed(
    _ expected: String, _ found: some Sequence<UInt8>
  ) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["OBJ", "line \(line)"], expected: expected,
      found: "“\(printable(found.prefix(60)))”")
  }
}
