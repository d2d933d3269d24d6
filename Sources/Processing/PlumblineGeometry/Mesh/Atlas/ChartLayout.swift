/// Cuts a mesh into charts, pieces that can be laid flat without overlap, and packs them on a square.
///
/// A chart grows from the first free triangle over shared edges. A triangle joins when its normal lies
/// within 45° of that of the first one, so that texels are stretched at most √2 times; when the chart
/// stays small enough to be packed; and when none of its texels has another triangle already, which a
/// spiral would cause. Charts lie flat along the first triangle's plane. Order decides every tie: the
/// same mesh has the same layout.
///
/// - Source: the growing of charts by normals is that of B. Lévy et al., *Least squares conformal maps
///   for automatic texture atlas generation*, SIGGRAPH 2002, section 3, without its maps.
package struct ChartLayout: Sendable {
  /// The layout of the mesh.
  package let layout: TextureLayout
  /// The length on the surface of a texel's side, in meters; at least what was requested.
  package let texelMeters: Double
  /// The width and the height of the texture, in texels: what was allowed, or that halved as often as all charts
  /// still fit with texels of the wanted size, down to 64.
  package let side: Int
  /// The number of charts.
  package let chartCount: Int

  private static let leastSide = 64

  /// The least cosine of the angle between normals of a chart: 45°.
  private static let minimumCosine = 0.5.squareRoot()

  /// Lays a mesh out.
  ///
  /// - Parameters:
  ///   - mesh: The surface; its own layout is ignored.
  ///   - texelMeters: The wanted size of texels. It grows until all charts fit.
  ///   - side: The most width and height of the texture, in texels.
  ///   - gutterTexels: Free texels around each chart.
  /// - Returns: The layout, the same for the same mesh.
  /// - Throws: `.limitExceeded` when the charts do not fit at any texel size, since each one needs its
  ///   gutter.
  /// - Precondition: `texelMeters` is above 0 and finite; `side` is from 16 to 16384.
  /// - Complexity: O(*n* log *n* + texels).
  package static func layOut(
    _ mesh: TriangleMesh, texelMeters: Double, side: Int, gutterTexels: Int = 2
  ) throws(MeshError) -> ChartLayout {
    precondition(texelMeters > 0 && texelMeters.isFinite, "texels of \(texelMeters) m")
    precondition((16...16384).contains(side), "a texture of \(side) texels")
    // Charts fill about two thirds of a square; a first size that cannot fit is not tried.
    var texel = max(texelMeters, (mesh.surfaceArea / (0.75 * Double(side * side))).squareRoot())
    var grower = ChartGrower(
      mesh, texelMeters: texel, maximumTexels: Double(side / 4), minimumCosine: minimumCosine)
    let charts = grower.charts()
    for round in 0..<80 {
      let sizes = charts.map { chart in (chart.high - chart.low) / texel }
      for side in round == 0 ? sides(upTo: side) : [side] {
        guard let places = ChartPacking.places(sizes, side: side, gutter: gutterTexels) else {
          continue
        }
        let layout = try layout(
          mesh, charts, places: places, flat: grower.flat, texelMeters: texel, side: side)
        return ChartLayout(
          layout: layout, texelMeters: texel, side: side, chartCount: charts.count)
      }
      texel *= 1.07
    }
    throw MeshError(
      .limitExceeded, at: "texture", expected: "charts that fit \(side) × \(side) texels",
      found: "\(charts.count) charts")
  }

  /// A side halved again and again, the smallest first.
  private static func sides(upTo most: Int) -> [Int] {
    var sides = [most]
    while let last = sides.last, last % 2 == 0, last / 2 >= leastSide { sides.append(last / 2) }
    return sides.reversed()
  }

  /// Coordinates of their own for each triangle's corners; those of a chart's shared vertices agree.
  private static func layout(
    _ mesh: TriangleMesh, _ charts: [Chart], places: [SIMD2<Double>], flat: [SIMD2<Double>],
    texelMeters: Double, side: Int
  ) throws(MeshError) -> TextureLayout {
    var coordinates: [SIMD2<Float>] = []
    coordinates.reserveCapacity(mesh.vertexCount)
    var corners = [TriangleIndices](
      repeating: TriangleIndices(0, 0, 0), count: mesh.triangles.count)
    // The chart that used a vertex last, and where its coordinate is.
    var lastUse = [(chart: Int32, place: UInt32)](repeating: (-1, 0), count: mesh.vertexCount)
    for (number, chart) in charts.enumerated() {
      for triangle in chart.triangles {
        var list = SIMD3<UInt32>.zero
        for corner in 0..<3 {
          let vertex = mesh.triangles[triangle][corner]
          if lastUse[vertex].chart != Int32(number) {
            let texels =
              places[number] + (flat[3 * triangle + corner] - chart.low) / texelMeters
            lastUse[vertex] = (Int32(number), UInt32(coordinates.count))
            coordinates.append(SIMD2<Float>((texels + 0.5) / Double(side)))
          }
          list[corner] = lastUse[vertex].place
        }
        corners[triangle] = TriangleIndices(list.x, list.y, list.z)
      }
    }
    return try TextureLayout(coordinates: coordinates, triangles: corners)
  }
}

/// A piece of a mesh on its plane.
struct Chart: Sendable {
  /// The triangles, in the order in which they joined.
  var triangles: [Int]
  /// The minimum coordinates on the plane, in meters.
  var low: SIMD2<Double>
  /// The maximum coordinates on the plane, in meters.
  var high: SIMD2<Double>
}

/// Puts rectangles on a square, in rows from the top.
enum ChartPacking {
  /// Where the first texel of each rectangle lies; `nil` when they do not fit.
  ///
  /// Higher ones come first, of equal ones the earlier; each row is as high as its first. O(*n* log *n*).
  static func places(_ sizes: [SIMD2<Double>], side: Int, gutter: Int) -> [SIMD2<Double>]? {
    // Also what is too large for a whole number.
    guard sizes.allSatisfy({ $0.max() < Double(side) }) else { return nil }
    let whole = sizes.map { size in
      // One texel more than the distance of the first and the last center.
      SIMD2(Int(size.x.rounded(.up)), Int(size.y.rounded(.up))) &+ (2 * gutter + 1)
    }
    let order = whole.indices.sorted { a, b in
      (-whole[a].y, -whole[a].x, a) < (-whole[b].y, -whole[b].x, b)
    }
    var places = [SIMD2<Double>](repeating: .zero, count: sizes.count)
    var (x, y, height) = (0, 0, 0)
    for index in order {
      let size = whole[index]
      if x + size.x > side {
        (x, y, height) = (0, y + height, 0)
      }
      guard size.x <= side, y + size.y <= side else { return nil }
      places[index] = SIMD2(Double(x + gutter), Double(y + gutter))
      x += size.x
      height = max(height, size.y)
    }
    return places
  }
}
