import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct CompletedHeadTests {
  /// A posed face of formulas, and its pose.
  private func posed(seed: UInt64) throws -> (model: MorphableModel, head: SimulatedHead) {
    let model = try SyntheticFaces.model()
    return (model, SimulatedHead(model, seed: seed, settings: SyntheticFaces.exact))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aCompletedHeadEnclosesAVolume(seed: UInt64) throws {
    let (model, head) = try posed(seed: seed)
    let completed = CompletedHead.completing(
      head.truth, model: model, cameraFromHead: head.cameraFromHead)
    let mesh = completed.mesh
    #expect(mesh.topology.isWatertight, "\(mesh.topology)")
    #expect(Set(completed.parts.map(\.kind)) == [.back, .leftEye, .rightEye])
    // The face stays as it is, first.
    #expect(Array(mesh.positions.prefix(head.truth.vertexCount)) == head.truth.positions)
    #expect(Array(mesh.triangles.prefix(head.truth.triangles.count)) == head.truth.triangles)
    let marks = try #require(mesh.isInvented)
    #expect(marks.indices.allSatisfy { marks[$0] == ($0 >= head.truth.vertexCount) })
    let counted = completed.parts.reduce(0) { $0 + $1.vertexCount }
    #expect(counted == mesh.vertexCount - head.truth.vertexCount)
    // Triangles face out: the volume is that of a small head, 1.5 to 8 liters, and not negative.
    let volume = mesh.triangles.reduce(0.0) { sum, triangle in
      let corners = (0..<3).map { mesh.positions[triangle[$0]].vector }
      return sum + (corners[0] * corners[1].crossed(corners[2])).sum() / 6
    }
    #expect(volume > 0.0015 && volume < 0.008, "\(volume)")
  }

  @Test func textureCoordinatesAreInsideAndPartsApart() throws {
    let (model, head) = try posed(seed: 4)
    let completed = CompletedHead.completing(
      head.truth, model: model, cameraFromHead: head.cameraFromHead)
    let layout = try #require(completed.mesh.texture)
    #expect(layout.isInsideTexture)
    for index in 0..<completed.faceTriangleCount {
      for corner in 0..<3 {
        let place = layout.coordinates[layout.triangles[index][corner]]
        #expect(place.max() <= 0.8)
      }
    }
    for index in completed.faceTriangleCount..<completed.mesh.triangles.count {
      for corner in 0..<3 {
        let place = layout.coordinates[layout.triangles[index][corner]]
        #expect(place.max() > 0.8)
      }
    }
  }

  /// The back is as far behind the face as heads are long, and no part of it lies before the border.
  @Test func theBackIsBehindTheFace() throws {
    let (model, head) = try posed(seed: 5)
    let completed = CompletedHead.completing(
      head.truth, model: model, cameraFromHead: head.cameraFromHead)
    let headFromCamera = head.cameraFromHead.inverse
    let points = completed.mesh.positions.map { headFromCamera * $0.vector }
    let part = try #require(completed.parts.first { $0.kind == .back })
    let back = points[part.firstVertex..<part.firstVertex + part.vertexCount]
    let face = points.prefix(completed.faceVertexCount)
    let (front, rear) = (try #require(face.map(\.z).max()), try #require(back.map(\.z).min()))
    #expect((0.12...0.28).contains(front - rear), "\(front - rear)")
    let width = try #require(face.map { abs($0.x) }.max())
    #expect(back.allSatisfy { abs($0.x) < 1.1 * width })
  }

  @Test func eyesLieUnderTheirLidsAndLookWhereTheyAreTold() throws {
    let (model, head) = try posed(seed: 6)
    let rotation = head.cameraFromHead.rotation
    let gaze = rotation * SIMD3<Double>(0.2, -0.1, 1)
    let completed = CompletedHead.completing(
      head.truth, model: model, cameraFromHead: head.cameraFromHead, gazes: (gaze, nil))
    let (left, right) = (try #require(completed.eyes.first), try #require(completed.eyes.last))
    #expect(left.isLeft && !right.isLeft)
    #expect((left.axes.z - gaze.unit).norm < 1e-6)
    #expect((right.axes.z - rotation.z).norm < 1e-6)
    for eye in completed.eyes {
      let lids = model.places(
        of: (eye.isLeft ? LandmarkRegion.leftEye : .rightEye).landmarks,
        completed.mesh.positions.map(\.vector))
      let errors = lids.map {
        abs(($0 - eye.center).norm - Eyeball.radiusMeters - Eyeball.lidMeters)
      }.sorted()
      // The sockets of formulas are no lids; half of them lie within three millimeters of a ball.
      #expect(errors[errors.count / 2] < 0.003, "\(errors)")
    }
  }

  /// Shapes that look down turn an eye down, those of the other eye leave it, and a jaw does too.
  @Test func eyesTurnWithTheirShapes() throws {
    let (model, head) = try posed(seed: 7)
    let completed = CompletedHead.completing(
      head.truth, model: model, cameraFromHead: head.cameraFromHead)
    let up = head.cameraFromHead.rotation.y
    let still = [PackedPoint](
      repeating: PackedPoint(x: 0, y: 0, z: 0), count: completed.faceVertexCount)
    func pupil(_ name: String, _ kind: CompletedHead.Part.Kind) throws -> SIMD3<Double> {
      let target = completed.continued(
        MorphTarget(name: name, deltas: still), of: model, cameraFromHead: head.cameraFromHead)
      #expect(target.fits(vertexCount: completed.mesh.vertexCount))
      let part = try #require(completed.parts.first { $0.kind == kind })
      return target.deltas[part.firstVertex].vector
    }
    let down = try pupil("eyeLookDownLeft", .leftEye)
    // 25° of 12 mm.
    #expect((down * up).sum() < -0.004 && down.norm < 0.006, "\(down)")
    #expect(try pupil("eyeLookDownLeft", .rightEye) == .zero)
    #expect(try pupil("jawOpen", .leftEye) == .zero)
    let across = head.cameraFromHead.rotation.x
    #expect(try (pupil("eyeLookInLeft", .leftEye) * across).sum() < -0.004)
    #expect(try (pupil("eyeLookInRight", .rightEye) * across).sum() > 0.004)
  }

  /// A hole of the face is closed, and follows its border.
  @Test func openingsAreClosedAndFollow() throws {
    let whole = try SyntheticFaces.model()
    // All triangles around one vertex in the middle of a row of 41.
    let taken = 15 * 41 + 20
    let triangles = whole.triangles.filter { triangle in
      (0..<3).allSatisfy { triangle[$0] != taken }
    }
    let model = try MorphableModel(
      name: "holed", license: "", mean: whole.mean, identity: [whole.mean],
      expressions: [(name: "jawOpen", deltas: whole.mean)], triangles: triangles, texture: nil,
      anchors: whole.anchors)
    let pose = RigidTransform(
      rotation: Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1]), translation: [0, 0, 0.5])
    var face = model.surface
    face.positions = model.mean.map {
      let point = pose * $0.vector
      return PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z))
    }
    let completed = CompletedHead.completing(face, model: model, cameraFromHead: pose)
    let part = try #require(completed.parts.first { $0.kind == .opening })
    #expect(part.vertexCount == 1 && completed.mesh.topology.isWatertight)
    let shift = [PackedPoint](
      repeating: PackedPoint(x: 0.25, y: 0, z: 0), count: model.vertexCount)
    let target = completed.continued(
      MorphTarget(name: "jawOpen", deltas: shift), of: model, cameraFromHead: pose)
    #expect(abs(target.deltas[part.firstVertex].x - 0.25) < 1e-6)
  }
}
