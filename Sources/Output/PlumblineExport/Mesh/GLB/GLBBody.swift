import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// The binary chunk of a GLB file, and the tables that describe its contents.
///
/// Each accessor has its own view, and each view starts at a multiple of four bytes.
struct GLBBody {
  /// The chunk so far; its length is a multiple of four.
  private(set) var bytes: [UInt8] = []
  /// The `bufferViews`.
  private(set) var views: [JSONValue] = []
  /// The `accessors`.
  private(set) var accessors: [JSONValue] = []

  /// glTF's names of component types and targets.
  private enum Code {
    static let unsignedShort = 5123
    static let unsignedInt = 5125
    static let float = 5126
    static let vertices = 34962
    static let elements = 34963
  }

  /// Adds bytes with their own view and returns the index of the view.
  mutating func addView(_ content: [UInt8], target: Int?) -> Int {
    var members: [(key: String, value: JSONValue)] = [
      ("buffer", 0), ("byteOffset", .integer(bytes.count)), ("byteLength", .integer(content.count)),
    ]
    if let target { members.append(("target", .integer(target))) }
    bytes += content
    bytes += Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
    views.append(.object(members))
    return views.count - 1
  }

  /// Adds the indices of triangles, in 16 bits if these suffice, without the maximum value, which
  /// means "primitive restart" on some hardware.
  mutating func addIndices(_ mesh: SingleIndexMesh) -> Int {
    let isShort = mesh.vertexCount <= Int(UInt16.max)
    var content: [UInt8] = []
    content.reserveCapacity(mesh.triangles.count * (isShort ? 6 : 12))
    for triangle in mesh.triangles {
      for index in [triangle.first, triangle.second, triangle.third] {
        append(index, isShort: isShort, to: &content)
      }
    }
    return addAccessor(
      view: addView(content, target: Code.elements),
      type: isShort ? Code.unsignedShort : Code.unsignedInt, count: 3 * mesh.triangles.count,
      shape: "SCALAR")
  }

  /// Adds positions with their bounds.
  mutating func addPositions(_ points: [PackedPoint]) -> Int {
    let (low, high) = ViewerAxes.bounds(points)
    return addAccessor(
      view: addView(content(points), target: Code.vertices), type: Code.float,
      count: points.count, shape: "VEC3", further: bounds(low, high))
  }

  /// Adds direction vectors.
  mutating func addVectors(_ vectors: [PackedPoint]) -> Int {
    addAccessor(
      view: addView(content(vectors), target: Code.vertices), type: Code.float,
      count: vectors.count, shape: "VEC3")
  }

  /// Adds texture coordinates.
  mutating func addPairs(_ pairs: [SIMD2<Float>]) -> Int {
    var content: [UInt8] = []
    content.reserveCapacity(8 * pairs.count)
    for pair in pairs {
      content.appendLittleEndian(pair.x.bitPattern)
      content.appendLittleEndian(pair.y.bitPattern)
    }
    return addAccessor(
      view: addView(content, target: Code.vertices), type: Code.float, count: pairs.count,
      shape: "VEC2")
  }

  /// Adds opaque colors in linear light with 16 bits; with four components each color starts at a
  /// multiple of four bytes.
  mutating func addColors(_ colors: [RGB8]) -> Int {
    let linear = LinearCodes()
    var content: [UInt8] = []
    content.reserveCapacity(8 * colors.count)
    for color in colors {
      for code in [color.red, color.green, color.blue] {
        content.appendLittleEndian(UInt16((linear[code] * 65535).rounded()))
      }
      content.appendLittleEndian(UInt16.max)
    }
    return addAccessor(
      view: addView(content, target: Code.vertices), type: Code.unsignedShort,
      count: colors.count, shape: "VEC4", further: [("normalized", true)])
  }

  /// Adds one number for each vertex.
  mutating func addNumbers(_ numbers: [Float]) -> Int {
    var content: [UInt8] = []
    content.reserveCapacity(4 * numbers.count)
    for number in numbers { content.appendLittleEndian(number.bitPattern) }
    return addAccessor(
      view: addView(content, target: Code.vertices), type: Code.float, count: numbers.count,
      shape: "SCALAR")
  }

  /// Adds the displacements of vertices; as a sparse accessor if that is shorter.
  mutating func addDeltas(indices: [UInt32], _ deltas: [PackedPoint], vertexCount: Int) -> Int {
    let zero = PackedPoint(x: 0, y: 0, z: 0)
    // An accessor without values is all zeros and legal, but Assimp 5 cannot read a file with one.
    let (indices, deltas) = deltas.isEmpty ? ([0], [zero]) : (indices, deltas)
    var (low, high) = ViewerAxes.bounds(deltas)
    if deltas.count < vertexCount { (low, high) = ViewerAxes.bounds([low, high, zero]) }
    let isShort = vertexCount <= Int(UInt16.max)
    let sparseSize = deltas.count * ((isShort ? 2 : 4) + 12)
    guard sparseSize < 12 * vertexCount else {
      var dense = [PackedPoint](repeating: zero, count: vertexCount)
      for (index, delta) in zip(indices, deltas) { dense[Int(index)] = delta }
      return addPositions(dense)
    }
    var places: [UInt8] = []
    for index in indices { append(index, isShort: isShort, to: &places) }
    let sparse: JSONValue = [
      "count": .integer(deltas.count),
      "indices": [
        "bufferView": .integer(addView(places, target: nil)),
        "componentType": .integer(isShort ? Code.unsignedShort : Code.unsignedInt),
      ],
      "values": ["bufferView": .integer(addView(content(deltas), target: nil))],
    ]
    return addAccessor(
      view: nil, type: Code.float, count: vertexCount, shape: "VEC3",
      further: bounds(low, high) + [("sparse", sparse)])
  }

  private mutating func addAccessor(
    view: Int?, type: Int, count: Int, shape: String,
    further: [(key: String, value: JSONValue)] = []
  ) -> Int {
    var members: [(key: String, value: JSONValue)] = []
    if let view { members.append(("bufferView", .integer(view))) }
    members += [
      ("componentType", .integer(type)), ("count", .integer(count)), ("type", .string(shape)),
    ]
    accessors.append(.object(members + further))
    return accessors.count - 1
  }

  private func bounds(
    _ low: PackedPoint, _ high: PackedPoint
  ) -> [(key: String, value: JSONValue)] {
    [
      ("min", [.number(low.x), .number(low.y), .number(low.z)]),
      ("max", [.number(high.x), .number(high.y), .number(high.z)]),
    ]
  }

  private func content(_ points: [PackedPoint]) -> [UInt8] {
    var content: [UInt8] = []
    content.reserveCapacity(12 * points.count)
    for point in points {
      content.appendLittleEndian(point.x.bitPattern)
      content.appendLittleEndian(point.y.bitPattern)
      content.appendLittleEndian(point.z.bitPattern)
    }
    return content
  }

  private func append(_ index: UInt32, isShort: Bool, to content: inout [UInt8]) {
    if isShort {
      content.appendLittleEndian(UInt16(truncatingIfNeeded: index))
    } else {
      content.appendLittleEndian(index)
    }
  }
}
