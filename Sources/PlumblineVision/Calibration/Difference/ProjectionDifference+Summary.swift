internal import PlumblineModel

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
      guard let last = lengths.last else { return nil }
      let middle = lengths.count / 2
      maximumPixels = last
      medianPixels =
        lengths.count % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2
      count = lengths.count
    }
  }

  /// The two cameras as they are; `nil` where no cell has a counterpart.
  public var summary: Summary? { Summary(cells.compactMap(\.difference)) }

  /// The two cameras once the rotation is taken out; `nil` where no cell has a counterpart.
  public var summaryWithoutRotation: Summary? {
    Summary(cells.compactMap(\.differenceWithoutRotation))
  }

  /// The largest of all ``Cell/sigmas``; `nil` where no cell has any.
  public var maximumSigmas: Double? { cells.compactMap(\.sigmas).max() }

  /// The rotation about `x`, `y` and `z` in degrees: its axis times its angle; `nil` without one.
  public var rotationDegrees: SIMD3<Double>? {
    secondFromFirst.map { $0.axisAngle * (180 / Double.pi) }
  }

  /// The angle of the rotation in degrees, 0 to 180; `nil` without one.
  public var angleDegrees: Double? {
    rotationDegrees.map { ($0 * $0).sum().squareRoot() }
  }
}

extension SIMD2<Double> {
  /// The length of the vector.
  var length: Double { (self * self).sum().squareRoot() }
}
