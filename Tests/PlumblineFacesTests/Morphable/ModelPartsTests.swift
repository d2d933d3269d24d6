import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

/// The parts of a whole head: made-up files with the numbers of vertices and the order of ICT-FaceKit's.
@Suite struct ModelPartsTests {
  /// Where the parts of the made head begin, and how many vertices each has.
  private static let ranges: [Range<Int>] = {
    var first = ICTFaceKit.vertexCount
    return ICTFaceKit.keptParts.map { part in
      defer { first += part.vertexCount }
      return first..<first + part.vertexCount
    }
  }()

  /// A point of the made head, centimeters: each part is a band of a ball of its own; the face is a half ball.
  private static func point(_ vertex: Int) -> SIMD3<Double> {
    func ball(_ index: Int, _ center: SIMD3<Double>, _ radius: Double, front: Bool) -> SIMD3<Double>
    {
      let turn = Float(index) * 2.399963
      let height = 1 - 2 * (Double(index % 997) + 0.5) / 997
      let across = (1 - height * height).squareRoot() * radius
      let z = abs(Double(sine(turn))) * across
      return center + SIMD3(Double(cosine(turn)) * across, height * radius, front ? z : -z)
    }
    if vertex < ICTFaceKit.vertexCount { return ball(vertex, [0, 0, 0], 10, front: true) }
    let centers: [(SIMD3<Double>, Double)] = [
      ([0, 0, 0], 10), ([0, -4, 5], 3), ([3, 3, 6], 1.5), ([-3, 3, 6], 1.5), ([0, -4.5, 5], 2),
      ([0, -4, 6], 2), ([3, 3, 7], 1.2), ([-3, 3, 7], 1.2),
    ]
    guard let part = ranges.firstIndex(where: { $0.contains(vertex) }) else { return [0, 0, 20] }
    let (center, radius) = centers[part]
    let index = vertex - ranges[part].lowerBound
    // Eyes are whole balls.
    let isFront = part < 6 ? part > 0 : index.isMultiple(of: 2)
    return ball(index, center, radius, front: isFront)
  }

  /// The files: in `jawOpen` the mouth, gums and teeth go down by 1 cm, in `identity000` all is wider by a tenth.
  private static let files: [String: [UInt8]] = {
    let points = (0..<ICTFaceKit.wholeVertexCount).map(point)
    func text(_ move: (Int, SIMD3<Double>) -> SIMD3<Double>) -> String {
      var text = ""
      for (vertex, point) in points.enumerated() {
        let moved = move(vertex, point)
        text += "v \(moved.x) \(moved.y) \(moved.z)\n"
      }
      return text
    }
    let (mouth, teeth) = (ranges[1], ranges[5])
    var faces = "f 1 2 3\n"
    for range in ranges {
      for first in stride(from: range.lowerBound, to: range.upperBound - 3, by: 2) {
        faces += "f \(first + 1) \(first + 2) \(first + 4) \(first + 3)\n"
      }
    }
    // Head, mouth and sockets join the face.
    for (part, vertex) in [(0, 100), (1, 200), (2, 300), (3, 400)] {
      faces += "f \(vertex) \(vertex + 1) \(ranges[part].lowerBound + 1)\n"
    }
    // Tears and lashes.
    faces += "f 24592 24593 24594\nf 26717 26718 26719\n"
    return [
      ICTFaceKit.meanFile: Array((text { $1 } + faces).utf8),
      "identity000.obj": Array(text { $1 * [1.1, 1, 1] }.utf8),
      "jawOpen.obj": Array(
        text { vertex, point in
          (mouth.lowerBound..<teeth.upperBound).contains(vertex)
            && !(ranges[2].contains(vertex)
              || ranges[3].contains(vertex))
            ? point - [0, 1, 0] : point
        }.utf8),
    ]
  }()

  private static let whole = Result {
    try ICTFaceKit.model(amongFiles: files.keys.sorted()) { files[$0] ?? [] }
  }

  @Test func aWholeHeadKeepsItsParts() throws {
    let model = try Self.whole.get()
    let parts = try #require(model.parts)
    #expect(model.vertexCount == 9409 && parts.mean.count == 15182)
    #expect(parts.parts == ICTFaceKit.keptParts)
    // Quads become two triangles; tears, lashes and the face's own triangle are not among them.
    let quads = Self.ranges.reduce(0) { $0 + ($1.count - 2) / 2 }
    #expect(parts.triangles.count == 2 * quads + 4, "\(parts.triangles.count)")
    #expect(model.triangles.count == 1)
    var shape = FaceShape(restingIn: model)
    shape.identity[0] = 2
    shape.expression[0] = 0.5
    let tooth = Self.ranges[5].lowerBound + 10
    let expected = (Self.point(tooth) * [1.2, 1, 1] - [0, 0.5, 0]) / 100
    let found = parts.positions(of: shape)[tooth - 9409]
    #expect((found - expected).norm < 1e-6, "\(found) of \(expected)")
  }

