public import PlumblineModel

/// The output of a simulated sensor with the ground truth.
public struct SensorMeasurement: Sendable {
  /// The exact depth of every pixel center.
  public var truth: DepthMap
  /// The sensor's disparity map, in 1/m.
  public var disparity: DisparityMap
  /// The calibration that the device claims; the true one unless a fault was added.
  public var calibration: CameraCalibration
  /// Whether holes were filled and values smoothed.
  public var isFiltered: Bool
  /// The accuracy that the device states; `.relative` after the corresponding fault.
  public var accuracy: DepthRecord.Accuracy

  /// Creates a measurement from its parts.
  package init(
    truth: DepthMap, disparity: DisparityMap, calibration: CameraCalibration, isFiltered: Bool,
    accuracy: DepthRecord.Accuracy = .absolute
  ) {
    self.truth = truth
    self.disparity = disparity
    self.calibration = calibration
    self.isFiltered = isFiltered
    self.accuracy = accuracy
  }

  /// The disparities as Apple stores them: 8 bits over the map's own range.
  ///
  /// 0 is the minimum disparity of the map, 255 the maximum, which is the nearest point. There is
  /// no code for "missing": such pixels become 0, the farthest, as every reader will see them.
  /// - Source: every Apple file seen; see `Documentation/formats/xmp-apple-depth.md`.
  /// - Precondition: The map has at least two different values.
  package func quantized() -> (codes: Raster<UInt8>, quantization: LinearQuantization) {
    var low = Float.infinity
    var high = -Float.infinity
    for value in disparity.inverseMeters.packed.samples where value.isFinite {
      low = min(low, value)
      high = max(high, value)
    }
    precondition(low < high, "a map of one value has no range to spread codes over")
    let quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: Double(low), maximumValue: Double(high))
    let codes = disparity.inverseMeters.map { UInt8(quantization.code(Double($0))) }
    return (codes, quantization)
  }

  /// The measurement as a record from a reader.
  ///
  /// - Parameter isStored: Whether the disparities are quantized to 8 bits.
  /// - Returns: A record whose orientation is upright.
  package func depthRecord(isStored: Bool = false) -> DepthRecord {
    var record = DepthRecord(values: .disparity(disparity), storedType: "hdis", accuracy: accuracy)
    if isStored {
      let (codes, quantization) = quantized()
      record = DepthRecord(
        values: .disparity(
          DisparityMap(inverseMeters: quantization.values(of: .uint8(codes)))),
        storedType: "L008", accuracy: accuracy)
      record.storedSamples = .uint8(codes)
      record.quantization = quantization
      record.nativeType = "hdis"
    }
    record.isFiltered = isFiltered
    record.quality = "high"
    record.calibration = calibration
    return record
  }
}
