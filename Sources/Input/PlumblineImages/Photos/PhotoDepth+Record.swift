package import PlumblineModel
import PlumblineNumerics

extension PhotoDepth {
  /// Converts a depth record to a writable map.
  ///
  /// If the record still has the values of its stored codes, these codes are kept, so that a map
  /// that is only copied never changes; `bits` is then ignored. Otherwise values are quantized in
  /// equal steps from the minimum to the maximum, both rounded outward to the six decimals that XMP
  /// prints, so that the written range equals the read one.
  ///
  /// Photos have no code for missing values. In a map with holes the range starts at exactly 0, and
  /// code 0 means 0, which every reader treats as missing, since no distance is 0; see
  /// ``holeCount``. This costs precision: the steps from 0 to the minimum are not used.
  ///
  /// Confidence, σ and orientation are not stored: photos have no place for the first two, and the
  /// map must already have the orientation of the photo's stored pixels.
  ///
  /// - Parameters:
  ///   - record: The map, of any kind except range.
  ///   - quantity: The quantity to store if codes are made anew; a record with kept codes has its
  ///     own.
  ///   - bits: 8 or 16.
  /// - Throws: `.unrepresentable` for a range map, for a map in which everything is missing and for
  ///   values beyond 10⁴ (10 km, or 0.1 mm).
  /// - Precondition: `bits` is 8 or 16. O(*n*).
  package init(
    _ record: DepthRecord, quantity: Quantity = .disparity, bits: Int = 8
  ) throws(PhotoWritingError) {
    precondition(bits == 8 || bits == 16, "\(bits) bits of depth")
    let stored: Raster<Float>
    let own: Quantity
    switch record.values {
    case .depth(let map): (stored, own) = (map.meters, .depth)
    case .disparity(let map): (stored, own) = (map.inverseMeters, .disparity)
    case .range:
      throw Self.refused("depths or disparities", "ranges along rays")
    }
    if let codes = record.storedSamples, let rule = record.quantization, codes.size == stored.size,
      AppleDepthRecord.isPlausible(
        min(rule.minimumValue, rule.maximumValue), max(rule.minimumValue, rule.maximumValue)),
      Self.means(stored, codes, rule)
    {
      self.init(codes: codes, quantization: rule, quantity: own)
      self = ascending
    } else {
      let values: Raster<Float>
      switch (record.values, quantity) {
      case (.depth(let map), .disparity): values = map.disparityMap.inverseMeters
      case (.disparity(let map), .depth): values = map.depthMap.meters
      default: values = stored
      }
      let rule = try Self.quantization(of: values, bits: bits)
      self.init(codes: Self.codes(of: values, rule), quantization: rule, quantity: quantity)
    }
    // Values without a unit have an unknown scale, which is the meaning of "relative".
    accuracy = record.hasUnit ? record.accuracy : .relative
    isFiltered = record.isFiltered
    quality = record.quality
    nativeType = own == self.quantity ? record.nativeType : nil
    calibration = record.calibration
    simulatedAperture = record.simulatedAperture
    disparitySigma = record.medianDisparitySigma
  }

  /// The number of samples that mean "missing": those whose value is not above 0.
  ///
  /// O(*n*).
  package var holeCount: Int {
    let isHole = (0...codes.maximumCode).map { quantization.value($0) <= 0 }
    switch codes {
    case .uint8(let raster): return raster.packed.samples.count { isHole[Int($0)] }
    case .uint16(let raster, _):
      return raster.packed.samples.count { isHole[min(Int($0), isHole.count - 1)] }
    }
  }

  /// Whether values are those of codes under a rule, with missing values where these are not above
  /// 0.
  private static func means(
    _ values: Raster<Float>, _ codes: StoredSamples, _ rule: LinearQuantization
  ) -> Bool {
    let meant = rule.values(of: codes).packed.samples
    return zip(values.packed.samples, meant).allSatisfy { value, meant in
      value == meant || (value.isNaN && !(meant > 0 && meant < .infinity))
    }
  }

  private static func quantization(
    of values: Raster<Float>, bits: Int
  ) throws(PhotoWritingError) -> LinearQuantization {
    var low = Float.infinity
    var high = -Float.infinity
    var hasHoles = false
    for value in values.packed.samples {
      // A map may contain values that are not distances; they are holes here too.
      guard value > 0, value < .infinity else {
        hasHoles = true
        continue
      }
      low = min(low, value)
      high = max(high, value)
    }
    guard low <= high else { throw refused("a map with at least one value", "none") }
    guard high <= 1e4 else { throw refused("values up to 10000", "\(high)") }
    let least = hasHoles ? 0 : XMPNumber.roundedDown(Double(low))
    // A smaller range, or one without extent, is read as damage; see `AppleDepthRecord`.
    let margin = max(2e-6 * Double(high), 2e-6)
    let maximum = XMPNumber.roundedUp(max(Double(high), least + margin, 2e-4))
    return LinearQuantization(
      minimumCode: 0, maximumCode: (1 << bits) - 1, minimumValue: least, maximumValue: maximum)
  }

  /// The nearest codes; in a map with holes only a hole gets code 0.
  private static func codes(of values: Raster<Float>, _ rule: LinearQuantization) -> StoredSamples {
    let firstCode = rule.minimumValue > 0 ? 0 : 1
    let inverseStep = 1 / rule.step
    func code(_ value: Float) -> Int {
      guard value > 0, value < .infinity else { return 0 }
      let code = Int(((Double(value) - rule.minimumValue) * inverseStep).rounded())
      return min(max(code, firstCode), rule.maximumCode)
    }
    if rule.maximumCode <= 255 { return .uint8(values.map { UInt8(code($0)) }) }
    return .uint16(values.map { UInt16(code($0)) }, bitDepth: 16)
  }

  private static func refused(_ expected: String, _ found: String) -> PhotoWritingError {
    .unrepresentable(format: "depth", place: "depth map", expected: expected, found: found)
  }
}

extension DepthRecord {
  /// The median of the map's own σ, converted to disparity in 1/m; `nil` if it has none.
  ///
  /// Errors of matching and parallax are equal in disparity at all distances, so one number is a
  /// good summary.
  fileprivate var medianDisparitySigma: Double? {
    guard let sigmaMeters, sigmaMeters.size == size else { return nil }
    let meters: Raster<Float>
    switch values {
    case .depth(let map): meters = map.meters
    case .disparity(let map): meters = map.depthMap.meters
    case .range: return nil
    }
    // |dd| = |dz|/z², from d = 1/z.
    let sigmas = zip(sigmaMeters.packed.samples, meters.packed.samples)
      .map { $0 / ($1 * $1) }.filter { $0 >= 0 && $0 < .infinity }.sorted()
    return sigmas.middleOfSorted.map { Double($0) }
  }
}
