package import PlumblineGeometry
package import PlumblineModel

/// A fitted head closed by what no photo of a face shows: the back of the head, eyes, and the openings of the model.
///
/// The vertices of the face stay as they are and come first, so that their numbers do not change. All others are
/// marked as invented: they come from the model's border and from the proportions of people.
package struct CompletedHead: Sendable {
  /// A part that was added.
  package struct Part: Sendable, Hashable {
    /// What was added.
    package enum Kind: String, Sendable, CaseIterable {
      /// The back of the head and of the neck, and its lower end.
      case back
      /// The ball of the left eye.
      case leftEye
      /// The ball of the right eye.
      case rightEye
      /// What closes the opening of an eye behind its ball.
      case eyeSocket
      /// What closes the mouth behind the lips.
      case mouth
      /// Gums and tongue, of a model that has them.
      case gumsAndTongue
      /// The teeth, of a model that has them.
      case teeth
      /// What closes another opening of the model.
      case opening
    }

    /// Where a part comes from.
    package enum Source: String, Sendable {
      /// From the proportions of people.
      case proportions
      /// From the morphable model, by the coefficients of the face.
      case model
    }

    /// What it is.
    package var kind: Kind
    /// Where it comes from.
    package var source = Source.proportions
    /// The first of its vertices.
    package var firstVertex: Int
    /// How many vertices it has, beside those of the face at its border.
    package var vertexCount: Int
  }

  /// The head, in the frame and at the place of the face that it was made from, with a texture layout.
  package let mesh: TriangleMesh
  /// The parts, in the order of their vertices.
  package let parts: [Part]
  /// How many vertices the face has.
  package let faceVertexCount: Int
  /// How many triangles the face has; they come first.
  package let faceTriangleCount: Int
  /// The eyes, where the model knows where lids lie.
  package let eyes: [Eyeball]
  /// How many vertices behind those of the face are the model's own.
  let modelVertexCount: Int
  /// For each vertex behind the face's those of the face whose motion it follows, and how far.
  let followers: [Follower]

  /// A vertex that moves with others of the face: the mean of their motions times a share.
  struct Follower: Sendable {
    var vertices: [UInt32]
    var share: Float
  }

  /// Where the layout of the face lies in the texture of a completed head.
  package static let faceRectangle = TextureRectangle(low: [0, 0], high: [0.8, 0.8])
  /// Where the back of the head lies.
  static let backRectangle = TextureRectangle(low: [0.005, 0.81], high: [0.795, 0.995])
  /// Where an eye lies: a square, the front of the eye in its middle.
  package static func eyeRectangle(isLeft: Bool) -> TextureRectangle {
    let top: Float = isLeft ? 0.005 : 0.205
    return TextureRectangle(low: [0.805, top], high: [0.995, top + 0.19])
  }
  /// Where the openings lie: each has a square of an 8 × 8 board.
  static func openingRectangle(_ number: Int) -> TextureRectangle {
    let place = min(number, 63)
    let low = SIMD2<Float>(0.805, 0.405) + SIMD2(Float(place % 8), Float(place / 8)) * 0.0237
    return TextureRectangle(low: low + 0.003, high: low + 0.0207)
  }

  /// One standard deviation of how far people's heads differ at the back, meters.
  ///
  /// - Source: U.S. Army, *ANSUR II*, 2012: the length of 6,000 heads has a standard deviation of 7 mm.
  static let backSigmaMeters: Float = 0.007
  /// One standard deviation of where an eye's surface lies behind its lids, meters: the thickness of lids and the
  /// spread of eyes' radii.
  static let eyeSigmaMeters: Float = 0.0015
  /// One standard deviation of what closes an opening and of what lies in a mouth, meters: nothing is known of it but
  /// its border.
  static let openingSigmaMeters: Float = 0.01

  /// One standard deviation of a part of the model, meters: the spread of people as for parts of proportions, since no
  /// photo says more of them.
  static func sigmaMeters(of kind: Part.Kind) -> Float {
    switch kind {
    case .back: backSigmaMeters
    case .leftEye, .rightEye: eyeSigmaMeters
    default: openingSigmaMeters
    }
  }
}

