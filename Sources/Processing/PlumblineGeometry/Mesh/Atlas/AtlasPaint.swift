import PlumblineModel

/// A texture of many frames while it is painted.
struct AtlasPaint {
  private(set) var texels: TexelGrid
  private let mesh: TriangleMesh
  private let labels: [Int32]
  private let neighbors: TriangleNeighbors
  private let places: TriangleTexels
  /// The triangles of each frame, rising.
  private var triangles: [Int32: [Int]] = [:]
  /// What a triangle's own frame shows at the middle of each edge that is a seam; by 3 × triangle +
  /// edge.
  private var seamColors: [Int: SIMD3<Double>] = [:]

  init(
    _ mesh: TriangleMesh, layout: TextureLayout, labels: [Int32], neighbors: TriangleNeighbors,
    corners: [SIMD2<Double>], side: Int
  ) {
    texels = TexelGrid(side: side)
    self.mesh = mesh
    self.labels = labels
    self.neighbors = neighbors
    places = TriangleTexels(layout: layout, corners: corners, side: side)
    for (index, label) in labels.enumerated() { triangles[label, default: []].append(index) }
    for index in triangles[FrameChoice.none] ?? [] {
      places.forEach(of: index) { place, _, _ in
        texels.origins[place] = BakedTexture.TexelOrigin.filled.rawValue
      }
    }
  }

  /// Colors the triangles of a frame.
  ///
  /// All their corners are visible, so a texel is filled from around it only if something hides what
  /// lies between them.
  mutating func take(_ frame: Int, from view: BakingView) {
    let places = places
    for index in triangles[Int32(frame)] ?? [] {
      let triangle = mesh.triangles[index]
      guard let slope = view.inverseDepthSlope(of: triangle) else { continue }
      let first = view.vertices[triangle[0]]
      let toSecond = view.vertices[triangle[1]] - first
      let toThird = view.vertices[triangle[2]] - first
      places.forEach(of: index) { place, second, third in
        let point = first + toSecond * second + toThird * third
        guard let pixel = view.visiblePixel(of: point, slope: slope) else {
          texels.origins[place] = BakedTexture.TexelOrigin.filled.rawValue
          return
        }
        texels.origins[place] = BakedTexture.TexelOrigin.photo.rawValue
        texels.colors[place] = view.color(at: pixel)
      }
      takeSeams(of: index, corners: [first, first + toSecond, first + toThird], from: view, slope)
    }
  }

  /// Keeps what a frame shows at the edges of a triangle that are seams.
  ///
  /// At an edge a photo often mixes the surface with what lies beside or behind it. So the color is
  /// continued along a line from two points inside, at a fifth and two fifths of the way from the
  /// edge's middle to the third corner.
  private mutating func takeSeams(
    of index: Int, corners: [SIMD3<Float>], from view: BakingView, _ slope: Float
  ) {
    for edge in 0..<3 {
      guard let other = neighbors.across(index, edge: edge), labels[other] != labels[index],
        labels[other] != FrameChoice.none
      else { continue }
      let middle = (corners[edge] + corners[(edge + 1) % 3]) / 2
      let inward = corners[(edge + 2) % 3] - middle
      guard let near = view.visiblePixel(of: middle + 0.2 * inward, slope: slope),
        let far = view.visiblePixel(of: middle + 0.4 * inward, slope: slope)
      else { continue }
      seamColors[3 * index + edge] =
        2 * SIMD3<Double>(view.color(at: near).floats) - SIMD3<Double>(view.color(at: far).floats)
    }
  }

  /// Adds to each region the colors that make it agree with those around it.
  mutating func levelSeams() {
    let regions = SeamLeveling.regions(labels, neighbors)
    let seams = seams
    let offsets = SeamLeveling.offsets(
      seams.map { seam in
        SeamLeveling.Seam(
          first: Int(regions.numbers[seam.first.triangle]),
          second: Int(regions.numbers[seam.second.triangle]), length: seam.length,
          difference: seam.difference)
      }, regionCount: regions.count)
    var corrections = SeamCorrections.prepared(
      mesh, regions: regions.numbers, offsets: offsets, seams: seams)
    corrections.solve()
    let (places, photo) = (places, BakedTexture.TexelOrigin.photo.rawValue)
    for index in mesh.triangles.indices {
      guard let (first, second, third) = corrections.corners(of: index) else { continue }
      let (toSecond, toThird) = (second - first, third - first)
      places.forEach(of: index) { place, second, third in
        guard texels.origins[place] == photo else { return }
        let color = texels.colors[place].floats + first + toSecond * second + toThird * third
        texels.colors[place] = RGB8(
          rounding: color.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)))
      }
    }
  }

  /// The edges between triangles of different frames at which both colors are known.
  private var seams: [SeamCorrections.Seam] {
    var seams: [SeamCorrections.Seam] = []
    for index in mesh.triangles.indices {
      for edge in 0..<3 {
        guard let other = neighbors.across(index, edge: edge), other > index,
          let color = seamColors[3 * index + edge],
          let back = (0..<3).first(where: { neighbors.across(other, edge: $0) == index }),
          let otherColor = seamColors[3 * other + back]
        else { continue }
        let (a, b) = (mesh.triangles[index][edge], mesh.triangles[index][(edge + 1) % 3])
        let along = mesh.positions[b].vector - mesh.positions[a].vector
        seams.append(
          SeamCorrections.Seam(
            first: (index, edge), second: (other, back),
            length: (along * along).sum().squareRoot(), difference: otherColor - color))
      }
    }
    return seams
  }
}

/// The texels of each triangle of a layout.
private struct TriangleTexels {
  let layout: TextureLayout
  /// The positions of the texture coordinates, in texels.
  let corners: [SIMD2<Double>]
  let side: Int

  /// Calls the closure for each texel of a triangle with the shares of its second and third corner.
  func forEach(of index: Int, _ body: (Int, Float, Float) -> Void) {
    let places = layout.triangles[index]
    guard
      case .onGrid(let triangle) = ScreenTriangle.placed(
        corners[places[0]], corners[places[1]], corners[places[2]], width: side, height: side)
    else { return }
    triangle.forEachPixel { x, y, second, third in body(y &* side &+ x, second, third) }
  }
}
