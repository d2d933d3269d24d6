package import PlumblineIO
package import PlumblineModel

/// The image that a frame's depth values come from, and what it lacks of them.
///
/// Viewers want meters, dual cameras give their reciprocal, and both at full length would double a
/// recording. The reciprocal of the meters is that number again but for its last bits: a residual of
/// one byte a pixel makes it exact, and where the numbers were halves, rounding alone does.
package struct DepthImageReference {
  /// How values come out of meters `z` in single precision; NaN gives NaN.
  package enum Rule: String {
    /// `z`.
    case same
    /// `1 / z`, rounded to single precision as IEEE 754 does.
    case reciprocal
    /// `1 / z` as above, then rounded to 10 bits behind the leading one, ties to even: a half.
    case reciprocalHalf = "reciprocal_half"

    /// The kind of map that it makes.
    package var kind: String { self == .same ? "depth" : "disparity" }
  }

  /// The residual, as a byte, that stands for one of ``exceptions``.
  static let exceptionMark: UInt8 = 0x80

  /// The topic of the image of the same log time.
  package var topic: String
  package var rule: Rule
  /// What is added to the bits of the rule's numbers, pixel by pixel, in two's complement; empty for
  /// 0 everywhere.
  package var residuals: [UInt8] = []
  /// The values of the pixels whose residual is ``exceptionMark``, in their order.
  var exceptions: [Float] = []

  /// Refers to an image by given numbers.
  package init(topic: String, rule: Rule, residuals: [UInt8] = [], exceptions: [Float] = []) {
    self.topic = topic
    self.rule = rule
    self.residuals = residuals
    self.exceptions = exceptions
  }

  /// Finds the rule for values whose image of the same size is at hand.
  ///
  /// It is `nil` for ranges, and where the values themselves take no more room. O(*n*).
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
        var difference: UInt8 = 0
        for index in 0..<values.count {
          let residual = Self.residual(of: values[index], from: predicted[index])
          difference |= residual
          residuals[index] = residual
        }
        isExact = difference == 0
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

  private static func residual(of value: Float, from prediction: Float) -> UInt8 {
    let difference = Int64(value.bitPattern) - Int64(prediction.bitPattern)
    if value.isNaN && prediction.isNaN { return 0 }
    guard !value.isNaN, !prediction.isNaN, abs(difference) <= 127 else { return exceptionMark }
    return UInt8(bitPattern: Int8(difference))
  }

  /// The predictions of the rule for meters.
  private func predictions(_ meters: [Float]) -> [Float] {
    let isHalf = rule == .reciprocalHalf
    if rule == .same { return meters }
    return [Float](unsafeUninitializedCapacity: meters.count) { result, count in
      for index in 0..<meters.count {
        // As a reader of the image takes it: what is not finite is missing.
        let isFinite = meters[index] < .infinity
        let bits = (isFinite ? 1 / meters[index] : .nan).bitPattern
        let rounded = (bits &+ 0xFFF &+ (bits >> 13 & 1)) & ~0x1FFF
        result[index] = Float(bitPattern: isHalf ? rounded : bits)
      }
      count = meters.count
    }
  }

  /// The values by an image of meters.
  ///
  /// - Throws: `.malformed` for an image of another size than that of the residuals.
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
