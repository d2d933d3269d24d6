import PlumblineGeometry
import PlumblineModel

extension HeadParts {
  /// Adds the parts that the model has beside its face, moved with the face where they touch it.
  ///
  /// The measured face differs from the model's by what the depth says. Near their common border a part follows that
  /// difference, and less with the distance; teeth, gums and eyes move as a whole with the mouth or the eye.
  ///
  /// - Parameters:
  ///   - given: The parts.
  ///   - model: The model.
  ///   - shape: The coefficients of the face.
  /// - Returns: The centers of the eyes, the left one's first.
  mutating func add(
    _ given: ModelParts, of model: MorphableModel, shape: FaceShape
  ) -> [(isLeft: Bool, center: SIMD3<Double>)] {
    let points = given.positions(of: shape)
    let faceCount = model.vertexCount
    let differences = zip(positions, model.positions(of: shape)).map { $0 - $1.vector }
    var partOf: [Int] = []
    for (index, part) in given.parts.enumerated() {
      partOf += Array(repeating: index, count: part.vertexCount)
    }
    let touched = Self.touched(given, partOf, faceCount: faceCount)
    var eyes: [(isLeft: Bool, center: SIMD3<Double>)] = []
    var first = 0
    for (index, part) in given.parts.enumerated() {
      let range = first..<first + part.vertexCount
      first = range.upperBound
      let middle = points[range].reduce(.zero, +) / Double(range.count)
      let border = touched[index] ?? Self.border(of: part.kind, middle, given, touched, positions)
      let follows = touched[index] != nil
      let shift =
        border.isEmpty
        ? .zero : border.reduce(SIMD3<Double>.zero) { $0 + differences[$1] } / Double(border.count)
      var kind = part.kind
      if kind == .leftEye || kind == .rightEye {
        kind = middle.x > 0 ? .leftEye : .rightEye
        eyes.append((kind == .leftEye, Self.center(of: points[range]) + shift))
      }
      begin(kind, source: .model)
      for vertex in range {
        let moved =
          follows ? difference(at: points[vertex], border, differences, points: positions) : shift
        let sigma = CompletedHead.sigmaMeters(of: kind)
        _ = add(points[vertex] + moved, sigma: sigma)
      }
    }
    addTriangles(of: given, partOf, faceCount: faceCount)
    return eyes.sorted { $0.isLeft && !$1.isLeft }
  }

