import PlumblineImages
import PlumblineIO
import PlumblineModel

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
      let isMillimeters = !measured.isEmpty && measured[measured.count / 2] >= 50
      factor = isMillimeters ? 0.001 : 1
    }
    let meters = factor == 1 ? values : values.map { $0 * factor }
    return DepthRecord(
      values: .depth(DepthMap(meters: meters)), storedType: array.numberType.rawValue,
      accuracy: .absolute)
  }
}
