public import PlumblineModel
import PlumblineNumerics

extension BoardFit {
  /// The radius around the principal point within which a turn of the whole camera is fitted and
  /// taken out, as a share of the image's width.
  static let turnRadiusShare = 200.0 / 640

  /// How far pixels can be from where the camera puts them, cell by cell.
  ///
  /// A ray is held, the camera's numbers move as each block of views moves them and as the formal
  /// covariance does, and the turn that explains the middle of the image best is taken out. What
  /// corners of a cell miss by on average is added: a lens that the model does not have.
  ///
  /// Only a fit with a lens of several functions shows what the lens may do where no corner was
  /// seen: ask a spline of six intervals.
  ///
  /// - Parameters:
  ///   - columns: The number of cells along the width.
  ///   - rows: The number of cells along the height.
  ///   - misses: What corners miss by on average in each cell and how many there are, row after
  ///     row.
  ///   - lens: A lens that was taken out of the corners before the fit; cells are then those of
  ///     the image with it.
  /// - Returns: The map; `nil` where the lens has no inverse in the image.
  /// - Complexity: O(cells · parameters²).
  public func projectionUncertainty(
    columns: Int, rows: Int, misses: [(mean: SIMD2<Double>, count: Int)],
    lens: LensDistortion? = nil
  ) -> ProjectionUncertainty? {
    let size = camera.intrinsics.size
    let turn = turnByNumbers()
    var sigmas: [Double] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let pixel =
          SIMD2(
            (Double(column) + 0.5) / Double(columns) * Double(size.width),
            (Double(row) + 0.5) / Double(rows) * Double(size.height)) - 0.5
        guard let ray = adjustment.camera.unproject(lens?.undistorted(pixel) ?? pixel) else {
          return nil
        }
        let slopes = self.slopes(ofRay: ray, without: turn)
        let miss = misses[row * columns + column]
        // One corner's noise is no bias of the lens; the mean of three or more begins to be one.
        let bias = miss.count >= 3 ? (miss.mean * miss.mean).sum() : 0
        sigmas.append((largestVariance(slopes) + bias).squareRoot())
      }
    }
    return ProjectionUncertainty(
      columns: columns, rows: rows, sigmaPixels: sigmas, cornerCounts: misses.map(\.count),
      imageWidth: size.width)
  }

  /// The larger variance of the pixel over both directions, widened for few blocks.
  private func largestVariance(_ slopes: (x: [Double], y: [Double])) -> Double {
    let (x, y) = (spread.sigma(along: slopes.x), spread.sigma(along: slopes.y))
    let sum = spread.sigma(along: zip(slopes.x, slopes.y).map { $0 + $1 })
    let (xx, yy) = (x.sigma * x.sigma, y.sigma * y.sigma)
    let xy = (sum.sigma * sum.sigma - xx - yy) / 2
    let largest = (xx + yy) / 2 + ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    let width = StudentQuantile.width(normal: 1, freedom: min(x.freedom, y.freedom))
    return largest * width * width
  }

  /// The change of a ray's pixel by each of the camera's numbers, less the turn that they mean.
  private func slopes(
    ofRay ray: SIMD2<Double>, without turn: [SIMD3<Double>]
  ) -> (x: [Double], y: [Double]) {
    var row = rowOfSlopes(ray)
    for (index, turn) in turn.enumerated() {
      let moved = row.turn.reduce(turn)
      row.x[index] -= moved.x
      row.y[index] -= moved.y
    }
    return (row.x, row.y)
  }

  /// The derivatives of a ray's pixel.
  private struct SlopeRow {
    var x: [Double]
    var y: [Double]
    var turn: TurnSlopes
  }

  /// The change of a pixel by a small turn of the camera about its axes.
  private struct TurnSlopes {
    var x: SIMD3<Double>
    var y: SIMD3<Double>
    func reduce(_ turn: SIMD3<Double>) -> SIMD2<Double> {
      SIMD2((x * turn).sum(), (y * turn).sum())
    }
  }

  private func rowOfSlopes(_ ray: SIMD2<Double>) -> SlopeRow {
    let count = adjustment.free.count
    var x = [Double](repeating: 0, count: count)
    var y = x
    let point = SIMD3(ray, 1)
    let projected = x.withUnsafeMutableBufferPointer { x in
      y.withUnsafeMutableBufferPointer { y in
        adjustment.camera.projection(of: point, free: adjustment.free, columns: x, rows: y)
      }
    }
    let zero = TurnSlopes(x: .zero, y: .zero)
    guard let projected else { return SlopeRow(x: x, y: y, turn: zero) }
    return SlopeRow(
      x: x, y: y,
      turn: TurnSlopes(
        x: point.cross(projected.columnByPoint), y: point.cross(projected.rowByPoint)))
  }

  /// The turn that explains best, in the middle of the image, what each number of the camera does.
  private func turnByNumbers() -> [SIMD3<Double>] {
    let count = adjustment.free.count
    let radius =
      Self.turnRadiusShare * Double(camera.intrinsics.size.width) / camera.intrinsics.focalLength.x
    var normal = SymmetricMatrix(count: 3)
    var sides = [[Double]](repeating: [0, 0, 0], count: count)
    for step in 0..<169 {
      let ray = SIMD2(Double(step % 13 - 6), Double(step / 13 - 6)) / 6 * radius
      guard (ray * ray).sum() <= radius * radius else { continue }
      let row = rowOfSlopes(ray)
      for (turn, change) in [(row.turn.x, row.x), (row.turn.y, row.y)] {
        for i in 0..<3 {
          for j in 0..<3 { normal[i, j] += turn[i] * turn[j] }
          for index in 0..<count { sides[index][i] += turn[i] * change[index] }
        }
      }
    }
    guard let factor = normal.cholesky else { return [] }
    return sides.map { side in
      let turn = factor.solve(side)
      return SIMD3(turn[0], turn[1], turn[2])
    }
  }
}
