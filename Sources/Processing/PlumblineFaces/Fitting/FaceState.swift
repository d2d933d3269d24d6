import PlumblineGeometry
public import PlumblineModel

/// The pose and shape of a head.
public struct FaceState: Sendable, Hashable {
  /// The head's pose: takes points of the head's frame into the camera's, meters.
  public var cameraFromHead: RigidTransform
  /// The identity and the expression.
  public var shape: FaceShape

  /// Creates a state from its parts.
  package init(cameraFromHead: RigidTransform, shape: FaceShape) {
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

/// A first pose of the head from its landmarks alone.
///
/// The landmarks and their relative depths make a head of unknown size, to which the mean face is laid by a
/// similarity; its size in the image says how far away a head of mean size is. Without
/// relative depths, they are those of the mean face in the pose found so far, from a head that looks into
/// the camera on.
///
/// - Source: S. Umeyama, *Least-Squares Estimation of Transformation Parameters Between Two Point
///   Patterns*, 1991; the rotation by the quaternion of B. Horn, *Closed-form solution of absolute
///   orientation using unit quaternions*, 1987; depths from the pose before, as D. DeMenthon and L. Davis,
///   *Model-Based Object Pose in 25 Lines of Code*, 1995.
package enum PoseStart {
  /// How often depths are taken from the pose before: each time the error of a turn shrinks by about half.
  private static let roundCount = 40

  /// The pose; `nil` where the landmarks have no extent.
  static func cameraFromHead(
    _ model: MorphableModel, _ observation: FaceObservation
  ) -> RigidTransform? {
    guard let landmarks = observation.landmarks else { return nil }
    let directions = observation.directions
    let focal = observation.focalLength
    let contour = Set(LandmarkTerm.contour)
    var seen: [SIMD3<Double>] = []
    var known: [SIMD3<Double>] = []
    for (index, anchor) in model.anchors.enumerated() where !contour.contains(index) {
      guard let anchor, landmarks.isSeen(index) else { continue }
      let depth = Double(landmarks.relativeDepths[index]) / focal
      seen.append(SIMD3(directions[index].x, directions[index].y, depth))
      var point = SIMD3<Double>.zero
      for corner in 0..<3 {
        point += model.mean[anchor.vertices[corner]].vector * Double(anchor.shares[corner])
      }
      known.append(point)
    }
    guard seen.count >= 8 else { return nil }
    return seen.allSatisfy({ $0.z.isNaN })
      ? poseWithoutDepths(seen, known)
      : similarity(from: known, to: seen).flatMap { pose(of: $0, known, seen) }
  }

  /// Lays the mean face to landmarks without depths.
  private static func poseWithoutDepths(
    _ flat: [SIMD3<Double>], _ known: [SIMD3<Double>]
  ) -> RigidTransform? {
    let facing = Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1])
    var rotation = facing
    var found: (rotation: Rotation, scale: Double)?
    var seen = flat.map { SIMD3($0.x, $0.y, 0) }
    // The turn in the image comes first, so that no head starts upside down.
    let turned = similarity(from: known.map { SIMD3($0.x, $0.y, 0) }, to: seen)
    if let turned, turned.rotation.z.z < 0 { rotation = turned.rotation }
    let center = known.reduce(.zero, +) / Double(known.count)
    var scale = turned?.scale ?? 0
    for _ in 0..<roundCount {
      for index in seen.indices {
        seen[index].z = scale * (rotation * (known[index] - center)).z
      }
      guard let next = similarity(from: known, to: seen) else { return nil }
      found = next
      (rotation, scale) = next
    }
    return found.flatMap { pose(of: $0, known, seen) }
  }

  /// The rotation and the factor that lay points nearest to others, after both are centered.
  private static func similarity(
    from known: [SIMD3<Double>], to seen: [SIMD3<Double>]
  ) -> (rotation: Rotation, scale: Double)? {
    let count = Double(seen.count)
    let seenCenter = seen.reduce(.zero, +) / count
    let knownCenter = known.reduce(.zero, +) / count
    let a = known.map { $0 - knownCenter }
    let b = seen.map { $0 - seenCenter }
    guard let rotation = bestRotation(from: a, to: b) else { return nil }
    var (top, bottom) = (0.0, 0.0)
    for (p, q) in zip(a, b) {
      top += ((rotation * p) * q).sum()
      bottom += (p * p).sum()
    }
    // A head farther than a kilometer is the rounding of landmarks that lie on one point.
    guard bottom > 0, top > 1e-3 * bottom else { return nil }
    return (rotation, top / bottom)
  }

  /// The pose at the distance at which the head has its size.
  private static func pose(
    of found: (rotation: Rotation, scale: Double), _ known: [SIMD3<Double>],
    _ seen: [SIMD3<Double>]
  ) -> RigidTransform {
    let count = Double(seen.count)
    let seenCenter = seen.reduce(.zero, +) / count
    let knownCenter = known.reduce(.zero, +) / count
    // Units of direction for each meter: the reciprocal of the distance.
    let distance = 1 / found.scale
    let center = SIMD3(seenCenter.x * distance, seenCenter.y * distance, distance)
    return RigidTransform(
      rotation: found.rotation, translation: center - found.rotation * knownCenter)
  }

  /// The rotation that turns one set of vectors nearest to another: the eigenvector of the largest
  /// eigenvalue of Horn's matrix, by powers of the matrix made positive.
  package static func bestRotation(
    from a: [SIMD3<Double>], to b: [SIMD3<Double>]
  ) -> Rotation? {
    var s = [SIMD3<Double>](repeating: .zero, count: 3)
    for (p, q) in zip(a, b) {
      for i in 0..<3 { s[i] += p[i] * q }
    }
    let (xx, xy, xz) = (s[0].x, s[0].y, s[0].z)
    let (yx, yy, yz) = (s[1].x, s[1].y, s[1].z)
    let (zx, zy, zz) = (s[2].x, s[2].y, s[2].z)
    var n: [SIMD4<Double>] = [
      [xx + yy + zz, yz - zy, zx - xz, xy - yx],
      [yz - zy, xx - yy - zz, xy + yx, zx + xz],
      [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
      [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
    ]
    // Eigenvalues lie within the Frobenius norm, so this shift makes all of them positive.
    let shift = n.reduce(0) { $0 + ($1 * $1).sum() }.squareRoot()
    guard shift > 0, shift.isFinite else { return nil }
    for i in 0..<4 { n[i][i] += shift }
    // Squaring doubles the exponent: 30 squarings are a billion steps of the power method.
    for _ in 0..<30 {
      let m = n
      let scale = m.reduce(0) { max($0, max($1.max(), -$1.min())) }
      for i in 0..<4 {
        var row = SIMD4<Double>.zero
        for k in 0..<4 { row += m[i][k] * m[k] }
        n[i] = row / (scale * scale)
      }
    }
    let row = n.max { ($0 * $0).sum() < ($1 * $1).sum() } ?? n[0]
    let length = (row * row).sum().squareRoot()
    guard length > 0 else { return nil }
    let q = row / length
    return Rotation(quaternion: SIMD4(q.y, q.z, q.w, q.x))
  }
}
