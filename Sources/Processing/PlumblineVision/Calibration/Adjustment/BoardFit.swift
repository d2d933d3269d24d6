package import PlumblineModel
import PlumblineNumerics

/// A camera, the shape of the board and its poses, as fitted to views under one assumption about
/// the lens, with every uncertainty.
package struct BoardFit: Sendable {
  /// The camera, in pixels of the images; a spline is given as a table about the principal point.
  package let camera: CameraModel
  /// The functions that the lens is a sum of.
  package let basis: RadialBasis
  /// The lens's coefficients, one for each function.
  package let lensCoefficients: [Double]
  /// The pose of the board in each view, in meters.
  package let cameraFromBoard: [RigidTransform]
  /// How far each corner of the board is from its position on a flat one, in meters, by its number;
  /// empty where the board was taken as flat.
  package let boardOffsets: [SIMD3<Double>]
  /// Found minus projected of each corner of each view, in pixels.
  package let residuals: [[SIMD2<Double>]]
  /// Whether a corner was rejected: it misses as no neighbor in another view does.
  package let isRejected: [[Bool]]
  /// The root mean square distance of the corners that were not rejected, in pixels.
  package let rmsPixels: Double
  /// The root mean square distance of all corners, in pixels.
  package let rmsOfAllPixels: Double
  /// The robust spread of one coordinate of a corner, in pixels.
  package let scalePixels: Double

  let adjustment: BoardAdjustment
  let spread: AdjustmentSpread

  init(_ adjustment: BoardAdjustment, spread: AdjustmentSpread, scale: Double) {
    self.adjustment = adjustment
    self.spread = spread
    camera = adjustment.camera.model
    basis = adjustment.camera.basis
    lensCoefficients = adjustment.camera.coefficients
    cameraFromBoard = adjustment.poses
    boardOffsets = adjustment.hasShape ? adjustment.offsets : []
    residuals = adjustment.residuals
    isRejected = adjustment.views.map { $0.weights.map { $0 == 0 } }
    scalePixels = scale
    var counted = SquaredDistances()
    var all = SquaredDistances()
    for (misses, rejected) in zip(residuals, isRejected) {
      for (miss, isRejected) in zip(misses, rejected) {
        all.add(miss)
        if !isRejected { counted.add(miss) }
      }
    }
    rmsPixels = counted.root
    rmsOfAllPixels = all.root
  }

  /// The focal length along the columns, in pixels.
  package var focal: Double { camera.intrinsics.focalLength.x }

  /// The share of the focal length below which no ± goes: errors that all blocks share.
  ///
  /// - Source: `Documentation/decisions/0028-the-sigma-of-a-calibration.md`.
  static let focalFloorShare = 0.0005
  /// The same for the principal point, in pixels of 640 columns.
  static let centerFloorPixels = 0.35

  /// The ± of ``focal`` in pixels.
  package var focalSigma: BlockSigma {
    spread.sigma(along: slope(0), floor: Self.focalFloorShare * focal)
  }

  /// The ± of the principal point in pixels; `nil` where it was kept.
  package var centerSigma: SIMD2<Double>? {
    adjustment.free.centerIndex.map { index in
      let floor = Self.centerFloorPixels * Double(camera.intrinsics.size.width) / 640
      return SIMD2(
        spread.sigma(along: slope(index), floor: floor).plusMinus,
        spread.sigma(along: slope(index + 1), floor: floor).plusMinus)
    }
  }

  /// The ± of each coefficient of the lens.
  package var lensSigmas: [Double] {
    (0..<adjustment.free.lensCount).map {
      spread.sigma(along: slope(adjustment.free.lensStart + $0)).plusMinus
    }
  }

  /// The root mean square height of the board's corners over a plane, in meters; 0 for a flat
  /// board.
  package var boardFlatnessMeters: Double {
    guard !boardOffsets.isEmpty else { return 0 }
    let seen = Set(adjustment.views.flatMap(\.ids)).sorted()
    let square = seen.reduce(0) { $0 + boardOffsets[$1].z * boardOffsets[$1].z }
    return (square / Double(max(1, seen.count))).squareRoot()
  }

  private func slope(_ index: Int) -> [Double] {
    (0..<adjustment.free.count).map { $0 == index ? 1 : 0 }
  }
}

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
  package func projectionUncertainty(
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