extension CompletedHead {
  /// Completes a face.
  ///
  /// - Parameters:
  ///   - face: The face of the model in the camera's frame, with a texture layout or without.
  ///   - model: The model.
  ///   - cameraFromHead: The pose of the head.
  ///   - shape: The coefficients of the face, with which parts of the model are placed; without them, and for a model
  ///     of a face alone, parts have people's proportions.
  ///   - gazes: The directions in which the eyes look, in the camera's frame, the left one's first; `nil` for
  ///     straight ahead.
  /// - Returns: The head; the face alone where its border is none that a head has. O(*n*), some 10 ms.
  package static func completing(
    _ face: TriangleMesh, model: MorphableModel, cameraFromHead: RigidTransform,
    shape: FaceShape? = nil, gazes: (left: SIMD3<Double>?, right: SIMD3<Double>?) = (nil, nil)
  ) -> CompletedHead {
    let headFromCamera = cameraFromHead.inverse
    let inHead = face.positions.map { headFromCamera * $0.vector }
    var parts = HeadParts(
      positions: inHead, layout: face.texture?.placed(in: faceRectangle),
      triangles: face.triangles)
    func gaze(isLeft: Bool) -> SIMD3<Double>? {
      (isLeft ? gazes.left : gazes.right).map { headFromCamera.rotation * $0 }
    }
    let eyes: [Eyeball]
    var modelVertexCount = 0
    if let given = model.parts, let shape {
      eyes = parts.add(given, of: model, shape: shape).map { isLeft, center in
        Eyeball(isLeft: isLeft, center: center, gaze: gaze(isLeft: isLeft))
      }
      for eye in eyes { parts.turn(eye) }
      parts.closeBack(facing: face.vertexCount)
      modelVertexCount = given.mean.count
    } else {
      eyes = [true, false].compactMap { isLeft in
        Eyeball.fitted(
          isLeft: isLeft, model: model, positions: inHead, gaze: gaze(isLeft: isLeft))
      }
      parts.addProportions(of: model, inHead, eyes: eyes)
    }
    let mesh = parts.mesh(completing: face, cameraFromHead: cameraFromHead)
    let placedEyes = eyes.map { eye in
      var placed = eye
      placed.center = cameraFromHead * eye.center
      placed.axes = cameraFromHead.rotation * eye.axes
      return placed
    }
    return CompletedHead(
      mesh: mesh, parts: mesh.vertexCount > face.vertexCount ? parts.parts : [],
      faceVertexCount: face.vertexCount, faceTriangleCount: face.triangles.count,
      eyes: placedEyes, modelVertexCount: modelVertexCount, followers: parts.followers)
  }

  /// A target of the face continued on the added vertices: openings follow their borders, and eyes turn.
  ///
  /// - Parameters:
  ///   - target: A target of the face, with an entry for each of its vertices.
  ///   - model: The model, whose own parts move by its expressions.
  ///   - cameraFromHead: The pose of the head.
  /// - Returns: The target for ``mesh``. O(*n*).
  package func continued(
    _ target: MorphTarget, of model: MorphableModel, cameraFromHead: RigidTransform
  ) -> MorphTarget {
    let dense = target.denseDeltas(vertexCount: faceVertexCount)
    var deltas = dense
    deltas.reserveCapacity(mesh.vertexCount)
    for follower in followers.prefix(mesh.vertexCount - faceVertexCount) {
      var sum = SIMD3<Float>.zero
      for vertex in follower.vertices { sum += dense[Int(vertex)].simd }
      let share = follower.share / Float(max(1, follower.vertices.count))
      deltas.append(PackedPoint(x: sum.x * share, y: sum.y * share, z: sum.z * share))
    }
    if let given = model.parts, modelVertexCount == given.mean.count {
      for member in ARKitShapes.expressions(of: target.name, in: model) {
        for (index, way) in given.modes[model.identityCount + member].enumerated() {
          let moved = cameraFromHead.rotation * way.vector
          let vertex = faceVertexCount + index
          deltas[vertex].x += Float(moved.x)
          deltas[vertex].y += Float(moved.y)
          deltas[vertex].z += Float(moved.z)
        }
      }
    }
    for part in parts where part.kind == .leftEye || part.kind == .rightEye {
      let isLeft = part.kind == .leftEye
      guard let eye = eyes.first(where: { $0.isLeft == isLeft }),
        let turn = Eyeball.turn(of: target.name, isLeft: isLeft)
      else { continue }
      let turned = cameraFromHead.rotation * turn * cameraFromHead.rotation.inverse
      for vertex in part.firstVertex..<part.firstVertex + part.vertexCount {
        let arm = mesh.positions[vertex].vector - eye.center
        let way = turned * arm - arm
        deltas[vertex] = PackedPoint(x: Float(way.x), y: Float(way.y), z: Float(way.z))
      }
    }
    return MorphTarget(name: target.name, deltas: deltas)
  }
}

