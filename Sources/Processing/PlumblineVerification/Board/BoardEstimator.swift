package import PlumblineModel
import PlumblineVision

/// Cameras and poses from views, as the assessment of a calibration needs them.
struct BoardEstimator {
  /// The device's own camera; `nil` when it gives none.
  var factory: CameraCalibration?

  /// Where the board stands for a camera; `nil` where no pose explains the corners.
  ///
  /// The corners are freed from the lens first, so that the lens works as
  /// ``CameraModel/ray(through:)`` says, in the one direction that the device's table has.
  static func pose(of view: BoardView, through camera: CameraModel) -> BoardPose? {
    let pinhole = CameraModel(intrinsics: camera.intrinsics)
    let intrinsics = camera.intrinsics
    let ideal = view.moved {
      camera.ray(through: $0) * intrinsics.focalLength + intrinsics.principalPoint
    }
    do throws(CalibrationError) {
      return try BoardPose.estimate(ideal, camera: pinhole)
    } catch {
      return nil
    }
  }

  /// The root mean square distance of all corners when only poses are fitted, in pixels; `nil`
  /// where a view has no pose.
  static func rmsPixels(of views: [BoardView], through camera: CameraModel) -> Double? {
    var sum = 0.0
    var count = 0
    for view in views {
      guard let pose = pose(of: view, through: camera) else { return nil }
      sum += pose.rmsPixels * pose.rmsPixels * Double(view.corners.count)
      count += view.corners.count
    }
    return count > 0 ? (sum / Double(count)).squareRoot() : nil
  }

  /// Square pixels, where the device's focal lengths differ by more than 1 %: no phone's sensor has
  /// others, so one of the numbers is wrong and neither is a start.
  private var start: PinholeIntrinsics? {
    guard var intrinsics = factory?.intrinsics else { return nil }
    let focal = intrinsics.focalLength
    if abs(focal.x / focal.y - 1) > 0.01 {
      intrinsics.focalLength = SIMD2(repeating: max(focal.x, focal.y))
    }
    return intrinsics
  }

  /// One estimate.
  ///
  /// - Parameters:
  ///   - views: As the images show them.
  ///   - lens: What is assumed of the lens.
  ///   - intervals: Those of a spline.
  ///   - freesCenter: Whether the principal point may move from where the device puts it.
  ///   - freesShape: Whether the board may be bent.
  /// - Returns: `nil` where the views do not determine it or the device gives no table.
  func estimate(
    _ views: [BoardView], lens: LensEstimate.Lens, intervals: Int = 4, freesCenter: Bool = true,
    freesShape: Bool = true
  ) -> LensEstimate? {
    let table = lens.table(of: factory?.distortion)
    if lens.needsTable, table == nil { return nil }
    let ideal = table.map { table in views.map { $0.moved(by: table.undistorted) } } ?? views
    let assumed: BoardFitter.Lens =
      switch lens {
      case .focal, .tableInverse, .tableForward: .none
      case .radial: .polynomial(terms: 2)
      case .spline: .spline(intervals: intervals)
      }
    do throws(CalibrationError) {
      let fit = try BoardFitter(lens: assumed, freesCenter: freesCenter, freesShape: freesShape)
        .fit(ideal, initial: start)
      var camera = fit.camera
      if let table { camera.lens = .radial(table) }
      return LensEstimate(lens: lens, camera: camera, fit: fit)
    } catch {
      return nil
    }
  }

  /// The estimate with the device's own principal point, or with a free one where that predicts frames
  /// left out better; half of what the choice changes in focal length goes into its ±.
  ///
  /// Freed, the principal point follows noise: on two iPads it predicts worse by 1 to 10 %. Corners
  /// that `reference` rejected do not count.
  func judged(
    _ views: [BoardView], lens: LensEstimate.Lens, intervals: Int = 4, reference: BoardFit?
  ) -> LensEstimate? {
    guard var free = estimate(views, lens: lens, intervals: intervals) else { return nil }
    guard lens != .tableForward else { return free }
    free.leftOut = free.fit.leftOutFrames(countingAs: reference)
    guard var kept = estimate(views, lens: lens, intervals: intervals, freesCenter: false) else {
      return free
    }
    kept.leftOut = kept.fit.leftOutFrames(countingAs: reference)
    let shift = free.focal - kept.focal
    (free.centerShift, kept.centerShift) = (shift, shift)
    guard let freed = free.leftOut, let fixed = kept.leftOut else { return free }
    return freed.rmsPixels < (1 - LensComparison.simplerShare) * fixed.rmsPixels ? free : kept
  }