  @Test func packedPartsAreTheSameAndDamageIsRefused() throws {
    let model = try Self.whole.get()
    let bytes = MorphableModelFile.bytes(of: model)
    let again = try MorphableModelFile.model(bytes, named: "whole")
    let (first, second) = (try #require(model.parts), try #require(again.parts))
    #expect(first.parts == second.parts && first.triangles == second.triangles)
    #expect(first.mean == second.mean)
    for (mode, other) in zip(first.modes, second.modes) {
      // Steps of 16 bits of a maximum of some centimeters.
      #expect(zip(mode, other).allSatisfy { ($0.vector - $1.vector).norm < 2e-6 })
    }
    for share in 1...40 {
      let cut = Array(bytes.prefix(bytes.count * share / 41))
      #expect(throws: MorphableModelError.self) { try MorphableModelFile.model(cut, named: "cut") }
    }
    #expect(throws: MorphableModelError.self) {
      try MorphableModelFile.model(bytes + [0], named: "longer")
    }
  }

  @Test func aFileWithoutThePartsOfTheMeanIsRefused() throws {
    var files = Self.files
    let face = String(decoding: files["jawOpen.obj"] ?? [], as: UTF8.self)
    files["jawOpen.obj"] = Array(
      face.split(separator: "\n").prefix(9409).joined(separator: "\n").utf8)
    let error = #expect(throws: MorphableModelError.self) {
      try ICTFaceKit.model(amongFiles: files.keys.sorted()) { files[$0] ?? [] }
    }
    #expect(error?.place == "jawOpen.obj" && error?.found == "9409")
  }

  /// A completed head has the model's parts, marked; they follow the face, and move with its shapes.
  @Test func aHeadHasThePartsOfItsModel() throws {
    let model = try Self.whole.get()
    let parts = try #require(model.parts)
    let shape = FaceShape(restingIn: model)
    var face = model.surface
    // The measured face is 3 mm lower than the model's.
    let shift = SIMD3<Double>(0, -0.003, 0)
    face.positions = model.positions(of: shape).map {
      PackedPoint(x: $0.x, y: $0.y - 0.003, z: $0.z)
    }
    let head = CompletedHead.completing(face, model: model, cameraFromHead: .identity, shape: shape)
    let own = head.parts.filter { $0.source == .model }
    #expect(own.map(\.vertexCount) == ICTFaceKit.keptParts.map(\.vertexCount))
    #expect(
      own.map(\.kind) == [
        .back, .mouth, .eyeSocket, .eyeSocket, .gumsAndTongue, .teeth, .leftEye, .rightEye,
      ])
    #expect(own.first?.firstVertex == 9409 && head.modelVertexCount == 15182)
    #expect(head.mesh.isInvented?[9408] == false && head.mesh.isInvented?[9409] == true)
    for part in own where [.teeth, .gumsAndTongue].contains(part.kind) {
      let vertex = part.firstVertex + 7
      let moved = head.mesh.positions[vertex].vector - parts.mean[vertex - 9409].vector
      #expect((moved - shift).norm < 1e-6, "\(part.kind): \(moved)")
    }
    // Far from the border the head stays where the model has it.
    let back = (9409..<11248).map {
      head.mesh.positions[$0].vector - parts.mean[$0 - 9409].vector
    }
    let lengths = back.map(\.norm)
    #expect((lengths.max() ?? 0) < 0.0031 && (lengths.min() ?? 1) < 0.0005)
    let eyes = head.eyes.map(\.center.x)
    #expect(eyes.count == 2 && eyes[0] > 0.02 && eyes[1] < -0.02)
    let layout = head.mesh.texture
    #expect(layout.map(\.isInsideTexture) ?? true)
    let still = [PackedPoint](
      repeating: PackedPoint(x: 0, y: 0, z: 0), count: model.vertexCount)
    let target = head.continued(
      MorphTarget(name: "jawOpen", deltas: still), of: model, cameraFromHead: .identity)
    let tooth = Self.ranges[5].lowerBound
    #expect((target.deltas[tooth].vector - [0, -0.01, 0]).norm < 1e-5)
    #expect(target.deltas[9410].vector.norm < 1e-5)
    #expect(target.fits(vertexCount: head.mesh.vertexCount))
  }
}
