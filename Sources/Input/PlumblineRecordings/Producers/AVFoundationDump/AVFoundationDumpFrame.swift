import PlumblineImages
import PlumblineIO
import PlumblineModel

/// One frame of an AVFoundation dump: its two files and its two entries of metadata, any of which
/// may be missing.
struct AVFoundationDumpFrame: Sendable {
  /// The device's clock in milliseconds, which is the number in the file names.
  let timestamp: Int
  var depthFile: String?
  var colorFile: String?
  var depthMetadata: RecordedJSON?
  var cameraMetadata: RecordedJSON?

  /// Reads the frame.
  ///
  /// - Throws: Why its depth map cannot be read, or the color image of a frame without a depth map.
  func capture(
    from folder: any CaptureFolder, limits: ReadingLimits, color: CaptureReader.ColorRequest
  ) throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: source)
    capture.timestampSeconds = Double(timestamp) / 1000
    if let depthFile {
      do throws(CaptureReadingError) {
        try readDepth(try folder.bytes(of: depthFile), limits, into: &capture)
      } catch {
        throw error.inside(depthFile)
      }
    } else {
      capture.colorCalibration = capture.take(calibration(mapSize: nil))
    }
    if let colorFile {
      try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
        .add(to: &capture)
    }
    return capture
  }

  private var source: CaptureSource {
    // AVFoundation exists only on Apple's devices; no file names the model.
    var source = CaptureSource(interface: .avfoundation)
    source.make = "Apple"
    source.isGeometryCorrected = cameraMetadata?["GeometricDistortionCorrectionEnabled"]?.flag
    source.camera =
      switch cameraMetadata?["DeviceType"]?.text {
      case "AVCaptureDeviceTypeBuiltInTrueDepthCamera": .trueDepth
      case "AVCaptureDeviceTypeBuiltInLiDARDepthCamera": .lidar
      case "AVCaptureDeviceTypeBuiltInDualCamera": .dual
      case "AVCaptureDeviceTypeBuiltInDualWideCamera": .dualWide
      default: .unknown
      }
    return source
  }

  private func readDepth(
    _ bytes: [UInt8], _ limits: ReadingLimits, into capture: inout Capture
  ) throws(CaptureReadingError) {
    let (codes, bitDepth) = try PNGImage(bytes[...], limits: limits).gray16(", 0.1 mm each")
    let quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 65535, minimumValue: 0, maximumValue: 6.5535)
    let samples = StoredSamples.uint16(codes, bitDepth: bitDepth)
    let accuracy: DepthRecord.Accuracy =
      switch depthMetadata?["Accuracy"]?.integer {
      case 1: .absolute
      case 0: .relative
      default: .unknown
      }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: quantization.values(of: samples))), storedType: "u16",
      accuracy: accuracy)
    record.storedSamples = samples
    record.quantization = quantization
    record.nativeType = depthMetadata?["MediaSubType"]?.text.map { printable(text: $0.prefix(8)) }
    record.isFiltered = depthMetadata?["DepthDataFiltered"]?.flag
    record.quality = depthMetadata?["Quality"]?.integer.flatMap { [0: "low", 1: "high"][$0] }
    capture.provenance.append(
      ProvenanceStep(.dequantized, "meters = code / 10000; code 0 is not measured"))
    record.calibration = capture.take(calibration(mapSize: codes.size))
    capture.depth = record
  }

  private func calibration(mapSize: RasterSize?) -> CheckedCalibration {
    guard let metadata = depthMetadata else { return CheckedCalibration() }
    var findings: [Finding] = []
    var recorded = RecordedCalibration()
    let rows = (0..<3).map { metadata["IntrinsicMatrix.\($0)"]?.numbers }
    recorded.matrix = RecordedCalibration.columnMajor(rows.compactMap(\.self))
    if recorded.matrix == nil, rows.contains(where: { $0 != nil }) {
      findings.append(
        Finding(
          .calibrationDamaged, .caution, "the intrinsic matrix is not three rows of three numbers",
          evidence: "IntrinsicMatrix.0, IntrinsicMatrix.1, IntrinsicMatrix.2"))
    }
    recorded.referenceSize = RecordedCalibration.size(
      metadata["IntrinsicMatrixReferenceDimensions"]?.numbers)
    let stated = [metadata["Width"]?.number, metadata["Height"]?.number].compactMap(\.self)
    let statedSize = RecordedCalibration.size(stated)
    // The app divided by the size that it recorded, even if the file has another size now.
    recorded.mapSize = statedSize ?? mapSize
    if let statedSize, let mapSize, statedSize != mapSize {
      findings.append(
        Finding(
          .fileUnequalSizes, .caution,
          "the depth map has \(mapSize) pixels, its metadata says \(statedSize)",
          evidence: "Width, Height of DepthMetadata.json"))
    }
    recorded.distortionCenter = metadata["LensDistortionCenter"]?.numbers
    recorded.distortingTable = metadata["LensDistortionLookupTable"]?.numbers
    recorded.undistortingTable = metadata["LensDistortionInverseLookupTable"]?.numbers
    recorded.pixelSizeMillimeters = metadata["PixelSize"]?.number
    let extrinsicRows = (0..<3).compactMap { metadata["ExtrinsicMatrix.\($0)"]?.numbers }
    if extrinsicRows.count == 3, extrinsicRows.allSatisfy({ $0.count == 4 }) {
      recorded.extrinsicColumns = (0..<12).map { extrinsicRows[$0 % 3][$0 / 3] }
    }
    var checked = recorded.checked()
    checked.findings = findings + checked.findings
    return checked
  }
}