  /// How far pixels can be off over the image, by a spline of six intervals on top of the table
  /// that was applied, if any: whatever lens was chosen, where no corner was seen it may be
  /// another.
  func projection(
    _ views: [BoardView], like estimate: LensEstimate, coverage: ViewCoverage
  ) -> ProjectionUncertainty? {
    let table = estimate.lens.table(of: factory?.distortion)
    let ideal = table.map { table in views.map { $0.moved(by: table.undistorted) } } ?? views
    do throws(CalibrationError) {
      return try BoardFitter(lens: .spline(intervals: 6)).fit(ideal, initial: start)
        .projectionUncertainty(
          columns: ViewCoverage.columns, rows: ViewCoverage.rows,
          misses: coverage.cells.map { ($0.meanResidual, $0.count) }, lens: table)
    } catch {
      return nil
    }
  }

  /// The focal lengths of the first and of the second half in time: neighbors are so alike that
  /// every other view would confirm anything.
  func halves(_ views: [BoardView], like estimate: LensEstimate) -> SIMD2<Double>? {
    let middle = views.count / 2
    var intervals = 4
    if case .spline(let count, _) = estimate.fit.basis { intervals = count }
    func focal(_ views: ArraySlice<BoardView>) -> Double? {
      self.estimate(
        Array(views), lens: estimate.lens, intervals: intervals,
        freesCenter: estimate.fit.centerSigma != nil)?.focal
    }
    guard let first = focal(views[..<middle]), let second = focal(views[middle...]) else {
      return nil
    }
    return SIMD2(first, second)
  }
}

/// How much of the image the corners reach, and how much they miss their positions where.
public struct ViewCoverage: Sendable {
  /// One cell of the image.
  package struct Cell: Hashable, Sendable {
    /// The number of corners seen in it.
    package var count = 0
    /// The mean of corner minus projection, in pixels; zero without corners.
    package var meanResidual = SIMD2<Double>.zero
  }

  /// The number of cells along the width.
  package static let columns = 12
  /// The number of cells along the height.
  package static let rows = 9

  /// The size of the images.
  package var imageSize: RasterSize
  /// The cells, row after row.
  package var cells: [Cell]
  /// The largest distance of a corner from the middle, as a share of the image's half diagonal.
  public var radiusShare: Double

  /// The share of cells with a corner, 0 to 1.
  package var areaShare: Double {
    Double(cells.count { $0.count > 0 }) / Double(cells.count)
  }

  /// The cell whose corners miss farthest on average, where that is far beyond what noise gives:
  /// its position in words and its mean miss in pixels; `nil` where there is none.
  ///
  /// The limit is half a pixel of 640 columns over five corners: the mean of five corners of 0.15
  /// px is within 0.2 px of 0 in 99 % of cells.
  package var worstCell: (place: String, pixels: Double)? {
    let limit = 0.5 * max(1, Double(imageSize.width) / 640)
    let sizes = cells.map { cell in
      cell.count >= 5 ? (cell.meanResidual * cell.meanResidual).sum().squareRoot() : 0
    }
    guard let index = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[index] > limit else {
      return nil
    }
    let (row, column) = (index / Self.columns, index % Self.columns)
    let vertical =
      row < Self.rows / 3 ? "upper" : row >= Self.rows - Self.rows / 3 ? "lower" : "middle"
    let side =
      column < Self.columns / 3
      ? "left" : column >= Self.columns - Self.columns / 3 ? "right" : "center"
    return ("\(vertical) \(side)", sizes[index])
  }

  /// Counts corners; O(corners).
  ///
  /// - Precondition: There is a view, and there is a residual for each corner.
  init(_ views: [BoardView], residuals: [[SIMD2<Double>]]) {
    precondition(!views.isEmpty, "no view covers anything")
    let size = views[0].imageSize
    var cells = [Cell](repeating: Cell(), count: Self.columns * Self.rows)
    var farthest = 0.0
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    for (view, misses) in zip(views, residuals) {
      for (corner, residual) in zip(view.corners, misses) {
        let place = (corner.pixel + 0.5) / SIMD2(Double(size.width), Double(size.height))
        let column = min(max(Int(place.x * Double(Self.columns)), 0), Self.columns - 1)
        let row = min(max(Int(place.y * Double(Self.rows)), 0), Self.rows - 1)
        cells[row * Self.columns + column].count += 1
        cells[row * Self.columns + column].meanResidual += residual
        let offset = corner.pixel - middle
        farthest = max(farthest, (offset * offset).sum())
      }
    }
    for index in cells.indices where cells[index].count > 0 {
      cells[index].meanResidual /= Double(cells[index].count)
    }
    imageSize = size
    self.cells = cells
    radiusShare = min(1, (farthest / (middle * middle).sum()).squareRoot())
  }
}
