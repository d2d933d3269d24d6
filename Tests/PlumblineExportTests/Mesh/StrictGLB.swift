import PlumblineIO
/// A GLB file read by the rules of glTF 2.0, each of which is held against it.
///
/// - Source: Khronos Group, *glTF 2.0 Specification*, chapters 3 and 4.
struct StrictGLB {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  struct View {
    let range: Range<Int>
    let target: Int?
  }

  let json: JSONValue
  let body: [UInt8]
  private(set) var views: [View] = []

  init(_ file: [UInt8]) throws {
    try Self.require(file.count >= 20 && file.count % 4 == 0, "a length of \(file.count)")
    try Self.require(Self.word(file, 0) == 0x4654_6C67, "the magic")
    try Self.require(Self.word(file, 4) == 2, "the version")
    try Self.require(Self.word(file, 8) == file.count, "the length in the header")
    let jsonCount = Self.word(file, 12)
    try Self.require(Self.word(file, 16) == 0x4E4F_534A && jsonCount % 4 == 0, "the JSON chunk")
    let text = file[20..<20 + jsonCount]
    let bodyStart = 20 + jsonCount
    let bodyCount = Self.word(file, bodyStart)
    try Self.require(Self.word(file, bodyStart + 4) == 0x004E_4942, "the BIN chunk")
    try Self.require(bodyStart + 8 + bodyCount == file.count, "what follows the BIN chunk")
    json = try JSONValue(parsing: Array(text))
    // Padding of JSON is spaces; nothing else may follow its last brace.
    let ending = text.reversed().prefix { $0 != UInt8(ascii: "}") }
    try Self.require(ending.count < 4 && ending.allSatisfy { $0 == 0x20 }, "JSON's padding")
    body = Array(file[(bodyStart + 8)...])
    try Self.require(json["asset"]?["version"]?.string == "2.0", "asset.version")
    try readViews()
    try checkReferences()
  }

  static func require(_ condition: Bool, _ rule: String) throws {
    if !condition { throw Fault(description: rule) }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private mutating func readViews() throws {
    let buffers = json["buffers"]?.elements ?? []
    try Self.require(buffers.count == 1 && buffers[0]["uri"] == nil, "one buffer in the file")
    let length = buffers[0]["byteLength"]?.integer ?? -1
    try Self.require((body.count - 3...body.count).contains(length), "buffers[0].byteLength")
    var end = 0
    for (index, view) in (json["bufferViews"]?.elements ?? []).enumerated() {
      let offset = view["byteOffset"]?.integer ?? 0
      let count = view["byteLength"]?.integer ?? 0
      try Self.require(view["buffer"]?.integer == 0, "bufferViews[\(index)].buffer")
      try Self.require(offset % 4 == 0 && offset >= end, "bufferViews[\(index)].byteOffset")
      try Self.require(count >= 1 && offset + count <= length, "bufferViews[\(index)].byteLength")
      try Self.require(view["byteStride"] == nil, "a stride where views hold one accessor")
      let target = view["target"]?.integer
      try Self.require([nil, 34962, 34963].contains(target), "bufferViews[\(index)].target")
      // What lies between two views is padding.
      try Self.require(body[end..<offset].allSatisfy { $0 == 0 } && offset - end < 4, "padding")
      views.append(View(range: offset..<offset + count, target: target))
      end = offset + count
    }
  }

  private func checkReferences() throws {
    let nodes = json["nodes"]?.elements ?? []
    let scenes = json["scenes"]?.elements ?? []
    let meshes = json["meshes"]?.elements ?? []
    try Self.require((json["scene"]?.integer ?? 0) < scenes.count, "scene")
    for scene in scenes {
      for node in scene["nodes"]?.elements ?? [] {
        try Self.require((node.integer ?? -1) < nodes.count, "scenes.nodes")
      }
    }
    for node in nodes {
      try Self.require((0..<meshes.count).contains(node["mesh"]?.integer ?? -1), "nodes.mesh")
    }
    for material in json["materials"]?.elements ?? [] {
      if let texture = material["pbrMetallicRoughness"]?["baseColorTexture"] {
        let count = json["textures"]?.elements?.count ?? 0
        try Self.require((0..<count).contains(texture["index"]?.integer ?? -1), "a texture's index")
      }
      for extension_ in material["extensions"]?.members.map(\.key) ?? [] {
        let used = json["extensionsUsed"]?.elements?.compactMap(\.string) ?? []
        try Self.require(used.contains(extension_), "extensionsUsed without \(extension_)")
      }
    }
    for texture in json["textures"]?.elements ?? [] {
      let images = json["images"]?.elements ?? []
      let samplers = json["samplers"]?.elements ?? []
      let source = texture["source"]?.integer ?? -1
      try Self.require(images.indices.contains(source), "textures.source")
      try Self.require(samplers.indices.contains(texture["sampler"]?.integer ?? 0), "sampler")
      let view = images[source]["bufferView"]?.integer ?? -1
      try Self.require(views.indices.contains(view) && views[view].target == nil, "an image's view")
      let start = Array(body[views[view].range].prefix(4))
      let expected: [UInt8] =
        images[source]["mimeType"]?.string == "image/png"
        ? [0x89, 0x50, 0x4E, 0x47] : [0xFF, 0xD8]
      try Self.require(start.starts(with: expected), "an image of another type than it says")
    }
  }

  /// The values of an accessor, row after row.
  ///
  /// The role decides on its view's target, its types and its bounds.
  func values(_ index: Int?, _ role: Role) throws -> [Float] {
    let accessors = json["accessors"]?.elements ?? []
    guard let index, accessors.indices.contains(index) else {
      throw Fault(description: "an accessor that is not there")
    }
    let accessor = accessors[index]
    let name = "accessors[\(index)]"
    let type = accessor["componentType"]?.integer ?? 0
    let shape = accessor["type"]?.string ?? ""
    let count = accessor["count"]?.integer ?? 0
    let width = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4][shape] ?? 0
    try Self.require(width == role.width && role.types.contains(type), "\(name): \(shape) \(type)")
    try Self.require(count >= 1, "\(name).count")
    var numbers = [Float](repeating: 0, count: count * width)
    if let view = accessor["bufferView"]?.integer {
      try Self.require(views.indices.contains(view), "\(name).bufferView")
      try Self.require(views[view].target == role.target, "\(name): the target of its view")
      numbers = try components(view, type: type, count: count * width, name)
      let size = type == 5123 ? 2 : 4
      try Self.require(role.target != 34962 || size * width % 4 == 0, "\(name): rows of 4 bytes")
    } else {
      try Self.require(accessor["sparse"] != nil, "\(name): no values")
    }
    if let sparse = accessor["sparse"] {
      try apply(sparse, width: width, count: count, to: &numbers, name)
    }
    try Self.require(numbers.allSatisfy(\.isFinite), "\(name): NaN or infinite")
    if type == 5123, role.isNormalized {
      try Self.require(accessor["normalized"]?.bool == true, "\(name).normalized")
    }
    if role == .normal {
      for row in stride(from: 0, to: numbers.count, by: 3) {
        let length = numbers[row..<row + 3].reduce(0) { $0 + $1 * $1 }
        try Self.require(abs(length - 1) < 1e-5, "\(name): a normal of length² \(length)")
      }
    }
    if role.hasBounds {
      for axis in 0..<width {
        let column = stride(from: axis, to: numbers.count, by: width).map { numbers[$0] }
        let low = accessor["min"]?.numbers?[axis]
        let high = accessor["max"]?.numbers?[axis]
        try Self.require(low.map { Float($0) } == column.min(), "\(name).min[\(axis)]")
        try Self.require(high.map { Float($0) } == column.max(), "\(name).max[\(axis)]")
      }
    }
    return numbers
  }

