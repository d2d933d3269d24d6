import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// The triangles of a GLB file, with the transforms of its nodes applied.
///
/// Read are the scene's nodes, primitives of triangles, their positions, indices and, if every
/// primitive has one, the attributes `_SIGMA`, which is scaled as its node is, and `_INVENTED`. Primitives of points and
/// lines are passed over; strips, fans, sparse accessors and compressed geometry are refused by name.
/// glTF has meters and `y` up.
///
/// - Source: Khronos Group, *glTF 2.0 Specification*, 3.5 to 3.7 and 4.
struct GLBPrimitives {
  private(set) var parts = MeshParts()
  private let file: GLBFile
  private let maximumCount: Int
  private var sigmas: [Float] = []
  private var invented: [Float] = []
  private var visited: Set<Int> = []

  /// The extensions that may be required since they change nothing that is read.
  private static let harmlessPrefixes = ["KHR_materials_", "KHR_texture_", "KHR_lights_"]

  init(_ bytes: [UInt8], maximumCount: Int) throws(CaptureReadingError) {
    file = try GLBFile(bytes)
    self.maximumCount = maximumCount
    for name in file.texts("extensionsRequired")
    where !Self.harmlessPrefixes.contains(where: { name.hasPrefix($0) }) {
      throw CaptureReadingError(
        .unsupported, path: ["GLB", "extensionsRequired"],
        expected: "geometry without required extensions", found: "“\(printable(text: name))”")
    }
    parts.metersPerUnit = 1
    if let generator = file.document["asset"]?["generator"]?.string {
      parts.addStatement(printable(text: generator))
    }
    let scene = file.document["scene"]?.integer ?? 0
    for node in try file.indices(try file.entry("scenes", scene), "nodes") {
      try addNode(node, parent: .identity)
    }
    if sigmas.count == parts.positions.count, !sigmas.isEmpty { parts.sigmas = sigmas }
    if invented.count == parts.positions.count, !invented.isEmpty {
      parts.invented = invented.map { $0 != 0 }
    }
    if !parts.statements.contains(where: { $0.hasPrefix("frame ") }) {
      parts.addStatement("frame world: y up, as glTF has it")
    }
  }

  /// Adds a node and those below it; each may occur once, as the format demands.
  private mutating func addNode(
    _ root: Int, parent: NodeTransform
  ) throws(CaptureReadingError) {
    // A list instead of calls within calls: a chain of nodes may be as long as the file.
    var pending = [(index: root, parent: parent)]
    while let (index, parent) = pending.popLast() {
      let node = try file.entry("nodes", index)
      guard visited.insert(index).inserted else {
        throw CaptureReadingError(
          .malformed, path: ["GLB", "nodes", "\(index)"], expected: "one parent", found: "two")
      }
      addStatements(of: node)
      let transform = parent * (try NodeTransform(node, path: ["GLB", "nodes", "\(index)"]))
      if let mesh = node["mesh"]?.integer {
        let primitives = try file.entry("meshes", mesh)["primitives"]?.elements ?? []
        for (number, primitive) in primitives.enumerated() {
          try addPrimitive(
            primitive, transform, path: ["GLB", "meshes", "\(mesh)", "primitives", "\(number)"])
        }
      }
      for child in try file.indices(node, "children").reversed() {
        pending.append((child, transform))
      }
    }
  }

  /// What a file of this package says of its numbers; see ``GLBWriter``.
  private mutating func addStatements(of node: JSONValue) {
    guard let extras = node["extras"] else { return }
    if let frame = extras["frame"]?.string { parts.addStatement("frame \(printable(text: frame))") }
    for line in extras["statements"]?.elements ?? [] {
      if let text = line.string { parts.addStatement(printable(text: text)) }
    }
  }

