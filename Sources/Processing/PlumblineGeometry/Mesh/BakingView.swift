import PlumblineModel

/// A photo as a mesh is baked from it: at a fitting size, with what it sees of the mesh.
struct BakingView {
  /// The photo, reduced where it is much finer than the texture.
  let photo: Raster<RGB8>
  /// For each vertex its pixel in ``photo`` times its depth, and the depth in meters; the depth is 0
  /// for a vertex that is behind the camera.
  let vertices: [SIMD3<Float>]

  /// The least depth in three by three pixels of the grid below; infinite where nothing is.
  private let nearest: Raster<Float>
  /// Grid pixels are photo pixels plus one half, times the scale, plus the shift.
  private let scale: Float
  private let shift: SIMD2<Float>
  private let toleranceMeters: Float

  /// The longer side of the grid on which hidden parts are found, at most: the cost stays that of
  /// a megapixel, whatever the photo has.
  private static let gridSide = 1024

  /// Looks at a mesh; `corners` are the positions of the texture coordinates, in texels.
  init(
    _ mesh: TriangleMesh, photo: Raster<RGB8>, corners: [SIMD2<Double>], toleranceMeters: Float,
    project: (SIMD3<Double>) -> SIMD2<Double>
  ) {
    // A millimeter: any camera that can take a photo is farther away.
    var seen = SeenVertices(mesh, nearMeters: 0.001, project: project)
    let factor = Self.reduction(mesh, seen: seen, in: photo.size, corners: corners)
    let longer = max(photo.width, photo.height)
    let reduced = photo.reduced(toMaximumSide: max(1, (longer + factor - 1) / factor))
    let step = reduced.width == photo.width ? 1.0 : Double(photo.width / reduced.width)
    for vertex in seen.pixels.indices {
      seen.pixels[vertex] = (seen.pixels[vertex] + 0.5) / step - 0.5
    }
    vertices = seen.pixels.indices.map { vertex in
      guard seen.inverseDepths[vertex] > 0 else { return .zero }
      let depth = mesh.positions[vertex].z
      let pixel = seen.pixels[vertex]
      return SIMD3(Float(pixel.x) * depth, Float(pixel.y) * depth, depth)
    }
    self.photo = reduced
    self.toleranceMeters = toleranceMeters

    let (low, high) = Self.bounds(of: seen, in: reduced.size)
    let extent = high - low
    let scale = min(1, Double(Self.gridSide) / max(extent.max(), 1))
    let grid = RasterSize(
      width: max(1, Int((extent.x * scale).rounded(.up))),
      height: max(1, Int((extent.y * scale).rounded(.up))))
    self.scale = Float(scale)
    let shift = -(low + 0.5) * scale - 0.5
    self.shift = SIMD2(Float(shift.x), Float(shift.y))
    for vertex in seen.pixels.indices {
      seen.pixels[vertex] = (seen.pixels[vertex] + 0.5) * scale + shift
    }
    let view = MeshRasterization(seen, triangles: mesh.triangles, size: grid, faces: .both)
    nearest = Self.leastAround(view.depthMeters)
  }

  /// The pixel where a point of a triangle is in the photo, unless it is hidden or beyond it.
  ///
  /// The point is a mean of ``vertices``, the slope what ``inverseDepthSlope(of:)`` says of the triangle.
  @inline(__always)
  func visiblePixel(of point: SIMD3<Float>, slope: Float) -> SIMD2<Float>? {
    let depth = point.z
    let pixel = SIMD2(point.x, point.y) / depth
    guard pixel.x >= -0.5, pixel.y >= -0.5, pixel.x <= Float(photo.width) - 0.5,
      pixel.y <= Float(photo.height) - 0.5
    else { return nil }
    let place = (pixel + 0.5) * scale + shift
    // Cut off where it is above −½, which rounds; below it is the first pixel anyway.
    let x = min(max(Int(place.x + 0.5), 0), nearest.width - 1)
    let y = min(max(Int(place.y + 0.5), 0), nearest.height - 1)
    // The least depth lies up to one pixel and a half away in both directions; neighbors may be
    // steeper than this triangle.
    let allowed = toleranceMeters + 2 * slope * depth * depth
    return depth <= nearest.samples[y &* nearest.width &+ x] + allowed ? pixel : nil
  }

  /// How much 1 / depth changes from one pixel of the grid to the next, along both axes together;
  /// `nil` for a triangle with a corner behind the camera or without an area.
  func inverseDepthSlope(of triangle: TriangleIndices) -> Float? {
    let (a, b, c) = (vertices[triangle[0]], vertices[triangle[1]], vertices[triangle[2]])
    guard min(a.z, min(b.z, c.z)) > 0 else { return nil }
    let origin = SIMD2(a.x, a.y) / a.z
    let first = (SIMD2(b.x, b.y) / b.z - origin) * scale
    let second = (SIMD2(c.x, c.y) / c.z - origin) * scale
    let (toFirst, toSecond) = (1 / b.z - 1 / a.z, 1 / c.z - 1 / a.z)
    let determinant = first.x * second.y - first.y * second.x
    guard determinant != 0 else { return nil }
    let alongX = (toFirst * second.y - toSecond * first.y) / determinant
    let alongY = (toSecond * first.x - toFirst * second.x) / determinant
    return abs(alongX) + abs(alongY)
  }

