package import PlumblineModel

/// The largest difference between two sets of numbers, and where it is.
///
/// A number that is missing (NaN) on one side only is an infinite difference, so no test can pass
/// by losing pixels.
package struct WorstDifference: Sendable, CustomStringConvertible {
  /// The largest absolute difference, in the unit of the numbers; 0 for no numbers.
  package private(set) var value = 0.0
  /// The index at which it is; `nil` for no difference.
  package private(set) var index: Int?
  /// The number of pairs of which exactly one is missing.
  package private(set) var missingMismatches = 0

  /// Compares two rasters of the same size, sample by sample.
  package init(_ a: Raster<Float>, _ b: Raster<Float>) {
    precondition(a.size == b.size, "cannot compare \(a.size) with \(b.size)")
    for (index, pair) in zip(a.packed.samples, b.packed.samples).enumerated() {
      add(Double(pair.0), Double(pair.1), at: index)
    }
  }

  /// Compares points with an oracle's, coordinate by coordinate.
  package init(_ a: Raster<PackedPoint>, _ b: [SIMD3<Double>]) {
    precondition(a.size.pixelCount == b.count, "cannot compare \(a.size) with \(b.count) points")
    for (index, pair) in zip(a.packed.samples, b).enumerated() {
      for axis in 0..<3 { add(pair.0.vector[axis], pair.1[axis], at: index) }
    }
  }

  /// The text of a failed expectation.
  package var description: String {
    "\(value) at index \(index.map(String.init) ?? "none"), \(missingMismatches) missing on one side"
  }

  private mutating func add(_ a: Double, _ b: Double, at index: Int) {
    if a.isNaN && b.isNaN || a == b { return }
    var difference = abs(a - b)
    if difference.isNaN {
      missingMismatches += 1
      difference = .infinity
    }
    if difference > value {
      value = difference
      self.index = index
    }
  }
}
