import PlumblineGeometry
import PlumblineModel

/// The mesh of a head while parts are added to it, in the head's frame.
struct HeadParts {
  /// The vertices, those of the face first.
  private(set) var positions: [SIMD3<Double>]
  private(set) var triangles: [TriangleIndices]
  private(set) var parts: [CompletedHead.Part] = []
  private(set) var followers: [CompletedHead.Follower] = []
  /// One standard deviation of each added vertex along its normal, beside that of its border, meters.
  private var sigmas: [Float] = []
  private var coordinates: [SIMD2<Float>]
  private var textureTriangles: [TriangleIndices]
  private let hasLayout: Bool
  private let faceVertexCount: Int

  /// A corner of an added triangle: its vertex, and where it lies in the texture.
  struct Corner {
    var vertex: UInt32
    var place: SIMD2<Float>
  }

  /// Starts with a face.
  init(positions: [SIMD3<Double>], layout: TextureLayout?, triangles: [TriangleIndices]) {
    self.positions = positions
    self.triangles = triangles
    coordinates = layout?.coordinates ?? []
    textureTriangles = layout?.triangles ?? []
    hasLayout = layout != nil
    faceVertexCount = positions.count
  }

  /// Starts a part; what is added belongs to it.
  mutating func begin(
    _ kind: CompletedHead.Part.Kind, source: CompletedHead.Part.Source = .proportions
  ) {
    parts.append(
      CompletedHead.Part(
        kind: kind, source: source, firstVertex: positions.count, vertexCount: 0))
  }

  /// Adds a vertex to the last part.
  mutating func add(
    _ position: SIMD3<Double>, sigma: Float, following vertices: [UInt32] = [], share: Float = 0
  ) -> UInt32 {
    positions.append(position)
    sigmas.append(sigma)
    followers.append(CompletedHead.Follower(vertices: vertices, share: share))
    parts[parts.count - 1].vertexCount += 1
    return UInt32(positions.count - 1)
  }

  /// Adds a triangle, counter-clockwise seen from outside; one with a corner twice is left out.
  mutating func add(_ first: Corner, _ second: Corner, _ third: Corner) {
    let triangle = TriangleIndices(first.vertex, second.vertex, third.vertex)
    guard !triangle.repeatsCorner else { return }
    triangles.append(triangle)
    guard hasLayout else { return }
    let start = UInt32(coordinates.count)
    coordinates += [first.place, second.place, third.place]
    textureTriangles.append(TriangleIndices(start, start + 1, start + 2))
  }

  /// The mesh in the camera's frame, with the ± of each vertex and marks of those that were added.
  ///
  /// - Parameters:
  ///   - face: The face that it began with.
  ///   - cameraFromHead: The pose.
  /// - Returns: The face alone where the parts make no mesh, which would be a fault of these formulas.
  func mesh(completing face: TriangleMesh, cameraFromHead: RigidTransform) -> TriangleMesh {
    let added = positions.dropFirst(faceVertexCount).map { point -> PackedPoint in
      let placed = cameraFromHead * point
      return PackedPoint(x: Float(placed.x), y: Float(placed.y), z: Float(placed.z))
    }
    let unknown = added.map { _ in Float.nan }
    let layout = try? TextureLayout(coordinates: coordinates, triangles: textureTriangles)
    let marks = positions.indices.map { $0 >= faceVertexCount }
    guard
      var mesh = try? TriangleMesh(
        positions: face.positions + added, triangles: triangles, texture: hasLayout ? layout : nil,
        sigmaMeters: face.sigmaMeters.map { $0 + sigmas },
        residualMeters: face.residualMeters.map { $0 + unknown },
        isInvented: added.isEmpty ? nil : marks)
    else { return face }
    mesh.normals = mesh.areaWeightedNormals
    return mesh
  }
}

extension HeadParts {
  /// Adds back, eyes and what closes openings, by people's proportions.
  mutating func addProportions(
    of model: MorphableModel, _ face: [SIMD3<Double>], eyes: [Eyeball]
  ) {
    let openings = HeadOpenings(model, positions: face)
    if let border = openings.outer { addBack(of: border) }
    for eye in eyes { add(eye) }
    for (number, opening) in openings.others.enumerated() {
      close(opening, in: CompletedHead.openingRectangle(number))
    }
  }

  /// Turns the vertices of an eye of the model to where it looks.
  mutating func turn(_ eye: Eyeball) {
    let kind: CompletedHead.Part.Kind = eye.isLeft ? .leftEye : .rightEye
    for part in parts where part.kind == kind {
      for vertex in part.firstVertex..<part.firstVertex + part.vertexCount {
        positions[vertex] = eye.center + eye.axes * (positions[vertex] - eye.center)
      }
    }
  }

