import PlumblineModel

/// Depth maps in which a whole number counts a fixed part of a meter, commonly millimeters in a PNG
/// of 16 bits; 0 is not measured.
enum MillimeterDepth {
  /// Reads a PNG of 16 bits.
  ///
  /// - Parameter metersPerUnit: What one unit means; a thousandth for millimeters.
  /// - Throws: `.unsupported` for color and for 8 bits, which hold no depth in millimeters; what PNG
  ///   throws.
  static func record(
    png bytes: [UInt8], metersPerUnit: Double = 0.001, limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let image = try PNGImage(bytes[...], limits: limits)
    guard case .gray(.uint16(let codes, let bitDepth)) = image else {
      throw CaptureReadingError(
        .unsupported, path: ["PNG"], offset: 0, expected: "gray of 16 bits",
        found: image.isColor ? "color" : "gray of 8 bits")
    }
    let quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 65535, minimumValue: 0, maximumValue: 65535 * metersPerUnit)
    let samples = StoredSamples.uint16(codes, bitDepth: bitDepth)
    let depth =
      metersPerUnit == 0.001
      ? DepthMap(millimeters: codes) : DepthMap(meters: quantization.values(of: samples))
    var record = DepthRecord(values: .depth(depth), storedType: "u16", accuracy: .absolute)
    record.storedSamples = samples
    record.quantization = quantization
    return record
  }

  /// The step that readers of such maps leave in a capture's provenance.
  static func provenance(metersPerUnit: Double = 0.001) -> ProvenanceStep {
    let rule =
      metersPerUnit == 0.001 ? "millimeters / 1000" : "code · \(metersPerUnit.description)"
    return ProvenanceStep("dequantized", "meters = \(rule); 0 is not measured")
  }

  /// The whole millimeters of a map for a PNG of 16 bits; 0 where not measured.
  ///
  /// Meters are rounded to the nearest millimeter, half away from zero.
  ///
  /// - Returns: `nil` for a map with a depth that 1 to 65535 mm cannot hold. O(*n*).
  static func codes(of depth: DepthMap) -> Raster<UInt16>? {
    var isHeld = true
    let codes = depth.meters.map { meters -> UInt16 in
      guard !meters.isNaN else { return 0 }
      let millimeters = (Double(meters) * 1000).rounded()
      guard millimeters >= 1, millimeters <= 65535 else {
        isHeld = false
        return 0
      }
      return UInt16(millimeters)
    }
    return isHeld ? codes : nil
  }

  /// What is odd about depths farther than a phone's LiDAR reaches; `nil` when there are none.
  ///
  /// - Source: PolyCam/polyform, README.md: "The max range of the lidar sensor is 5M, so the depth
  ///   map for any part of the scene larger than that is a total guess."
  static func beyondLidar(_ depth: DepthMap, evidence: String) -> Finding? {
    var measured = 0
    var beyond = 0
    for y in 0..<depth.size.height {
      for meters in depth.meters.row(y) where !meters.isNaN {
        measured += 1
        if meters > 5 { beyond += 1 }
      }
    }
    guard beyond > 0 else { return nil }
    let percent = 100 * Double(beyond) / Double(measured)
    return Finding(
      .depthBeyondSensor, .caution,
      "\(percent.fixed(1)) % of the depths are beyond 5 m, where the LiDAR measures nothing",
      evidence: evidence)
  }
}
