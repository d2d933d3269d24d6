import PlumblineModel

/// A texture while it is baked.
struct TexelGrid {
  /// The width and the height.
  let side: Int
  /// The color of each texel.
  var colors: [RGB8]
  /// The raw ``BakedTexture/TexelOrigin`` of each texel.
  var origins: [UInt8]

  /// No texel has a triangle yet.
  init(side: Int) {
    self.side = side
    colors = Array(repeating: RGB8(red: 0, green: 0, blue: 0), count: side * side)
    origins = Array(repeating: BakedTexture.TexelOrigin.outside.rawValue, count: side * side)
  }

  /// Colors each texel of a triangle that the photo shows; of triangles that overlap in the layout
  /// the first has the texel.
  ///
  /// `corners` are the positions of the texture coordinates, in texels. Returns the triangles with texels
  /// that the photo does not show, rising.
  mutating func take(
    from view: BakingView, mesh: TriangleMesh, corners: [SIMD2<Double>], minimumCosine: Double,
    hiddenVertices: [Bool]? = nil
  ) -> [Int] {
    guard let layout = mesh.texture else { return [] }
    let (outside, photo, filled) = (
      BakedTexture.TexelOrigin.outside.rawValue, BakedTexture.TexelOrigin.photo.rawValue,
      BakedTexture.TexelOrigin.filled.rawValue
    )
    var hidden: [Int] = []
    let side = side
    colors.withUnsafeMutableBufferPointer { colors in
      origins.withUnsafeMutableBufferPointer { origins in
        for (index, places) in layout.triangles.enumerated() {
          guard
            case .onGrid(let triangle) = ScreenTriangle.placed(
              corners[places[0]], corners[places[1]], corners[places[2]], width: side, height: side)
          else { continue }
          let vertices = mesh.triangles[index]
          let isShown = hiddenVertices.map { hidden in
            (0..<3).allSatisfy { !hidden[vertices[$0]] }
          }
          let isFacing =
            isShown != false && mesh.facingCosine(of: vertices) >= minimumCosine
          let slope = isFacing ? view.inverseDepthSlope(of: vertices) : nil
          let first = view.vertices[vertices[0]]
          let toSecond = view.vertices[vertices[1]] - first
          let toThird = view.vertices[vertices[2]] - first
          var isHidden = false
          triangle.forEachPixel { x, y, second, third in
            let place = y &* side &+ x
            guard origins[place] == outside else { return }
            guard let slope,
              let pixel = view.visiblePixel(
                of: first + toSecond * second + toThird * third, slope: slope)
            else {
              origins[place] = filled
              isHidden = true
              return
            }
            origins[place] = photo
            colors[place] = view.color(at: pixel)
          }
          if isHidden { hidden.append(index) }
        }
      }
    }
    return hidden
  }

  /// Multiplies the light of texels that are from the photo by the gains of the vertices around them.
  ///
  /// `corners` are the positions of the texture coordinates, in texels. O(texels).
  mutating func multiply(
    by gains: [SIMD3<Float>], mesh: TriangleMesh, corners: [SIMD2<Double>]
  ) {
    guard let layout = mesh.texture else { return }
    let photo = BakedTexture.TexelOrigin.photo.rawValue
    let codes = LightCodes()
    let side = side
    // Triangles that overlap in the layout share texels, and none is multiplied twice.
    var isDone = [Bool](repeating: false, count: origins.count)
    for (index, places) in layout.triangles.enumerated() {
      guard
        case .onGrid(let triangle) = ScreenTriangle.placed(
          corners[places[0]], corners[places[1]], corners[places[2]], width: side, height: side)
      else { continue }
      let vertices = mesh.triangles[index]
      let first = gains[vertices[0]]
      let toSecond = gains[vertices[1]] - first
      let toThird = gains[vertices[2]] - first
      triangle.forEachPixel { x, y, second, third in
        let place = y &* side &+ x
        guard origins[place] == photo, !isDone[place] else { return }
        isDone[place] = true
        colors[place] = codes.color(
          colors[place], multipliedBy: first + toSecond * second + toThird * third)
      }
    }
  }

  /// Colors texels of `hidden` triangles that the photo does not show as their mirror images, which
  /// it does.
  mutating func mirror(
    _ hidden: [Int], by mirror: MirroredTriangles, layout: TextureLayout, corners: [SIMD2<Double>]
  ) {
    let side = side
    for index in hidden {
      let places = layout.triangles[index]
      guard let image = mirror.corners(of: index),
        case .onGrid(let triangle) = ScreenTriangle.placed(
          corners[places[0]], corners[places[1]], corners[places[2]], width: side, height: side)
      else { continue }
      let first = corners[image[0]]
      let toSecond = corners[image[1]] - first
      let toThird = corners[image[2]] - first
      triangle.forEachPixel { x, y, second, third in
        let place = y &* side &+ x
        guard origins[place] == BakedTexture.TexelOrigin.filled.rawValue,
          let color = photoColor(at: first + toSecond * Double(second) + toThird * Double(third))
        else { return }
        colors[place] = color
        origins[place] = BakedTexture.TexelOrigin.mirrored.rawValue
      }
    }
  }

  /// The color at a position, mixed of those of the four texels around it that are from the photo;
  /// `nil` when the nearest one is not.
  private func photoColor(at place: SIMD2<Double>) -> RGB8? {
    let last = Double(side - 1)
    let x = min(max(place.x, 0), last)
    let y = min(max(place.y, 0), last)
    let photo = BakedTexture.TexelOrigin.photo.rawValue
    guard origins[Int(y.rounded()) * side + Int(x.rounded())] == photo else { return nil }
    let (column, row) = (Int(x), Int(y))
    var sum = SIMD3<Float>.zero
    var weights: Float = 0
    for below in row...min(row + 1, side - 1) {
      for right in column...min(column + 1, side - 1) where origins[below * side + right] == photo {
        let weight = Float((1 - abs(x - Double(right))) * (1 - abs(y - Double(below))))
        sum += colors[below * side + right].floats * weight
        weights += weight
      }
    }
    // The nearest texel has at least a quarter.
    return RGB8(rounding: sum / weights)
  }
}

extension TriangleMesh {
  /// The cosine between a triangle's normal and the direction from its middle to the camera; −1
  /// for one without an area.
  func facingCosine(of triangle: TriangleIndices) -> Double {
    let corner = positions[triangle[0]].vector
    let (toSecond, toThird) = (
      positions[triangle[1]].vector - corner, positions[triangle[2]].vector - corner
    )
    let normal = cross(toSecond, toThird)
    let middle = corner + (toSecond + toThird) / 3
    let lengths = ((normal * normal).sum() * (middle * middle).sum()).squareRoot()
    return lengths > 0 ? -(normal * middle).sum() / lengths : -1
  }
}