  private func apply(
    _ sparse: JSONValue, width: Int, count: Int, to numbers: inout [Float], _ name: String
  ) throws {
    let places = sparse["count"]?.integer ?? 0
    try Self.require((1...count).contains(places), "\(name).sparse.count")
    let indices = sparse["indices"]
    guard let indexView = indices?["bufferView"]?.integer, let type = indices?["componentType"],
      let valueView = sparse["values"]?["bufferView"]?.integer,
      views.indices.contains(indexView), views.indices.contains(valueView)
    else { throw Fault(description: "\(name).sparse") }
    try Self.require([5123, 5125].contains(type.integer), "\(name).sparse.indices.componentType")
    try Self.require(
      views[indexView].target == nil && views[valueView].target == nil, "a target of sparse views")
    let list = try components(indexView, type: type.integer ?? 0, count: places, name)
    try Self.require(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, "\(name): rising indices")
    try Self.require(list.allSatisfy { Int($0) < count }, "\(name): indices below \(count)")
    let values = try components(valueView, type: 5126, count: places * width, name)
    for (place, index) in list.enumerated() {
      for axis in 0..<width { numbers[Int(index) * width + axis] = values[place * width + axis] }
    }
  }

  /// Exact in single precision for indices below 2²⁴.
  private func components(_ view: Int, type: Int, count: Int, _ name: String) throws -> [Float] {
    let size = type == 5123 ? 2 : 4
    let range = views[view].range
    try Self.require(range.count == count * size, "\(name): \(range.count) bytes")
    return (0..<count).map { index in
      let place = range.lowerBound + index * size
      let bits = (0..<size).reduce(UInt32(0)) { $0 | UInt32(body[place + $1]) << (8 * UInt32($1)) }
      return type == 5126 ? Float(bitPattern: bits) : Float(bits)
    }
  }

  /// The use of an accessor.
  enum Role {
    case indices, position, normal, coordinates, color, number, delta

    var width: Int {
      switch self {
      case .indices, .number: 1
      case .coordinates: 2
      case .position, .normal, .delta: 3
      case .color: 4
      }
    }
    var target: Int? { self == .indices ? 34963 : 34962 }
    var types: [Int] {
      switch self {
      case .indices: [5123, 5125]
      case .color: [5123]
      default: [5126]
      }
    }
    var isNormalized: Bool { self == .color }
    var hasBounds: Bool { self == .position || self == .delta }
  }
}