  /// Adds the ball of an eye: a row of vertices for each of ``Eyeball/rows``, closed at both ends.
  mutating func add(_ eye: Eyeball) {
    begin(eye.isLeft ? .leftEye : .rightEye)
    let rectangle = CompletedHead.eyeRectangle(isLeft: eye.isLeft)
    let columns = Eyeball.columnCount
    let turn = 2 * Double.pi / Double(columns)
    // The head's x runs to its left, which is right in a photo of the face and so in the texture.
    func place(_ degrees: Double, _ column: Double) -> SIMD2<Float> {
      let share = Eyeball.textureShare(ofDegrees: degrees) / 2
      let angle = Float(column * turn)
      return rectangle.position(
        SIMD2(
          0.5 + Float(share) * cosine(angle), 0.5 - Float(share) * sine(angle)))
    }
    func vertex(_ degrees: Double, _ column: Int) -> SIMD3<Double> {
      eye.point(fromAxis: degrees * .pi / 180, around: Double(column) * turn)
    }
    let sigma = CompletedHead.eyeSigmaMeters
    let pupil = Corner(vertex: add(vertex(0, 0), sigma: sigma), place: place(0, 0))
    var last: [UInt32] = []
    for (row, degrees) in Eyeball.rows.enumerated() {
      let ring = (0..<columns).map { add(vertex(degrees, $0), sigma: sigma) }
      for column in 0..<columns {
        let next = (column + 1) % columns
        func corner(_ list: [UInt32], _ row: Int, _ column: Int, _ index: Int) -> Corner {
          Corner(vertex: list[index], place: place(Eyeball.rows[row], Double(column)))
        }
        let outer = (
          corner(ring, row, column, column), corner(ring, row, column + 1, next)
        )
        guard row > 0 else {
          add(pupil, outer.0, outer.1)
          continue
        }
        let inner = (
          corner(last, row - 1, column, column), corner(last, row - 1, column + 1, next)
        )
        add(inner.0, outer.0, outer.1)
        add(inner.0, outer.1, inner.1)
      }
      last = ring
    }
    let end = Eyeball.rows[Eyeball.rows.count - 1]
    let back = add(vertex(180, 0), sigma: sigma)
    for column in 0..<columns {
      add(
        Corner(vertex: last[column], place: place(end, Double(column))),
        Corner(vertex: back, place: place(180, Double(column) + 0.5)),
        Corner(vertex: last[(column + 1) % columns], place: place(end, Double(column + 1))))
    }
  }

  /// How deep a mouth is closed behind its lips, and an eye behind its lids, meters.
  private static let (mouthMeters, eyeMeters) = (0.03, 0.022)

  /// Closes an opening behind its border, by rows that shrink to a point.
  ///
  /// The first rows follow the border when a shape moves it, so that an open mouth has a hollow behind it.
  mutating func close(_ opening: HeadOpenings.Opening, in rectangle: TextureRectangle) {
    begin(opening.kind)
    let loop = opening.loop
    let border = loop.map { positions[Int($0)] }
    let middle = border.reduce(SIMD3<Double>.zero, +) / Double(border.count)
    let depth: Double
    switch opening.kind {
    case .mouth: depth = Self.mouthMeters
    case .eyeSocket: depth = Self.eyeMeters
    default: depth = 0
    }
    let sigma = CompletedHead.openingSigmaMeters
    let rowShares: [Double] = depth > 0 ? [0.35, 0.7] : []
    func place(_ share: Double, _ index: Int) -> SIMD2<Float> {
      let angle = Float(2 * Double.pi * Double(index) / Double(loop.count))
      let half = Float(share) / 2
      return rectangle.position(SIMD2(0.5 + half * cosine(angle), 0.5 - half * sine(angle)))
    }
    var (last, lastShare) = (loop, 1.0)
    for share in rowShares {
      let width = 1 - share * share * 0.8
      let ring = loop.indices.map { index in
        add(
          middle + (border[index] - middle) * width - SIMD3(0, 0, share * depth), sigma: sigma,
          following: [loop[index]], share: Float(1 - share))
      }
      for index in loop.indices {
        let next = (index + 1) % loop.count
        let (a, b) = (
          Corner(vertex: last[index], place: place(lastShare, index)),
          Corner(vertex: last[next], place: place(lastShare, index + 1))
        )
        let (c, d) = (
          Corner(vertex: ring[index], place: place(1 - share, index)),
          Corner(vertex: ring[next], place: place(1 - share, index + 1))
        )
        add(a, b, d)
        add(a, d, c)
      }
      (last, lastShare) = (ring, 1 - share)
    }
    let end = Corner(
      vertex: add(
        middle - SIMD3(0, 0, depth), sigma: sigma, following: depth > 0 ? [] : loop,
        share: depth > 0 ? 0 : 1),
      place: rectangle.position([0.5, 0.5]))
    for index in loop.indices {
      add(
        Corner(vertex: last[index], place: place(lastShare, index)),
        Corner(vertex: last[(index + 1) % loop.count], place: place(lastShare, index + 1)), end)
    }
  }
}
