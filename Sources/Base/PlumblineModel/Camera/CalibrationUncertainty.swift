/// The uncertainty of a calibration's numbers: one standard deviation each.
///
/// Unit: pixels of the calibration's own reference size; radial terms as stated.
public struct CalibrationUncertainty: Hashable, Sendable {
  /// The standard deviation of the focal lengths along columns and rows, in pixels; `nil` if
  /// unknown.
  public var focalLengthPixels: SIMD2<Double>?
  /// The standard deviation of the principal point, in pixels; `nil` if unknown.
  public var principalPointPixels: SIMD2<Double>?
  /// The standard deviation of the radial terms `k1`, `k2`, …, without unit; `nil` if unknown.
  public var radialTerms: [Double]?
  /// The projection error over the image, and where corners were detected; `nil` if unknown.
  public var projection: ProjectionUncertainty?
  /// The source of the numbers in words, such as `covariance of 23 views, scaled by residuals`.
  public var basis: String

  /// Creates an uncertainty from its parts.
  package init(
    focalLengthPixels: SIMD2<Double>? = nil, principalPointPixels: SIMD2<Double>? = nil,
    radialTerms: [Double]? = nil, projection: ProjectionUncertainty? = nil, basis: String
  ) {
    self.focalLengthPixels = focalLengthPixels
    self.principalPointPixels = principalPointPixels
    self.radialTerms = radialTerms
    self.projection = projection
    self.basis = basis
  }

  /// The uncertainty for the image resampled to another size; lengths in pixels scale with it.
  ///
  /// - Precondition: Neither size is empty.
  public func scaled(from size: RasterSize, to target: RasterSize) -> CalibrationUncertainty {
    let scale = target.scale(from: size)
    var copy = self
    copy.focalLengthPixels = focalLengthPixels.map { $0 * scale }
    copy.principalPointPixels = principalPointPixels.map { $0 * scale }
    return copy
  }
}

/// The projection uncertainty of a calibrated camera in pixels, over the image.
///
/// The image is divided into cells. The uncertainty is that of the rays relative to each other: it
/// excludes any error that a rotation of the whole camera explains, since a rotation changes no
/// length.
/// - Source: mrcal's *projection uncertainty* (D. Kogan, https://mrcal.secretsauce.net); computed
///   as `Documentation/decisions/0028-the-sigma-of-a-calibration.md` says.
public struct ProjectionUncertainty: Hashable, Sendable {
  /// The number of cells along the width.
  public var columns: Int
  /// The number of cells along the height.
  public var rows: Int
  /// The uncertainty at the center of each cell, in pixels of an image ``imageWidth`` wide, row
  /// after row: the half-width of the 68 % interval, in the worse direction.
  public var sigmaPixels: [Double]
  /// The number of board corners detected in each cell, row after row.
  public var cornerCounts: [Int]
  /// The width of the image that the pixels belong to.
  public var imageWidth: Int

  /// Creates a map.
  ///
  /// - Precondition: There are cells, both lists have one number for each cell, and the image has
  ///   pixels.
  package init(
    columns: Int, rows: Int, sigmaPixels: [Double], cornerCounts: [Int], imageWidth: Int
  ) {
    precondition(columns > 0 && rows > 0 && imageWidth > 0, "no cells of an image")
    precondition(
      sigmaPixels.count == columns * rows && cornerCounts.count == columns * rows,
      "\(sigmaPixels.count) and \(cornerCounts.count) numbers for \(columns) × \(rows) cells")
    self.columns = columns
    self.rows = rows
    self.sigmaPixels = sigmaPixels
    self.cornerCounts = cornerCounts
    self.imageWidth = imageWidth
  }

  /// The index of the cell that contains a pixel, given as fractions of the image's size from 0 to
  /// 1.
  package func cell(at share: SIMD2<Double>) -> Int {
    func index(_ value: Double, _ count: Int) -> Int {
      Int((value * Double(count)).rounded(.down).clamped(to: 0...Double(count - 1)))
    }
    return index(share.y, rows) * columns + index(share.x, columns)
  }

  /// The uncertainty at a pixel as a fraction of the image's width; the pixel is given as
  /// fractions.
  ///
  /// It is interpolated linearly between the centers of cells; O(1).
  public func sigmaShare(at share: SIMD2<Double>) -> Double {
    func position(_ value: Double, _ count: Int) -> (low: Int, part: Double) {
      let place = (value * Double(count) - 0.5).clamped(to: 0...Double(count - 1))
      let low = min(Int(place), max(count - 2, 0))
      return (low, place - Double(low))
    }
    let (column, across) = position(share.x, columns)
    let (row, down) = position(share.y, rows)
    func value(_ x: Int, _ y: Int) -> Double {
      sigmaPixels[min(y, rows - 1) * columns + min(x, columns - 1)]
    }
    let top = value(column, row) * (1 - across) + value(column + 1, row) * across
    let bottom = value(column, row + 1) * (1 - across) + value(column + 1, row + 1) * across
    return (top * (1 - down) + bottom * down) / Double(imageWidth)
  }

  /// Whether board corners were detected in a pixel's cell; the pixel is given as fractions.
  package func isCovered(at share: SIMD2<Double>) -> Bool { cornerCounts[cell(at: share)] > 0 }

  /// The fraction of cells in which corners were detected, 0 to 1.
  public var coveredShare: Double {
    Double(cornerCounts.count { $0 > 0 }) / Double(cornerCounts.count)
  }

  /// The root mean square uncertainty over the cells with detected corners, as a fraction of the
  /// image's width; 0 if there are none.
  public var coveredSigmaShare: Double {
    let covered = cornerCounts.indices.filter { cornerCounts[$0] > 0 }
    let square = covered.reduce(0) { $0 + sigmaPixels[$1] * sigmaPixels[$1] }
    return (square / Double(max(covered.count, 1))).squareRoot() / Double(imageWidth)
  }
}

extension Double {
  /// The nearest number in a range; the lower bound for NaN.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    self >= range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
  }
}