  /// The color of the photo at a pixel, mixed of four.
  @inline(__always)
  func color(at pixel: SIMD2<Float>) -> RGB8 {
    let x = min(max(pixel.x, 0), Float(photo.width - 1))
    let y = min(max(pixel.y, 0), Float(photo.height - 1))
    let column = min(Int(x), max(photo.width - 2, 0))
    let row = min(Int(y), max(photo.height - 2, 0))
    let (right, down) = (x - Float(column), y - Float(row))
    let place = row &* photo.rowStride &+ column
    let next = photo.width > 1 ? 1 : 0
    let below = photo.height > 1 ? photo.rowStride : 0
    let top = photo.samples[place].floats * (1 - right) + photo.samples[place + next].floats * right
    let bottom =
      photo.samples[place + below].floats * (1 - right)
      + photo.samples[place + below + next].floats * right
    return RGB8(rounding: top * (1 - down) + bottom * down)
  }

  /// How many photo pixels there are for a texel, as a length rounded down, but at least 1.
  ///
  /// Over all triangles that the camera sees from outside and that lie in the photo as a whole: beside it, a wall
  /// that passes the camera may have any size.
  private static func reduction(
    _ mesh: TriangleMesh, seen: SeenVertices, in size: RasterSize, corners: [SIMD2<Double>]
  ) -> Int {
    guard let layout = mesh.texture else { return 1 }
    let (width, height) = (Double(size.width) - 0.5, Double(size.height) - 0.5)
    func isInside(_ vertex: UInt32) -> Bool {
      let pixel = seen.pixels[Int(vertex)]
      return seen.inverseDepths[Int(vertex)] > 0 && pixel.x >= -0.5 && pixel.y >= -0.5
        && pixel.x <= width && pixel.y <= height
    }
    func doubledArea(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
      (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
    var (inPhoto, inTexture) = (0.0, 0.0)
    for (triangle, places) in zip(mesh.triangles, layout.triangles) {
      guard isInside(triangle.first), isInside(triangle.second), isInside(triangle.third) else {
        continue
      }
      let (a, b, c) = (triangle[0], triangle[1], triangle[2])
      let area = doubledArea(seen.pixels[a], seen.pixels[b], seen.pixels[c])
      guard area < 0 else { continue }
      inPhoto -= area
      inTexture += abs(doubledArea(corners[places[0]], corners[places[1]], corners[places[2]]))
    }
    guard inTexture > 0, inPhoto.isFinite else { return 1 }
    return Int(min(max((inPhoto / inTexture).squareRoot(), 1), 256))
  }

  /// What the mesh takes of the photo, in pixels.
  private static func bounds(
    of seen: SeenVertices, in size: RasterSize
  ) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
    let last = SIMD2(Double(size.width), Double(size.height)) - 0.5
    var (low, high) = (last, SIMD2(-0.5, -0.5))
    for (pixel, inverse) in zip(seen.pixels, seen.inverseDepths) where inverse > 0 {
      low = SIMD2(min(low.x, pixel.x), min(low.y, pixel.y))
      high = SIMD2(max(high.x, pixel.x), max(high.y, pixel.y))
    }
    low = SIMD2(max(low.x, -0.5), max(low.y, -0.5))
    high = SIMD2(min(high.x, last.x), min(high.y, last.y))
    // Nothing in the photo: a grid of one pixel that is never read.
    return low.x < high.x && low.y < high.y ? (low, high) : ([-0.5, -0.5], [0.5, 0.5])
  }

  /// The least of three by three values; NaN counts as infinite.
  private static func leastAround(_ depth: Raster<Float>) -> Raster<Float> {
    let (width, height) = (depth.width, depth.height)
    var rows = depth.samples.map { $0 < .infinity ? $0 : .infinity }
    var least = rows
    for y in 0..<height {
      for x in y * width..<(y + 1) * width - 1 {
        least[x] = min(least[x], rows[x + 1])
        least[x + 1] = min(least[x + 1], rows[x])
      }
    }
    rows = least
    for place in 0..<(height - 1) * width {
      least[place] = min(least[place], rows[place + width])
      least[place + width] = min(least[place + width], rows[place])
    }
    return Raster(size: depth.size, samples: least)
  }
}

extension RGB8 {
  /// The codes as numbers.
  @inline(__always)
  var floats: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }

  /// The nearest codes; numbers are from 0 to 255.
  @inline(__always)
  init(rounding color: SIMD3<Float>) {
    self.init(
      red: UInt8(color.x + 0.5), green: UInt8(color.y + 0.5), blue: UInt8(color.z + 0.5))
  }
}