  /// The center of an eye of the model: half its width behind its foremost point.
  private static func center(of eye: ArraySlice<SIMD3<Double>>) -> SIMD3<Double> {
    var (low, high) = (SIMD3(repeating: Double.infinity), SIMD3(repeating: -Double.infinity))
    for point in eye {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let middle = (low + high) / 2
    return SIMD3(middle.x, middle.y, high.z - (high.x - low.x) / 2)
  }

  /// How far from a border its difference from the model is felt, meters.
  private static let feltMeters = 0.03

  /// The difference at a point: that of the border's vertices around it, fading with the distance.
  private func difference(
    at point: SIMD3<Double>, _ border: [Int], _ differences: [SIMD3<Double>],
    points: [SIMD3<Double>]
  ) -> SIMD3<Double> {
    var (sum, weights, nearest) = (SIMD3<Double>.zero, 0.0, Double.infinity)
    for vertex in border {
      let way = point - points[vertex]
      let square = (way * way).sum()
      nearest = min(nearest, square)
      // Near ones count most, so that the surface meets the face at its border.
      let weight = 1 / (square + 1e-6) / (square + 1e-6)
      sum += differences[vertex] * weight
      weights += weight
    }
    guard weights > 0 else { return .zero }
    let fade = Double(exponential(Float(-nearest / (Self.feltMeters * Self.feltMeters))))
    return sum / weights * fade
  }

  /// For each part that joins the face, the face's vertices that it touches.
  private static func touched(
    _ given: ModelParts, _ partOf: [Int], faceCount: Int
  ) -> [Int: [Int]] {
    var touched: [Int: Set<Int>] = [:]
    for triangle in given.triangles {
      let part = partOf[Int(triangle.maximum) - faceCount]
      for corner in 0..<3 where triangle[corner] < faceCount {
        touched[part, default: []].insert(triangle[corner])
      }
    }
    return touched.mapValues { $0.sorted() }
  }

  /// The border that a part without one moves with: the mouth's for teeth and gums, the nearest socket's for an eye.
  private static func border(
    of kind: CompletedHead.Part.Kind, _ middle: SIMD3<Double>, _ given: ModelParts,
    _ touched: [Int: [Int]], _ positions: [SIMD3<Double>]
  ) -> [Int] {
    let wanted: CompletedHead.Part.Kind =
      kind == .leftEye || kind == .rightEye ? .eyeSocket : .mouth
    let borders = touched.filter { given.parts[$0.key].kind == wanted }.values
    func distance(_ border: [Int]) -> Double {
      let sum = border.reduce(SIMD3<Double>.zero) { $0 + positions[$1] }
      return (sum / Double(max(1, border.count)) - middle).norm
    }
    return borders.min { distance($0) < distance($1) } ?? []
  }

  /// Adds the triangles of the parts, and lays each part out around its own middle.
  private mutating func addTriangles(of given: ModelParts, _ partOf: [Int], faceCount: Int) {
    let kinds = parts.suffix(given.parts.count)
    let middles = kinds.map { part -> SIMD3<Double> in
      let range = part.firstVertex..<part.firstVertex + part.vertexCount
      return positions[range].reduce(.zero, +) / Double(range.count)
    }
    let list = Array(kinds)
    for triangle in given.triangles {
      let index = partOf[Int(triangle.maximum) - faceCount]
      func corner(_ vertex: UInt32) -> Corner {
        let way = positions[Int(vertex)] - middles[index]
        return Corner(
          vertex: vertex, place: Self.place(way, list[index].kind, number: index))
      }
      add(corner(triangle.first), corner(triangle.second), corner(triangle.third))
    }
  }

  /// Where a direction from a part's middle lies in the texture: a disk whose middle is the front of an eye, and the
  /// rear of all else.
  private static func place(
    _ way: SIMD3<Double>, _ kind: CompletedHead.Part.Kind, number: Int
  ) -> SIMD2<Float> {
    let isEye = kind == .leftEye || kind == .rightEye
    let side = SIMD2(way.x, way.y)
    let across = (side * side).sum().squareRoot()
    let turn = angle(SIMD2(Float(isEye ? way.z : -way.z), Float(across)))
    let degrees = Double(turn) * 180 / .pi
    let share = isEye ? Eyeball.textureShare(ofDegrees: degrees) : 0.98 * degrees / 180
    let unit = across > 0 ? side / across : .zero
    let place = SIMD2(0.5 + Float(share * unit.x) / 2, 0.5 - Float(share * unit.y) / 2)
    switch kind {
    case .leftEye, .rightEye:
      return CompletedHead.eyeRectangle(isLeft: kind == .leftEye).position(place)
    case .back: return CompletedHead.backRectangle.position(place)
    default: return CompletedHead.openingRectangle(number).position(place)
    }
  }

  /// Closes what the model leaves open of the outer surface, such as the end of the neck.
  mutating func closeBack(facing faceCount: Int) {
    guard let back = parts.first(where: { $0.kind == .back }) else { return }
    let range = back.firstVertex..<back.firstVertex + back.vertexCount
    let packed = positions.map { PackedPoint(x: Float($0.x), y: Float($0.y), z: Float($0.z)) }
    guard let mesh = try? TriangleMesh(positions: packed, triangles: triangles) else { return }
    let loops = MeshEdges(mesh).borderLoops
    for (number, loop) in loops.enumerated()
    where loop.allSatisfy({ Int($0) < faceCount || range.contains(Int($0)) }) {
      close(
        HeadOpenings.Opening(loop: loop, kind: .opening),
        in: CompletedHead.openingRectangle(20 + number))
    }
  }
}
