import PlumblineIO
import PlumblineModel

/// Reads a depth map in Google's two forms: GDepth (inside the XMP) and Dynamic Depth (appended).
struct GoogleDepthReader {
  let file: JPEGFile
  let limits: ReadingLimits

  /// The record with what is odd about it; `nil` when the packet describes no depth map.
  func record(
    _ packet: XMPPacket
  ) throws(CaptureReadingError) -> (record: DepthRecord, findings: [Finding])? {
    if let depth = try GDepthMetadata(packet, limits: limits) {
      let samples = try samples(of: depth.depthImage, path: ["XMP", "GDepth", "Data"])
      return record(samples, depth.range, depth.measureType, calibration: nil)
    }
    guard let dynamic = try DynamicDepthMetadata(packet) else { return nil }
    for camera in dynamic.cameras {
      guard let map = camera.depthMap, map.itemSemantic?.lowercased() != "segmentation" else {
        continue
      }
      guard let image = appendedImage(map.depthURI, dynamic) else {
        throw CaptureReadingError(
          .missing, path: ["XMP", "Container", "Directory"],
          expected: "an appended image for \(printable(map.depthURI.utf8.prefix(80)))",
          found: "none in the file")
      }
      let samples = try samples(of: image, path: ["depth map"])
      return record(
        samples, map.range, map.measureType,
        calibration: camera.imagingModel.flatMap { Self.calibration($0) })
    }
    return nil
  }

  /// The bytes of an appended image, by its place in the container's directory.
  private func appendedImage(_ uri: String, _ dynamic: DynamicDepthMetadata) -> [UInt8]? {
    guard let directory = dynamic.directory else { return nil }
    let ranges = directory.ranges(
      primaryEnd: file.primary.range.upperBound, fileEnd: file.bytes.endIndex)
    for (item, range) in zip(directory.items, ranges) where item.dataURI == uri {
      return range.map { [UInt8](file.bytes[$0]) }
    }
    return nil
  }

  private func samples(
    of bytes: [UInt8], path: [String]
  ) throws(CaptureReadingError) -> StoredSamples {
    do throws(CaptureReadingError) {
      if JPEGFile.recognizes(bytes) {
        return try JPEGFile(bytes[...], limits: limits).primary.storedSamples(limits: limits)
      }
      return try PNGImage(bytes[...], limits: limits).storedSamples()
    } catch {
      var located = error
      // Offsets count inside the unpacked map, so they must not look like the file's own.
      located.path = path + error.path
      throw located
    }
  }

  private func record(
    _ samples: StoredSamples, _ range: DynamicDepthRange,
    _ measure: GDepthMetadata.MeasureType, calibration: CameraCalibration?
  ) -> (record: DepthRecord, findings: [Finding]) {
    let (quantization, isDisparity) = Self.quantization(range, maximumCode: samples.maximumCode)
    let raster = quantization.values(of: samples)
    let values: DepthRecord.Values
    if isDisparity {
      values = .disparity(DisparityMap(inverseMeters: raster))
    } else if measure == .opticRay {
      values = .range(RangeMap(meters: raster))
    } else {
      values = .depth(DepthMap(meters: raster))
    }
    var findings: [Finding] = []
    if measure == .opticRay {
      findings.append(
        Finding(
          .depthAlongRay, calibration == nil || isDisparity ? .caution : .note,
          "the file stores lengths of rays instead of depths", evidence: "MeasureType = OpticRay",
          correction: calibration == nil || isDisparity ? .none : .applied))
    }
    var record = DepthRecord(values: values, storedType: samples.maximumCode > 255 ? "u16" : "u8")
    record.storedSamples = samples
    record.quantization = quantization
    record.hasUnit = range.unit != .unspecified
    record.accuracy = .unknown
    record.calibration = calibration
    return (record, findings)
  }

  /// The line from codes to depth (linear) or disparity (inverse); in diopters the two change
  /// places, since near and far are then disparities themselves.
  private static func quantization(
    _ range: DynamicDepthRange, maximumCode: Int
  ) -> (LinearQuantization, isDisparity: Bool) {
    let unit = range.unit == .millimeters ? 0.001 : 1.0
    let near = range.near * unit
    let far = range.far * unit
    let isReciprocal = range.format == .inverse
    return (
      LinearQuantization(
        minimumCode: 0, maximumCode: maximumCode,
        minimumValue: isReciprocal ? 1 / near : near, maximumValue: isReciprocal ? 1 / far : far),
      isReciprocal != (range.unit == .diopters)
    )
  }

  /// The camera of a Dynamic Depth imaging model, whose numbers are pixels of its own image size.
  private static func calibration(
    _ model: DynamicDepthMetadata.ImagingModel
  ) -> CameraCalibration? {
    let width = model.imageWidth.rounded()
    let height = model.imageHeight.rounded()
    guard (1...1e6).contains(width), (1...1e6).contains(height) else { return nil }
    let matrix = [
      model.focalLengthX, 0, 0, 0, model.focalLengthY, 0, model.principalPointX,
      model.principalPointY, 1,
    ]
    return PinholeIntrinsics(
      columnMajor: matrix, size: RasterSize(width: Int(width), height: Int(height))
    ).map { CameraCalibration(intrinsics: $0) }
  }
}
