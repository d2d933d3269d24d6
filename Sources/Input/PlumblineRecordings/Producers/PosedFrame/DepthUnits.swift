import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineNumerics

/// Depth maps with integer codes in a fixed fraction of a meter, usually millimeters in a 16-bit
/// PNG; 0 means not measured.
///
/// It is separate from ``DepthFile``: a scan states an arbitrary factor in meters per code and
/// keeps its bit depth, while data sets state codes per meter.
enum MillimeterDepth {
  /// Reads a 16-bit PNG.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - metersPerUnit: The length of one unit in meters; 0.001 for millimeters.
  ///   - limits: The limits for reading.
  /// - Returns: The map in meters, with its codes.
  /// - Throws: `.unsupported` for color and for 8 bits, which cannot store depth in millimeters;
  ///   errors of the PNG reader.
  static func record(
    png bytes: [UInt8], metersPerUnit: Double = 0.001, limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let (codes, bitDepth) = try PNGImage(bytes[...], limits: limits).gray16()
    return record(codes, bitDepth: bitDepth, metersPerUnit: metersPerUnit)
  }

  /// The record of a map with given codes.
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

  /// The provenance step for readers of such maps.
  static func provenance(metersPerUnit: Double = 0.001) -> ProvenanceStep {
    let rule =
      metersPerUnit == 0.001 ? "millimeters / 1000" : "code · \(metersPerUnit.description)"
    return ProvenanceStep(.dequantized, "meters = \(rule); 0 is not measured")
  }

  /// A finding about depths beyond the range of a phone's LiDAR; `nil` if there are none.
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

/// Depth maps in numeric arrays, whose format does not define the unit.
///
/// It is separate from ``DepthFile``, which treats floating-point numbers as meters: a scan states
/// a factor for its arrays, or the unit must be guessed.
enum NumericDepth {
  /// Reads a NumPy array.
  ///
  /// Without a stated unit, integers are millimeters. Floating-point numbers are millimeters if
  /// their median is 50 or more, else meters: no phone measures less than 50 mm or as much as 50 m.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - metersPerUnit: The length of one unit in meters; `nil` if it is unknown.
  ///   - limits: The limits for reading.
  /// - Returns: The map in meters.
  /// - Throws: Errors of ``NPYArray``.
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