/// The borders of a model: the outer one and its openings.
struct HeadOpenings {
  /// An opening, its vertices in the direction of triangles that would close it, and what it is.
  struct Opening {
    var loop: [UInt32]
    var kind: CompletedHead.Part.Kind
  }

  /// The longest border, where it goes around the face from above to below; `nil` for none such.
  let outer: [UInt32]?
  /// All others.
  let others: [Opening]

  /// The height below which a border is an opening and no end of the face, as a share of the model's height.
  static let leastOuterShare = 0.5
  /// How far the middle of an opening may lie from that of the lids or lips, meters.
  static let nearMeters = 0.02

  /// Finds the borders; O(*n*).
  init(_ model: MorphableModel, positions: [SIMD3<Double>]) {
    let loops = MeshEdges(model.surface).borderLoops.sorted { $0.count > $1.count }
    func extent(_ points: [SIMD3<Double>]) -> Double {
      (points.map(\.y).max() ?? 0) - (points.map(\.y).min() ?? 0)
    }
    let height = extent(positions)
    let outer = loops.first { loop in
      extent(loop.map { positions[Int($0)] }) > Self.leastOuterShare * height
    }
    self.outer = outer
    let marks: [(LandmarkRegion, CompletedHead.Part.Kind)] = [
      (.leftEye, .eyeSocket), (.rightEye, .eyeSocket), (.lips, .mouth),
    ]
    let middles = marks.compactMap { region, kind in
      model.middle(of: region, positions).map { ($0, kind) }
    }
    others = loops.filter { $0 != outer }.map { loop in
      let middle = loop.reduce(SIMD3<Double>.zero) { $0 + positions[Int($1)] } / Double(loop.count)
      let near = middles.min { ($0.0 - middle).norm < ($1.0 - middle).norm }
      let isNear = loop.count > 16 && near.map { ($0.0 - middle).norm < Self.nearMeters } == true
      return Opening(loop: loop, kind: isNear ? near?.1 ?? .opening : .opening)
    }
  }
}

extension MorphableModel {
  /// The mean position of a region's landmarks on a surface; `nil` where none has a place.
  func middle(of region: LandmarkRegion, _ positions: [SIMD3<Double>]) -> SIMD3<Double>? {
    let points = places(of: region.landmarks, positions)
    guard !points.isEmpty else { return nil }
    return points.reduce(.zero, +) / Double(points.count)
  }

  /// The positions of landmarks on a surface, of those that have a place.
  func places(of landmarks: [Int], _ positions: [SIMD3<Double>]) -> [SIMD3<Double>] {
    landmarks.compactMap { landmark in
      guard anchors.indices.contains(landmark), let anchor = anchors[landmark] else { return nil }
      return (0..<3).reduce(SIMD3<Double>.zero) {
        $0 + positions[anchor.vertices[$1]] * Double(anchor.shares[$1])
      }
    }
  }
}

extension SIMD3<Double> {
  /// The length of a vector.
  var norm: Double { (self * self).sum().squareRoot() }

  /// The vector of length 1 in its direction; itself where it has none.
  var unit: SIMD3<Double> { norm > 0 ? self / norm : self }

  /// The vector product.
  func crossed(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
