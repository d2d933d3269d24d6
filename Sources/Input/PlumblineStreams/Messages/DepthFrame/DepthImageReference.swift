import CKernels
package import PlumblineIO
package import PlumblineModel

/// The image with a frame's depth values, and the differences from the exact values.
///
/// Viewers want meters, dual cameras give their reciprocal, and storing both in full would double
/// the size of a recording. The reciprocal of the meters differs from the original value only in
/// its last bits: a residual of one byte per pixel makes it exact, and for half-precision values
/// rounding is enough.
package struct DepthImageReference {
  /// How values are computed from meters `z` in single precision; NaN gives NaN.
  package enum Rule: String {
    /// `z`.
    case same
    /// `1 / z`, rounded to single precision as IEEE 754 does.
    case reciprocal
    /// `1 / z` as above, then rounded to half precision: 10 bits after the leading one, ties to
    /// even.
    case reciprocalHalf = "reciprocal_half"

    /// The kind of map that the rule gives.
    package var kind: String { self == .same ? "depth" : "disparity" }
  }

  /// The residual byte that marks a pixel with an entry in ``exceptions``.
  static let exceptionMark: UInt8 = 0x80

  /// The topic of the image, which has the same log time.
  package var topic: String
  package var rule: Rule
  /// The residuals added to the bit patterns of the rule's values, per pixel, in two's complement;
  /// empty if all are 0.
  package var residuals: [UInt8] = []
  /// The values of the pixels whose residual is ``exceptionMark``, in pixel order.
  var exceptions: [Float] = []

  /// Creates a reference with given residuals.
  package init(topic: String, rule: Rule, residuals: [UInt8] = [], exceptions: [Float] = []) {
    self.topic = topic
    self.rule = rule
    self.residuals = residuals
    self.exceptions = exceptions
  }

  /// Finds the rule for values, given an image in meters of the same size.
  ///
  /// It is `nil` for ranges, and if storing the values themselves takes no more space. O(*n*).
  package init?(_ values: DepthRecord.Values, topic: String, meters: Raster<Float>) {
    switch values {
    case .depth: self.init(topic: topic, rule: .same)
    case .range: return nil
    case .disparity(let map):
      let values = map.inverseMeters.packed.samples
      let areHalves = values.withUnsafeBufferPointer { values in
        var lowBits: UInt32 = 0
        for value in values { lowBits |= value.bitPattern }
        return lowBits & 0x1FFF == 0
      }
      self.init(topic: topic, rule: areHalves ? .reciprocalHalf : .reciprocal)
      let predicted = predictions(meters.packed.samples)
      var isExact = true
      let residuals = [UInt8](unsafeUninitializedCapacity: values.count) { residuals, count in
        guard let start = residuals.baseAddress else { return }
        isExact = plb_residuals(values, predicted, values.count, Self.exceptionMark, start) == 0
        count = values.count
      }
      if isExact { return }
      for (index, residual) in residuals.enumerated() where residual == Self.exceptionMark {
        exceptions.append(values[index])
      }
      if residuals.count + 4 * exceptions.count >= 4 * values.count { return nil }
      self.residuals = residuals
    }
  }

  /// The values that the rule predicts from meters.
  private func predictions(_ meters: [Float]) -> [Float] {
    if rule == .same { return meters }
    return [Float](unsafeUninitializedCapacity: meters.count) { result, count in
      guard let start = result.baseAddress else { return }
      plb_predicted_disparity(meters, meters.count, rule == .reciprocalHalf, start)
      count = meters.count
    }
  }

  /// The exact values, computed from an image in meters.
  ///
  /// - Throws: `.malformed` if the image has another size than the residuals.
  package func values(of map: DepthMap) throws(CaptureReadingError) -> DepthRecord.Values {
    if rule == .same { return .depth(map) }
    let meters = map.meters.packed
    var values = predictions(meters.samples)
    if !residuals.isEmpty {
      guard residuals.count == values.count else {
        throw CaptureReadingError(
          .malformed, path: [printable(text: topic)], expected: "\(residuals.count) pixels",
          found: "\(values.count)")
      }
      var exceptions = exceptions[...]
      for (index, residual) in residuals.enumerated() where residual != 0 {
        if residual == Self.exceptionMark {
          values[index] = exceptions.popFirst() ?? .nan
        } else {
          let bits = Int64(values[index].bitPattern) + Int64(Int8(bitPattern: residual))
          values[index] = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        }
      }
    }
    return .disparity(DisparityMap(inverseMeters: Raster(size: meters.size, samples: values)))
  }
}
