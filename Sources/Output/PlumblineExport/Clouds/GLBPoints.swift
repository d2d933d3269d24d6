import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// A point cloud as one binary glTF 2.0 file with a primitive of the mode `POINTS`.
///
/// glTF has `y` up. A camera's cloud is turned to the viewer's axes; of a world the axis that points
/// up becomes `y`, and a world that does not say what is up stays as it is. Colors are in linear light;
/// σ is the attribute `_SIGMA`. See `Documentation/formats/glb.md`.
/// - Source: Khronos Group, *glTF 2.0 Specification* (ISO/IEC 12113:2022), 3.7.2.1 and 4.4.
struct GLBPoints: Sendable {
  /// The most bytes of a file, whose length has 32 bits.
  static let maximumLength = Int(UInt32.max)

  let statements: PointCloudStatements
  private var cloud: PointCloud { statements.cloud }

  /// The parts of the binary chunk one after another, each a multiple of four bytes.
  private var sections: [Section] {
    var sections = [Section.position]
    if cloud.colors != nil { sections.append(.color) }
    if cloud.sigmaMeters != nil { sections.append(.sigma) }
    return sections
  }

  /// An attribute of all points.
  enum Section: String, Sendable {
    case position = "POSITION"
    case color = "COLOR_0"
    case sigma = "_SIGMA"

    /// Bytes of one point.
    var stride: Int {
      switch self {
      case .position: 12
      case .color: 8
      case .sigma: 4
      }
    }
  }

  /// The bytes of the binary chunk.
  private var bodyLength: Int { sections.reduce(0) { $0 + $1.stride } * cloud.count }

  /// The file up to the binary chunk's contents, and the length of the whole; O(*n*).
  var head: (bytes: [UInt8], length: Int) {
    var json = JSONWriter(layout: .compact).bytes(json)
    json += Array(repeating: 0x20, count: (4 - json.count % 4) % 4)
    let hasBody = cloud.count > 0
    let length = 12 + 8 + json.count + (hasBody ? 8 + bodyLength : 0)
    // What exceeds the limit is not written.
    guard length <= Self.maximumLength else { return ([], length) }
    var bytes: [UInt8] = []
    for number in [0x4654_6C67, 2, length, json.count, 0x4E4F_534A] {
      bytes.appendLittleEndian(UInt32(number))
    }
    bytes += json
    if hasBody {
      bytes.appendLittleEndian(UInt32(bodyLength))
      bytes.appendLittleEndian(UInt32(0x004E_4942))
    }
    return (bytes, length)
  }

  /// Gives the binary chunk piece by piece.
  func forEachPiece(
    _ body: (_ bytes: [UInt8]) throws(OutputError) -> Void
  ) throws(OutputError) {
    let linear = LinearCodes()
    for section in sections {
      let step = (1 << 20) / section.stride
      var first = 0
      while first < cloud.count {
        let next = min(first + step, cloud.count)
        try body(bytes(of: section, first..<next, linear))
        first = next
      }
    }
  }

  private func bytes(
    of section: Section, _ range: Range<Int>, _ linear: LinearCodes
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(section.stride * range.count)
    switch section {
    case .position:
      for point in cloud.positions[range] {
        let turned = turned(point)
        for value in [turned.x, turned.y, turned.z] { bytes.appendLittleEndian(value.bitPattern) }
      }
    case .color:
      for color in cloud.colors?[range] ?? [] {
        for code in [color.red, color.green, color.blue] {
          bytes.appendLittleEndian(UInt16((linear[code] * 65535).rounded()))
        }
        bytes.appendLittleEndian(UInt16.max)
      }
    case .sigma:
      for sigma in cloud.sigmaMeters?[range] ?? [] {
        bytes.appendLittleEndian((sigma.isFinite ? sigma : GLBWriter.missingSigma).bitPattern)
      }
    }
    return bytes
  }

  /// A point in the file's axes; exact.
  private func turned(_ point: PackedPoint) -> PackedPoint { cloud.frame.viewer(point) }
}

extension GLBPoints {
  /// The axes of the file in words.
  private var axes: String { cloud.frame.viewerStatement }

  private var json: JSONValue {
    var asset: [(key: String, value: JSONValue)] = [
      ("version", "2.0"), ("generator", .string(statements.origin.producer)),
    ]
    if let digits = statements.origin.sourceSHA256 {
      asset.append(("extras", ["sourceSHA256": .string(digits)]))
    }
    var members: [(key: String, value: JSONValue)] = [("asset", .object(asset)), ("scene", 0)]
    // A mesh needs a point: a cloud without any is a scene without nodes.
    guard cloud.count > 0 else { return .object(members + [("scenes", [[:]])]) }
    var extras: [(key: String, value: JSONValue)] = [
      ("unit", .string(statements.unit)), ("frame", .string(axes)),
    ]
    if let sigma = statements.sigma {
      extras += [("sigma", .string(sigma)), ("missingSigma", .number(GLBWriter.missingSigma))]
    }
    if !statements.further.isEmpty {
      extras.append(("statements", .array(statements.further.map { .string($0) })))
    }
    members += [
      ("scenes", [["nodes": [0]]]),
      ("nodes", [["name": "points", "mesh": 0, "extras": .object(extras)]]),
      ("meshes", [["name": "points", "primitives": [primitive]]]),
      (
        "materials",
        [
          [
            "pbrMetallicRoughness": ["metallicFactor": 0, "roughnessFactor": 1],
            "extensions": ["KHR_materials_unlit": [:]],
          ]
        ]
      ),
      ("extensionsUsed", ["KHR_materials_unlit"]),
      ("accessors", .array(sections.enumerated().map { accessor($1, view: $0) })),
      ("bufferViews", .array(views)),
      ("buffers", [["byteLength": .integer(bodyLength)]]),
    ]
    return .object(members)
  }

  /// Mode 0 is `POINTS`; without indices each vertex is one.
  private var primitive: JSONValue {
    [
      "attributes": .object(
        sections.enumerated().map { (key: $1.rawValue, value: .integer($0)) }),
      "material": 0, "mode": 0,
    ]
  }

  private var views: [JSONValue] {
    var offset = 0
    return sections.map { section in
      let length = section.stride * cloud.count
      defer { offset += length }
      return [
        "buffer": 0, "byteOffset": .integer(offset), "byteLength": .integer(length),
        "target": 34962,
      ]
    }
  }

  private func accessor(_ section: Section, view: Int) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("bufferView", .integer(view)), ("count", .integer(cloud.count)),
    ]
    switch section {
    case .position:
      let (low, high) = bounds
      members += [
        ("componentType", 5126), ("type", "VEC3"),
        ("min", [.number(low.x), .number(low.y), .number(low.z)]),
        ("max", [.number(high.x), .number(high.y), .number(high.z)]),
      ]
    case .color: members += [("componentType", 5123), ("type", "VEC4"), ("normalized", true)]
    case .sigma: members += [("componentType", 5126), ("type", "SCALAR")]
    }
    return .object(members)
  }

  /// The least and the largest coordinates in the file's axes.
  private var bounds: (low: PackedPoint, high: PackedPoint) {
    let (low, high) = ViewerAxes.bounds(cloud.positions)
    return ViewerAxes.bounds([turned(low), turned(high)])
  }
}
