internal import PlumblineModel

/// Reads an OBJ file line by line.
struct OBJScanner {
  enum Keyword {
    case vertex, textureCoordinate, face, other
  }

  /// One corner of a polygon, counted from 0.
  struct Corner {
    var vertex: UInt32
    var coordinate: UInt32?
  }

  private let bytes: [UInt8]
  private let name: String
  private var place = 0
  private var line = 1

  /// The most corners of one polygon.
  static let maximumCornerCount = 64

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// What the next line that is not empty says; `nil` at the end.
  mutating func nextKeyword() -> Keyword? {
    while place < bytes.count {
      skipBlanks()
      guard place < bytes.count else { return nil }
      if bytes[place] == 0x0A {
        skipLine()
        continue
      }
      let first = place
      while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      let word = bytes[first..<place]
      if word.elementsEqual([0x76]) { return .vertex }
      if word.elementsEqual([0x76, 0x74]) { return .textureCoordinate }
      if word.elementsEqual([0x66]) { return .face }
      return .other
    }
    return nil
  }

  mutating func skipLine() {
    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
    place += 1
    line += 1
  }

  mutating func position() throws(MorphableModelError) -> PackedPoint {
    PackedPoint(x: try number(), y: try number(), z: try number())
  }

  mutating func textureCoordinate() throws(MorphableModelError) -> SIMD2<Float> {
    SIMD2(try number(), try number())
  }

  mutating func corners(
    vertexCount: Int, coordinateCount: Int
  ) throws(MorphableModelError) -> [Corner] {
    var corners: [Corner] = []
    while true {
      skipBlanks()
      guard place < bytes.count, bytes[place] != 0x0A else { break }
      let vertex = try index(below: vertexCount)
      var coordinate: UInt32?
      if place < bytes.count, bytes[place] == 0x2F {
        place += 1
        if place < bytes.count, bytes[place] != 0x2F {
          coordinate = try index(below: coordinateCount)
        }
        // Normals are of no use here.
        while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      }
      corners.append(Corner(vertex: vertex, coordinate: coordinate))
      guard corners.count <= Self.maximumCornerCount else { break }
    }
    guard (3...Self.maximumCornerCount).contains(corners.count) else {
      throw failure("3 to \(Self.maximumCornerCount) corners", "\(corners.count)")
    }
    return corners
  }

  private mutating func skipBlanks() {
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] <= 0x20 { place += 1 }
  }

  /// An index as OBJ counts: from 1, or backward from −1.
  private mutating func index(below count: Int) throws(MorphableModelError) -> UInt32 {
    let first = place
    var isNegative = false
    if place < bytes.count, bytes[place] == 0x2D {
      isNegative = true
      place += 1
    }
    var value = 0
    while place < bytes.count, (0x30...0x39).contains(bytes[place]), value <= count {
      value = 10 * value + Int(bytes[place] - 0x30)
      place += 1
    }
    let index = isNegative ? count - value : value - 1
    guard place > first, (0..<count).contains(index) else {
      throw failure("an index of \(count)", isNegative ? "-\(value)" : "\(value)")
    }
    return UInt32(index)
  }

  /// A decimal number; twenty digits are read, which is more than a `Float` holds.
  private mutating func number() throws(MorphableModelError) -> Float {
    skipBlanks()
    let first = place
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] > 0x20 {
      text.append(bytes[place])
      place += 1
    }
    guard text.count <= 64, let value = Float(String(decoding: text, as: UTF8.self)),
      value.isFinite
    else { throw failure("a number", "“\(printable(first..<place))”") }
    return value
  }

  private func printable(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(20).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
  }

  private func failure(_ expected: String, _ found: String) -> MorphableModelError {
    MorphableModelError("\(name), line \(line)", expected: expected, found: found)
  }
}