  private mutating func addPrimitive(
    _ primitive: JSONValue, _ transform: NodeTransform, path: [String]
  ) throws(CaptureReadingError) {
    let mode = primitive["mode"]?.integer ?? 4
    guard mode >= 4 else { return }
    guard mode == 4 else {
      throw CaptureReadingError(
        .unsupported, path: path + ["mode"], expected: "triangles (4)", found: "\(mode)")
    }
    guard let positions = primitive["attributes"]?["POSITION"]?.integer else {
      throw CaptureReadingError(
        .missing, path: path, expected: "the attribute POSITION", found: "none")
    }
    let first = parts.positions.count
    let room = maximumCount - first
    let values = try file.floats(positions, type: "VEC3", atMost: room)
    let count = values.count / 3
    for index in 0..<count {
      let point = SIMD3(
        Double(values[3 * index]), Double(values[3 * index + 1]), Double(values[3 * index + 2]))
      let moved = transform.apply(point)
      parts.positions.append(
        PackedPoint(x: Float(moved.x), y: Float(moved.y), z: Float(moved.z)))
    }
    if let place = primitive["attributes"]?["_SIGMA"]?.integer {
      let scale = Float(transform.lengthScale)
      sigmas += try file.floats(place, type: "SCALAR", atMost: room).map { sigma in
        // The writer of this package has no other way to say that it is unknown.
        sigma < 0 ? .nan : sigma * scale
      }
    }
    if let place = primitive["attributes"]?["_INVENTED"]?.integer {
      invented += try file.floats(place, type: "SCALAR", atMost: room)
    }
    let corners: [UInt32]
    if let indices = primitive["indices"]?.integer {
      corners = try file.indices(accessor: indices, atMost: 3 * maximumCount)
    } else {
      corners = (0..<count).map { UInt32($0) }
    }
    guard corners.count % 3 == 0, corners.allSatisfy({ Int($0) < count }) else {
      throw CaptureReadingError(
        .malformed, path: path + ["indices"], expected: "whole triangles of \(count) vertices",
        found: "\(corners.count) indices up to \(corners.max() ?? 0)")
    }
    guard parts.triangles.count + corners.count / 3 <= maximumCount else {
      throw CaptureReadingError(
        .limitExceeded, path: path, expected: "at most \(maximumCount) triangles", found: "more")
    }
    let base = UInt32(first)
    for start in stride(from: 0, to: corners.count, by: 3) {
      let (a, b, c) = (corners[start] + base, corners[start + 1] + base, corners[start + 2] + base)
      // A mirroring transform turns the order of corners over.
      parts.triangles.append(
        transform.isMirroring ? TriangleIndices(a, c, b) : TriangleIndices(a, b, c))
    }
  }
}

/// An affine transform of a node: columns of its linear part, and the shift.
struct NodeTransform {
  private let x, y, z, shift: SIMD3<Double>

  static let identity = NodeTransform(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], shift: .zero)

  private init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>, shift: SIMD3<Double>) {
    (self.x, self.y, self.z, self.shift) = (x, y, z, shift)
  }

  /// Reads `matrix`, or `translation`, `rotation` and `scale`.
  init(_ node: JSONValue, path: [String]) throws(CaptureReadingError) {
    func numbers(_ key: String, _ standard: [Double]) throws(CaptureReadingError) -> [Double] {
      guard let value = node[key] else { return standard }
      let numbers = (value.elements ?? []).compactMap(\.number)
      guard numbers.count == standard.count, value.elements?.count == standard.count else {
        throw CaptureReadingError(
          .malformed, path: path + [key], expected: "\(standard.count) numbers",
          found: "\(value.elements?.count ?? 0) values")
      }
      return numbers
    }
    if node["matrix"] != nil {
      let m = try numbers("matrix", Array(repeating: 0, count: 16))
      self.init(
        x: SIMD3(m[0], m[1], m[2]), y: SIMD3(m[4], m[5], m[6]), z: SIMD3(m[8], m[9], m[10]),
        shift: SIMD3(m[12], m[13], m[14]))
      return
    }
    let t = try numbers("translation", [0, 0, 0])
    let q = try numbers("rotation", [0, 0, 0, 1])
    let s = try numbers("scale", [1, 1, 1])
    let (i, j, k, r) = (q[0], q[1], q[2], q[3])
    self.init(
      x: SIMD3(1 - 2 * (j * j + k * k), 2 * (i * j + k * r), 2 * (i * k - j * r)) * s[0],
      y: SIMD3(2 * (i * j - k * r), 1 - 2 * (i * i + k * k), 2 * (j * k + i * r)) * s[1],
      z: SIMD3(2 * (i * k + j * r), 2 * (j * k - i * r), 1 - 2 * (i * i + j * j)) * s[2],
      shift: SIMD3(t[0], t[1], t[2]))
  }

  private func turned(_ v: SIMD3<Double>) -> SIMD3<Double> { x * v.x + y * v.y + z * v.z }

  func apply(_ point: SIMD3<Double>) -> SIMD3<Double> { turned(point) + shift }

  private var determinant: Double {
    let normal = SIMD3(
      y.y * z.z - y.z * z.y, y.z * z.x - y.x * z.z, y.x * z.y - y.y * z.x)
    return (x * normal).sum()
  }

  var isMirroring: Bool { determinant < 0 }

  /// The mean scale of lengths: the side of the cube that a unit cube's volume becomes.
  var lengthScale: Double { CubeRoot.value(abs(determinant)) }

  static func * (a: NodeTransform, b: NodeTransform) -> NodeTransform {
    NodeTransform(
      x: a.turned(b.x), y: a.turned(b.y), z: a.turned(b.z), shift: a.apply(b.shift))
  }
}

/// The cube root by Newton's method, the same on every platform.
private enum CubeRoot {
  static func value(_ number: Double) -> Double {
    guard number > 0, number.isFinite, number != 1 else { return number }
    var root = max(number, 1)
    for _ in 0..<200 { root -= (root - number / (root * root)) / 3 }
    return root
  }
}
