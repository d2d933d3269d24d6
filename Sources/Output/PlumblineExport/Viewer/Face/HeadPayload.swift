import PlumblineGeometry
import PlumblineModel

/// A head in the form that the page's script reads; see `Documentation/faces-page.md`.
struct HeadPayload {
  /// The offsets of the sections, as a JSON object.
  private(set) var parameters = ""
  /// The sections in sequence, little-endian, each at a multiple of four bytes.
  private(set) var data: [UInt8] = []

  private var sections: [(name: String, value: String)] = []

  /// Deltas are integer steps; 32767 steps are the maximum delta.
  ///
  /// A vertex is off by at most half a step, which is 0.3 µm for a jaw that opens by 2 cm.
  private static let maximumCode = 32767.0

  /// Packs a scene; O(*n*).
  static func packed(_ scene: HeadScene) -> HeadPayload {
    var payload = HeadPayload()
    payload.pack(scene)
    return payload
  }

  private mutating func pack(_ scene: HeadScene) {
    let mesh = scene.mesh
    let single = SingleIndexMesh(mesh)
    var targets: [String] = []
    var moved: [UInt32] = []
    var codes: [Int16] = []
    for (target, weight) in zip(scene.targets, scene.weights) {
      let packed = Self.packed(target)
      targets.append(
        Self.object([
          ("name", Self.quoted(target.name)), ("weight", "\(weight)"), ("step", "\(packed.step)"),
          ("start", "\(moved.count)"), ("count", "\(packed.indices.count)"),
        ]))
      moved += packed.indices
      codes += packed.codes
    }
    add("positions", mesh.positions.flatMap { [$0.x, $0.y, $0.z] })
    add(
      "triangles", indices: single.triangles.flatMap { [$0.first, $0.second, $0.third] },
      below: single.vertexCount)
    add("sources", indices: single.sourceVertices, below: mesh.vertexCount)
    if let coordinates = single.coordinates {
      add("coordinates", coordinates.flatMap { [$0.x, $0.y] })
    }
    if let sigmas = mesh.sigmaMeters { add("sigmas", sigmas) }
    if let residuals = mesh.residualMeters { add("residuals", residuals) }
    add("moved", indices: moved, below: mesh.vertexCount)
    add("deltas", codes)
    let share = scene.scaleSigmaShare
    let pose = scene.cameraFromHead.map {
      "[" + $0.homogeneousRowMajor.map { "\($0)" }.joined(separator: ",") + "]"
    }
    parameters = Self.object([
      ("schema", "\"plumbline.head/1\""),
      ("faceVertices", "\(scene.face.vertexCount)"),
      ("faceTriangles", "\(scene.face.triangleCount)"),
      ("scaleShare", share.isFinite ? "\(share)" : "null"), ("cameraFromHead", pose ?? "null"),
      ("targets", "[" + targets.joined(separator: ",") + "]"),
      ("sections", Self.object(sections)),
    ])
  }

  /// The vertices that move by at least half a step.
  private static func packed(
    _ target: MorphTarget
  ) -> (step: Double, indices: [UInt32], codes: [Int16]) {
    let maximum = target.deltas.reduce(Float(0)) {
      max($0, abs($1.x), abs($1.y), abs($1.z))
    }
    let step = Double(maximum) / maximumCode
    guard step > 0, step.isFinite else { return (0, [], []) }
    let all = target.movedVertices
    var indices: [UInt32] = []
    var codes: [Int16] = []
    for (index, delta) in zip(all.indices, all.deltas) {
      let steps = [delta.x, delta.y, delta.z].map {
        Int16((Double($0) / step).rounded())
      }
      guard steps != [0, 0, 0] else { continue }
      indices.append(index)
      codes += steps
    }
    return (step, indices, codes)
  }

  private mutating func add(_ name: String, _ values: [Float]) {
    open(name, "f32", count: values.count)
    for value in values { append(value.bitPattern) }
  }

  private mutating func add(_ name: String, _ values: [Int16]) {
    open(name, "i16", count: values.count)
    for value in values { append(UInt16(bitPattern: value)) }
    close()
  }

  private mutating func add(_ name: String, indices: [UInt32], below limit: Int) {
    let isShort = limit <= Int(UInt16.max)
    open(name, isShort ? "u16" : "u32", count: indices.count)
    for index in indices {
      if isShort { append(UInt16(truncatingIfNeeded: index)) } else { append(index) }
    }
    close()
  }

  private mutating func open(_ name: String, _ type: String, count: Int) {
    sections.append(
      (
        name,
        Self.object([
          ("type", "\"\(type)\""), ("offset", "\(data.count)"), ("count", "\(count)"),
        ])
      ))
  }

  private mutating func close() {
    data += Array(repeating: 0, count: (4 - data.count % 4) % 4)
  }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }

  private static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  /// A name as a JSON string.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
