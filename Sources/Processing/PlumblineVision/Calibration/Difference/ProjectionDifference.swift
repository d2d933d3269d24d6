package import PlumblineModel
import PlumblineNumerics

/// How far apart two cameras see the same rays over the image, with and without the rotation of the
/// whole camera that explains most of it.
///
/// A rotation of the camera changes no length and no angle between rays, and where a calibration
/// says that the camera looks is a free choice of its maker: a principal point that moved is
/// almost the same as a camera that was rotated. What is left without the rotation is what two
/// calibrations disagree about.
///
/// Unit: pixels of the first camera's image, whose first pixel's center is (0, 0). Frame: camera
/// axes are `x` right, `y` down, `z` forward.
/// - Source: mrcal's *projection diff* with its *implied transformation* (D. Kogan,
///   https://mrcal.secretsauce.net/differencing.html), for cameras that only see far away.
public struct ProjectionDifference: Hashable, Sendable {
  /// One cell of the first camera's image.
  package struct Cell: Hashable, Sendable {
    /// The middle of the cell in the first camera's image.
    package let pixel: SIMD2<Double>
    /// Where the second camera sees the ray of ``pixel``, minus ``pixel``, as the two are.
    ///
    /// `nil` where the first camera's lens has no ray for the pixel, the second one's has no pixel
    /// for the ray, or that pixel is outside of its image: never zero for what is not known.
    package let difference: SIMD2<Double>?
    /// The same once the rotation is taken out; `nil` as ``difference``, or without a rotation.
    package let differenceWithoutRotation: SIMD2<Double>?
    /// The ± of the difference without a rotation, in pixels: the half width that holds 68 % of truths,
    /// in the worse direction, from all sides that state theirs; `nil` where none does.
    package let sigmaPixels: Double?
    /// Whether either side's board was seen in this part of the image; `nil` where no side says.
    package let isCovered: Bool?

    /// How many times its ± the difference is once the rotation that fits the *middle* of the image
    /// best is taken out, as it is in the ±; `nil` without one of both.
    package let sigmas: Double?
  }

  /// Which rays the rotation was fitted to.
  package enum FittedRays: String, Hashable, Sendable {
    /// The middles of the cells in which a board was seen.
    case coveredCells
    /// Rays within 200/640 of the image's width around the principal point.
    case middle
  }

  /// The number of cells along the width.
  public let columns: Int
  /// The number of cells along the height.
  public let rows: Int
  /// The cells, row after row.
  package let cells: [Cell]
  /// The rotation of the whole camera that explains most of the difference; `nil` where fewer
  /// than ``minimumRays`` rays have a counterpart.
  package let secondFromFirst: Rotation?
  /// The rays that the rotation was fitted to.
  package let fittedRays: FittedRays

  /// Fewer rays than these determine no rotation that means anything.
  package static let minimumRays = 9

  /// Compares two cameras; O(cells).
  ///
  /// - Parameters:
  ///   - first: The camera in whose image the cells lie.
  ///   - second: The other one.
  ///   - firstUncertainty: How far the first camera's pixels can be off; `nil` where not known.
  ///   - secondUncertainty: The same of the second camera.
  ///   - cells: The number of cells along the width and the height; by default
  ///     ``defaultCells(of:)``.
  /// - Precondition: Both cameras' images have the same size and pixels, and there are cells.
  package init(
    _ first: CameraModel, _ second: CameraModel, firstUncertainty: ProjectionUncertainty? = nil,
    secondUncertainty: ProjectionUncertainty? = nil, cells: (columns: Int, rows: Int)? = nil
  ) {
    let size = first.intrinsics.size
    precondition(
      size.pixelCount > 0 && size == second.intrinsics.size,
      "cameras of \(size) and \(second.intrinsics.size) have no pixels in common")
    let (columns, rows) = cells ?? Self.defaultCells(of: size)
    precondition(columns > 0 && rows > 0, "\(columns) × \(rows) cells")
    let pair = CameraPair(first: first, second: second)
    let maps = [firstUncertainty, secondUncertainty].compactMap(\.self)
    let entries = (0..<columns * rows).map { index in
      pair.ray(
        at: (SIMD2(Double(index % columns), Double(index / columns)) + 0.5)
          / SIMD2(Double(columns), Double(rows)), maps)
    }
    let covered = entries.filter { $0.isCovered == true }.compactMap(\.sample)
    // A board that was seen in a few cells says less of the rotation than the middle does.
    fittedRays = covered.count >= Self.minimumRays ? .coveredCells : .middle
    let middle = pair.rotation(fittedTo: pair.middleSamples, atLeast: Self.minimumRays)
    let rotation =
      fittedRays == .middle ? middle : pair.rotation(fittedTo: covered, atLeast: Self.minimumRays)
    secondFromFirst = rotation
    self.columns = columns
    self.rows = rows
    self.cells = entries.map { entry in
      Cell(
        pixel: entry.pixel, difference: pair.difference(entry, .identity),
        differenceWithoutRotation: rotation.flatMap { pair.difference(entry, $0) },
        sigmaPixels: entry.sigmaPixels, isCovered: entry.isCovered,
        sigmas: middle.flatMap { pair.difference(entry, $0) }.flatMap { entry.sigmas(of: $0) })
    }
  }

  /// Twelve cells along the longer side of an image, and so many along the shorter one that they
  /// are about as wide as high.
  ///
  /// - Precondition: The image has pixels.
  package static func defaultCells(of size: RasterSize) -> (columns: Int, rows: Int) {
    let short = Double(min(size.width, size.height)) / Double(max(size.width, size.height))
    let count = max(1, Int((12 * short).rounded()))
    return size.width >= size.height ? (12, count) : (count, 12)
  }
}

extension ProjectionDifference {
  /// How long the differences of all cells that have a counterpart are, in pixels.
  public struct Summary: Hashable, Sendable {
    /// The longest one.
    public let maximumPixels: Double
    /// The median; the mean of the middle two where their count is even.
    public let medianPixels: Double
    /// The number of cells with a counterpart.
    public let count: Int

    /// Summarizes vectors; `nil` for none.
    init?(_ vectors: [SIMD2<Double>]) {
      let lengths = vectors.map(\.length).sorted()
      guard let last = lengths.last, let median = lengths.median else { return nil }
      maximumPixels = last
      medianPixels = median
      count = lengths.count
    }
  }

  /// The two cameras as they are; `nil` where no cell has a counterpart.
  public var summary: Summary? { Summary(cells.compactMap(\.difference)) }

  /// The two cameras once the rotation is taken out; `nil` where no cell has a counterpart.
  package var summaryWithoutRotation: Summary? {
    Summary(cells.compactMap(\.differenceWithoutRotation))
  }

  /// The largest of all ``Cell/sigmas``; `nil` where no cell has any.
  package var maximumSigmas: Double? { cells.compactMap(\.sigmas).max() }

  /// The rotation about `x`, `y` and `z` in degrees: its axis times its angle; `nil` without one.
  package var rotationDegrees: SIMD3<Double>? {
    secondFromFirst.map { $0.axisAngle * (180 / Double.pi) }
  }

  /// The angle of the rotation in degrees, 0 to 180; `nil` without one.
  package var angleDegrees: Double? {
    rotationDegrees.map { ($0 * $0).sum().squareRoot() }
  }
}

extension SIMD2<Double> {
  /// The length of the vector.
  var length: Double { (self * self).sum().squareRoot() }
}
