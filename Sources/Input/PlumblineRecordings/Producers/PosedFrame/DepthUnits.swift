import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineNumerics

/// Depth maps in which a whole number counts a fixed part of a meter, commonly millimeters in a PNG
/// of 16 bits; 0 is not measured.
///
/// Apart from ``DepthFile``: a scan states any factor in meters per code and keeps the count of bits,
/// where data sets state whole codes per meter.
enum MillimeterDepth {
  /// Reads a PNG of 16 bits.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - metersPerUnit: What one unit means; a thousandth for millimeters.
  ///   - limits: What may be spent.
  /// - Returns: The map in meters, with its codes.
  /// - Throws: `.unsupported` for color and for 8 bits, which hold no depth in millimeters; what PNG
  ///   throws.
  static func record(
    png bytes: [UInt8], metersPerUnit: Double = 0.001, limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let (codes, bitDepth) = try PNGImage(bytes[...], limits: limits).gray16()
    return record(codes, bitDepth: bitDepth, metersPerUnit: metersPerUnit)
  }

  /// The record of a map whose codes are known.
  static func record(
    _ codes: Raster<UInt16>, bitDepth: Int = 16, metersPerUnit: Double = 0.001
  ) -> DepthRecord {
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
    return ProvenanceStep(.dequantized, "meters = \(rule); 0 is not measured")
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

/// Depth maps in arrays of numbers whose unit their format leaves open.
///
/// Apart from ``DepthFile``, which takes fractions for meters: a scan states a factor for its arrays,
/// or leaves their unit to a guess.
enum NumericDepth {
  /// Reads a NumPy array.
  ///
  /// Without a stated unit whole numbers are millimeters. Of others those with a median of 50 or
  /// more are millimeters, else meters: no phone sees nearer than 50 mm or as far as 50 m.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - metersPerUnit: What 1 means; `nil` where nothing says so.
  ///   - limits: What may be spent.
  /// - Returns: The map in meters.
  /// - Throws: What ``NPYArray`` throws.
  static func record(
    npy bytes: [UInt8], metersPerUnit: Double?, limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let array = try NPYArray(bytes[...], limits: limits)
    let values = array.values.floats
    let factor: Float
    if let metersPerUnit {
      factor = Float(metersPerUnit)
    } else if !array.numberType.isFloatingPoint {
      factor = 0.001
    } else {
      let measured = values.samples.filter { $0 > 0 && $0 < .infinity }.sorted()
      let isMillimeters = (measured.middleOfSorted ?? 0) >= 50
      factor = isMillimeters ? 0.001 : 1
    }
    let meters = factor == 1 ? values : values.map { $0 * factor }
    return DepthRecord(
      values: .depth(DepthMap(meters: meters)), storedType: array.numberType.rawValue,
      accuracy: .absolute)
  }
}
