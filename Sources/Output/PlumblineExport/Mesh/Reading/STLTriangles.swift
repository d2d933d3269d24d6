import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// The triangles of a binary or text STL file; corners at the same place become one vertex.
///
/// Normals of triangles and the two bytes behind each are passed over.
///
/// - Source: 3D Systems, *StereoLithography Interface Specification*, 1988.
struct STLTriangles {
  private(set) var parts = MeshParts()
  private var table = PointTable()

  /// The bytes of the header and the count, and those of a triangle.
  private static let (headerBytes, rowBytes) = (84, 50)

  /// Whether the length is that of as many triangles as a binary file states.
  static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.count >= headerBytes && bytes.count == headerBytes + rowBytes * statedCount(bytes)
  }

  private static func statedCount(_ bytes: [UInt8]) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[80 + $1]) << (8 * $1) }
  }

  init(_ bytes: [UInt8], maximumCount: Int) throws(CaptureReadingError) {
    if Self.isBinary(bytes) || !bytes.starts(with: "solid".utf8) {
      try readBinary(bytes, maximumCount: maximumCount)
    } else {
      try readText(bytes, maximumCount: maximumCount)
    }
    parts.positions = table.points
  }

  private mutating func readBinary(
    _ bytes: [UInt8], maximumCount: Int
  ) throws(CaptureReadingError) {
    guard bytes.count >= Self.headerBytes else {
      throw CaptureReadingError(
        .malformed, path: ["STL"], offset: bytes.count, expected: "\(Self.headerBytes) bytes",
        found: "\(bytes.count)")
    }
    let count = Self.statedCount(bytes)
    guard count <= maximumCount else {
      throw CaptureReadingError(
        .limitExceeded, path: ["STL"], offset: 80, expected: "at most \(maximumCount) triangles",
        found: "\(count)")
    }
    guard bytes.count >= Self.headerBytes + Self.rowBytes * count else {
      throw CaptureReadingError(
        .malformed, path: ["STL"], offset: 80,
        expected: "\(Self.rowBytes * count) bytes of \(count) triangles",
        found: "\(bytes.count - Self.headerBytes) bytes")
    }
    let header = printable(bytes[..<80].prefix { $0 != 0 })
    parts.addStatement(header)
    parts.triangles.reserveCapacity(count)
    bytes.withUnsafeBytes { buffer in
      func float(_ offset: Int) -> Float {
        Float(
          bitPattern: UInt32(
            littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      }
      for index in 0..<count {
        // Three numbers of the normal come first.
        let start = Self.headerBytes + index * Self.rowBytes + 12
        func place(_ corner: Int) -> UInt32 {
          let offset = start + 12 * corner
          return table.place(
            of: PackedPoint(x: float(offset), y: float(offset + 4), z: float(offset + 8)))
        }
        parts.triangles.append(TriangleIndices(place(0), place(1), place(2)))
      }
    }
  }

  private mutating func readText(
    _ bytes: [UInt8], maximumCount: Int
  ) throws(CaptureReadingError) {
    var lines = TextLines(bytes[...])
    var corners: [UInt32] = []
    var isClosed = false
    while let fields = lines.nextFields(atMost: 8) {
      let path = ["STL", "line \(lines.number)"]
      func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
        CaptureReadingError(.malformed, path: path, expected: expected, found: found)
      }
      switch String(decoding: fields[0].prefix(12), as: UTF8.self).lowercased() {
      case "solid":
        parts.addStatement(
          fields.dropFirst().map { printable($0.prefix(80)) }.joined(separator: " "))
        isClosed = false
      case "endsolid": isClosed = true
      case "facet", "outer", "endloop": break
      case "vertex":
        guard fields.count == 4, let numbers = TextLines.numbers(fields.dropFirst()) else {
          throw malformed("three numbers", printable(fields.joined(separator: [0x20]).prefix(60)))
        }
        let point = PackedPoint(x: Float(numbers[0]), y: Float(numbers[1]), z: Float(numbers[2]))
        corners.append(table.place(of: point))
        guard corners.count <= 3 else { throw malformed("three corners of a facet", "a fourth") }
      case "endfacet":
        guard corners.count == 3 else {
          throw malformed("three corners of a facet", "\(corners.count)")
        }
        guard parts.triangles.count < maximumCount else {
          throw CaptureReadingError(
            .limitExceeded, path: path, expected: "at most \(maximumCount) triangles",
            found: "more")
        }
        parts.triangles.append(TriangleIndices(corners[0], corners[1], corners[2]))
        corners.removeAll(keepingCapacity: true)
      default: throw malformed("a word of an STL file", printable(fields[0].prefix(60)))
      }
    }
    guard isClosed else {
      throw CaptureReadingError(
        .malformed, path: ["STL"], offset: bytes.count, expected: "“endsolid”",
        found: "the end of the file")
    }
  }
}

/// Gives points numbers in the order of their first use; points with equal coordinates have one.
struct PointTable {
  /// The different points; −0 is kept as 0.
  private(set) var points: [PackedPoint] = []
  /// One above a place in ``points``, 0 where nothing is; a power of two of them.
  private var slots = [UInt32](repeating: 0, count: 1024)

  /// The number of a point, which is new or known; NaN equals nothing.
  mutating func place(of point: PackedPoint) -> UInt32 {
    // −0 and 0 are one place; the sum with 0 is 0 for both.
    let point = PackedPoint(x: point.x + 0, y: point.y + 0, z: point.z + 0)
    if 2 * points.count >= slots.count { grow() }
    var slot = Self.hash(point) & (slots.count - 1)
    while slots[slot] != 0 {
      let known = points[Int(slots[slot]) - 1]
      if known.x == point.x, known.y == point.y, known.z == point.z { return slots[slot] - 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    points.append(point)
    slots[slot] = UInt32(points.count)
    return UInt32(points.count - 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: 2 * slots.count)
    for (index, point) in points.enumerated() {
      var slot = Self.hash(point) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// A product and shifts as in splitmix64, so that near points lie in far slots.
  ///
  /// - Source: S. Vigna, *splitmix64.c*, 2015.
  private static func hash(_ point: PackedPoint) -> Int {
    var bits = UInt64(point.x.bitPattern) << 32 | UInt64(point.y.bitPattern)
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits ^= UInt64(point.z.bitPattern) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (bits ^ (bits >> 31)) >> 1)
  }
}
