/// The uncertainty of a calibration's numbers: one standard deviation each.
///
/// Unit: pixels of the calibration's own reference size; radial terms as stated.
public struct CalibrationUncertainty: Hashable, Sendable {
  /// Sigma of the focal lengths along columns and rows, in pixels; `nil` when not known.
  public var focalLengthPixels: SIMD2<Double>?
  /// Sigma of the principal point, in pixels; `nil` when not known.
  public var principalPointPixels: SIMD2<Double>?
  /// Sigma of the polynomial's radial terms `k1`, `k2`, …, without unit; `nil` when not known.
  public var radialTerms: [Double]?
  /// How far pixels can be off over the image, and where corners were seen; `nil` when not known.
  public var projection: ProjectionUncertainty?
  /// Where the numbers come from, in words, such as `covariance of 23 views, scaled by residuals`.
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

  /// The same for the image resampled to another size: lengths in pixels follow the scale.
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

/// How far pixels can be from where a measured camera puts them, over the image.
///
/// The image is cut into cells. The uncertainty is that of the rays to each other: what a turn of
/// the whole camera would explain is not in it, since a turn changes no length.
/// - Source: mrcal's *projection uncertainty* (D. Kogan, https://mrcal.secretsauce.net); computed
///   as `Documentation/decisions/0028-the-sigma-of-a-calibration.md` says.
public struct ProjectionUncertainty: Hashable, Sendable {
  /// The number of cells along the width.
  public var columns: Int
  /// The number of cells along the height.
  public var rows: Int
  /// The ± in the middle of each cell, in pixels of ``imageWidth``, row after row: the half width
  /// that holds 68 % of truths, in the worse direction.
  public var sigmaPixels: [Double]
  /// The number of board corners that each cell rests on, row after row.
  public var cornerCounts: [Int]
  /// The width of the image that the pixels belong to.
  public var imageWidth: Int

  /// Creates a map.
  ///
  /// - Precondition: There are cells, both lists hold one number for each, and the image has
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

  /// The cell of a pixel, given as shares of the image's width and height from 0 to 1.
  package func cell(at share: SIMD2<Double>) -> Int {
    func index(_ value: Double, _ count: Int) -> Int {
      Int((value * Double(count)).rounded(.down).clamped(to: 0...Double(count - 1)))
    }
    return index(share.y, rows) * columns + index(share.x, columns)
  }

  /// The ± at a pixel, given as shares of the image, as a share of the image's width.
  ///
  /// Linear between the middles of cells; O(1).
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

  /// Whether corners of the board were seen in the cell of a pixel, given as shares of the image.
  package func isCovered(at share: SIMD2<Double>) -> Bool { cornerCounts[cell(at: share)] > 0 }

  /// The share of cells in which corners were seen, 0 to 1.
  public var coveredShare: Double {
    Double(cornerCounts.count { $0 > 0 }) / Double(cornerCounts.count)
  }

  /// The root mean square ± over the cells in which corners were seen, as a share of the image's
  /// width; 0 where there are none.
  public var coveredSigmaShare: Double {
    let covered = cornerCounts.indices.filter { cornerCounts[$0] > 0 }
    let square = covered.reduce(0) { $0 + sigmaPixels[$1] * sigmaPixels[$1] }
    return (square / Double(max(covered.count, 1))).squareRoot() / Double(imageWidth)
  }
}

extension Double {
  /// The nearest number in a range; its lower end for NaN.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    self >= range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
  }
}
