import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct MorphableModelFileTests {
  private func model() throws -> MorphableModel { try SyntheticFace(columns: 5, rows: 6).model }

  private func deltas(_ model: MorphableModel, mode: Int) -> [Float] {
    (0..<3 * model.vertexCount).map { model.basis[$0 * model.stride + mode] }
  }

  @Test func aPackIsReadAsItWasWritten() throws {
    let model = try model()
    let bytes = MorphableModelFile.bytes(of: model)
    let read = try MorphableModelFile.model(bytes, named: "pack")
    #expect(read.name == model.name && read.license == model.license)
    #expect(read.mean == model.mean && read.triangles == model.triangles)
    #expect(read.anchors == model.anchors && read.expressionNames == model.expressionNames)
    #expect(read.identityCount == model.identityCount)
    #expect(read.texture?.coordinates == model.texture?.coordinates)
    #expect(read.texture?.triangles == model.texture?.triangles)
    for mode in 0..<model.modeCount {
      let before = deltas(model, mode: mode)
      let maximum = before.map(abs).max() ?? 0
      // Half a step of 1/32767 of the maximum displacement, and the rounding of its product.
      let limit = maximum * (0.5 / 32767 + 1e-6)
      for (a, b) in zip(before, deltas(read, mode: mode)) { #expect(abs(a - b) <= limit) }
    }
    // Packed again it stays as it is, within the rounding of each mode's scale.
    #expect(MorphableModelFile.bytes(of: read).count == bytes.count)
  }

  @Test func aModelWithoutTextureOrAnchorsAndAModeOfNothing() throws {
    let points = [PackedPoint](repeating: PackedPoint(x: 0, y: 0, z: 0), count: 3)
    let mean = [
      PackedPoint(x: 0, y: 0, z: 0), PackedPoint(x: 1, y: 0, z: 0), PackedPoint(x: 0, y: 1, z: 0),
    ]
    let model = try MorphableModel(
      name: "nothing", license: "", mean: mean, identity: [points], expressions: [],
      triangles: [TriangleIndices(0, 1, 2)], texture: nil,
      anchors: Array(repeating: nil, count: FaceLandmarks.meshCount))
    let read = try MorphableModelFile.model(MorphableModelFile.bytes(of: model), named: "pack")
    #expect(read.texture == nil && read.anchors.allSatisfy { $0 == nil })
    #expect(deltas(read, mode: 0) == Array(repeating: 0, count: 9))
  }

  @Test func aPackThatIsCutOffIsRefused() throws {
    let bytes = MorphableModelFile.bytes(of: try model())
    let header = Int(bytes[8]) + Int(bytes[9]) << 8
    var lengths = Array(0...(12 + header + 4))
    lengths += stride(from: lengths.count, to: bytes.count, by: 1777)
    lengths += [bytes.count - 24 * FaceLandmarks.meshCount, bytes.count - 4, bytes.count - 1]
    for length in lengths {
      #expect(throws: MorphableModelError.self, "\(length) of \(bytes.count)") {
        try MorphableModelFile.model(Array(bytes.prefix(length)), named: "cut")
      }
    }
    #expect(throws: MorphableModelError.self) {
      try MorphableModelFile.model(bytes + [0], named: "longer")
    }
  }

  @Test func damageGivesAModelOrAnError() throws {
    let bytes = MorphableModelFile.bytes(of: try model())
    var generator = SeededGenerator(seed: 3)
    var read = 0
    for round in 0..<150 {
      var damaged = bytes
      for _ in 0..<(1 + round % 4) {
        // Half of the damage hits the first kilobyte, where the structure is.
        let limit = round % 2 == 0 ? 1024 : bytes.count
        damaged[Int(generator.uniform() * Double(limit - 1))] = UInt8(generator.next() & 0xFF)
      }
      do throws(MorphableModelError) {
        let model = try MorphableModelFile.model(damaged, named: "damaged")
        #expect(model.mean.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
        #expect(model.basis.allSatisfy { $0.isFinite })
        #expect(
          model.anchors.allSatisfy { $0.map { $0.vertices.max() < model.vertexCount } ?? true })
        read += 1
      } catch {
        #expect(!error.expected.isEmpty && !error.found.isEmpty)
      }
    }
    #expect(read > 0 && read < 150, "\(read)")
  }

  /// Headers that promise more than there is; the body is empty, so a reader that believed them would
  /// request gigabytes.
  @Test(arguments: [
    ["vertices": 1_048_577], ["vertices": 1_000_000, "identity": 512], ["vertices": -1],
    ["vertices": 0], ["triangles": Int.max], ["triangles": 1_048_576], ["identity": -3],
    ["identity": Int.max], ["coordinates": 1_048_576], ["vertices": 1_000_000],
  ])
  func aHeaderThatLiesIsRefused(lies: [String: Int]) throws {
    var fields: [String: Int] = ["vertices": 4, "identity": 1, "triangles": 1, "coordinates": 0]
    fields.merge(lies) { $1 }
    try expectRefusal(fields.map { ($0.key, .integer($0.value)) }, expressions: ["a"])
  }

  @Test(arguments: [
    ["a", "a"], [""], [String(repeating: "x", count: 65)],
    (0..<600).map { "e\($0)" },
  ])
  func expressionsHaveDifferentShortNames(names: [String]) throws {
    try expectRefusal(
      [("vertices", 3), ("identity", 1), ("triangles", 1), ("coordinates", 0)], expressions: names)
  }

  private func expectRefusal(_ fields: [(String, JSONValue)], expressions: [String]) throws {
    let header = JSONValue.object(
      [("schema", .string(MorphableModelFile.schema)), ("name", "x"), ("license", "y")] + fields
        + [("expressions", .array(expressions.map { .string($0) }))])
    let text = JSONWriter().bytes(header)
    var writer = LittleEndianBytes(MorphableModelFile.signature)
    writer.append(UInt32(text.count))
    writer.bytes += text
    let error = #expect(throws: MorphableModelError.self) {
      try MorphableModelFile.model(writer.bytes, named: "lie")
    }
    // Refused by the header's numbers or by the length of the file, before an array is filled: that would
    // end with what is missing in the file, such as a vertex.
    let reason = error?.found ?? ""
    #expect(
      reason.contains("header") || reason.contains(" bytes, found 0"), "\(reason)")
  }

  @Test func modelsThatMakeNoSenseAreRefused() throws {
    let points = [PackedPoint](repeating: PackedPoint(x: 0, y: 0, z: 0), count: 3)
    let broken = [PackedPoint](repeating: PackedPoint(x: .nan, y: 0, z: 0), count: 3)
    let none = [LandmarkAnchor?](repeating: nil, count: FaceLandmarks.meshCount)
    func make(
      _ mean: [PackedPoint], _ mode: [PackedPoint], _ triangle: TriangleIndices,
      _ anchors: [LandmarkAnchor?]
    ) throws {
      _ = try MorphableModel(
        name: "", license: "", mean: mean, identity: [mode], expressions: [],
        triangles: [triangle], texture: nil, anchors: anchors)
    }
    let triangle = TriangleIndices(0, 1, 2)
    try make(points, points, triangle, none)
    var far = none
    far[7] = LandmarkAnchor(vertices: [0, 1, 3], shares: [1, 0, 0])
    for (mean, mode, triangle, anchors) in [
      ([], [], triangle, none), (broken, points, triangle, none), (points, broken, triangle, none),
      (points, Array(points.dropLast()), triangle, none),
      (points, points, TriangleIndices(0, 1, 3), none), (points, points, triangle, far),
      (points, points, triangle, Array(none.dropLast())),
    ] {
      #expect(throws: MorphableModelError.self) { try make(mean, mode, triangle, anchors) }
    }
  }
}
