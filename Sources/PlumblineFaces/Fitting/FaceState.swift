internal import PlumblineGeometry
public import PlumblineModel

/// The pose and shape of a head.
public struct FaceState: Sendable, Hashable {
  /// The head's pose: takes points of the head's frame into the camera's, meters.
  public var cameraFromHead: RigidTransform
  /// The identity and the expression.
  public var shape: FaceShape

  /// Creates a state from its parts.
  public init(cameraFromHead: RigidTransform, shape: FaceShape) {
    self.cameraFromHead = cameraFromHead
    self.shape = shape
  }

  /// The state after a step: rotation and translation in the camera's frame, then the modes.
  func moved(by step: [Double]) -> FaceState {
    let turn = Rotation(axisAngle: SIMD3(step[0], step[1], step[2])) ?? .identity
    var next = self
    next.cameraFromHead.rotation = turn * cameraFromHead.rotation
    next.cameraFromHead.translation += SIMD3(step[3], step[4], step[5])
    let count = shape.identity.count
    for k in shape.identity.indices { next.shape.identity[k] += Float(step[6 + k]) }
    for k in shape.expression.indices {
      next.shape.expression[k] = min(
        1, max(0, shape.expression[k] + Float(step[6 + count + k])))
    }
    return next
  }
}

/// A state's vertices where the camera sees them.
struct PlacedFace {
  let state: FaceState
  /// The vertices in the head's frame, meters.
  let inHead: [PackedPoint]
  /// The vertices in the camera's frame, meters.
  let inCamera: [PackedPoint]
  /// The unit normals in the camera's frame.
  let normals: [SIMD3<Float>]
  /// The rotation's rows: the head's axes in the camera's frame.
  let axes: (x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>)

  /// Poses a state's face, moved along its normals where a displacement is known.
  ///
  /// `atRest` are the vertices of the state's identity without expression, where they are known.
  init(
    _ model: MorphableModel, _ state: FaceState, displacementMeters: [Float]? = nil,
    atRest: [PackedPoint]? = nil
  ) {
    let inHead =
      atRest.map { model.positions(of: state.shape, atRest: $0) }
      ?? model.positions(of: state.shape)
    guard let displacementMeters else {
      self.init(model, state, inHead: inHead)
      return
    }
    let normals = Self.normals(of: inHead, model)
    self.init(
      model, state,
      inHead: inHead.indices.map { vertex in
        let way = normals[vertex] * displacementMeters[vertex]
        let point = inHead[vertex]
        return PackedPoint(x: point.x + way.x, y: point.y + way.y, z: point.z + way.z)
      })
  }

  init(_ model: MorphableModel, _ state: FaceState, inHead: [PackedPoint]) {
    let rotation = state.cameraFromHead.rotation
    let (x, y, z) = (
      SIMD3<Float>(rotation.x), SIMD3<Float>(rotation.y), SIMD3<Float>(rotation.z)
    )
    let t = SIMD3<Float>(state.cameraFromHead.translation)
    let placed = inHead.map { point -> PackedPoint in
      let p = x * point.x + y * point.y + z * point.z + t
      return PackedPoint(x: p.x, y: p.y, z: p.z)
    }
    self.state = state
    self.inHead = inHead
    inCamera = placed
    axes = (x, y, z)
    normals = Self.normals(of: placed, model)
  }

  /// Unit normals of the vertices, each the sum of its triangles' areas.
  private static func normals(of points: [PackedPoint], _ model: MorphableModel) -> [SIMD3<Float>] {
    var normals = [SIMD3<Float>](repeating: .zero, count: points.count)
    for triangle in model.triangles {
      let a = points[triangle[0]].simd
      let area = cross(points[triangle[1]].simd - a, points[triangle[2]].simd - a)
      for corner in 0..<3 { normals[triangle[corner]] += area }
    }
    return normals.map { normal in
      let length = (normal * normal).sum().squareRoot()
      return length > 0 ? normal / length : .zero
    }
  }

  /// A direction of the camera's frame in the head's.
  func turned(_ direction: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      (axes.x * direction).sum(), (axes.y * direction).sum(), (axes.z * direction).sum())
  }

  /// How far a vertex faces the camera: the cosine between its normal and the way to it.
  func facing(_ vertex: Int) -> Float {
    let point = inCamera[vertex].simd
    return -(normals[vertex] * point).sum() / (point * point).sum().squareRoot()
  }
}

extension PackedPoint {
  /// The point as a vector in single precision.
  var simd: SIMD3<Float> { SIMD3(x, y, z) }
}
