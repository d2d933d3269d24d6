import PlumblineImages
import PlumblineIO
internal import PlumblineModel
internal import PlumblineVision

/// The format in which ZEISS's app dumps AVFoundation's objects.
///
/// - Source: the files of ZEISS/iPad_TrueDepth_Issue_Eval: keys, tuples as strings, tenths of a
///   millimeter; the matrix is in rows and scaled to the map, but its reference size is not; the
///   principal point is scaled without the half pixel.
struct AVFoundationLayout {
  func files(of frame: SimulatedFrame) -> [SimulatedFile] {
    let encoder = PNGEncoder(level: 4)
    return [
      SimulatedFile(
        name: "rgb_\(frame.timestampMilliseconds).png", bytes: encoder.encoded(frame.color)),
      SimulatedFile(
        name: "depth_\(frame.timestampMilliseconds).png",
        bytes: encoder.encoded(frame.depth.tenthsOfMillimeters)),
    ]
  }

  func sharedFiles(
    _ frames: [FrameSummary], _ recording: SimulatedRecording
  ) -> [SimulatedFile] {
    let writer = JSONWriter()
    var files = [
      SimulatedFile(
        name: "DepthMetadata.json", bytes: writer.bytes(.array(frames.map(\.depthMetadata)))),
      SimulatedFile(
        name: "CameraMetadata.json", bytes: writer.bytes(.array(frames.map(\.cameraMetadata)))),
    ]
    if let board = recording.board?.board {
      files.append(
        SimulatedFile(
          name: "checkersize.txt", bytes: Array(Float(board.squareMeters * 100).description.utf8)))
    }
    return files
  }

  func depthMetadata(of frame: SimulatedFrame, in recording: SimulatedRecording) -> JSONValue {
    let size = frame.measurement.disparity.size
    let claimed = frame.measurement.calibration
    var scaled = claimed
    scaled.scaleNaively(to: size)
    let (f, c) = (scaled.intrinsics.focalLength, scaled.intrinsics.principalPoint)
    let reference = claimed.intrinsics.size
    var members: [(key: String, value: JSONValue)] = [
      ("Accuracy", .integer(frame.measurement.accuracy == .absolute ? 1 : 0)),
      ("BitsPerComponent", 32), ("BytesPerRow", .integer(4 * size.width)),
      ("ColorSpace", "Gray"), ("DataType", 1_717_855_600),
      ("DepthDataFiltered", .bool(frame.measurement.isFiltered)),
      ("ExtrinsicMatrix.0", "(1.0, 0.0, 0.0, 0.0)"),
      ("ExtrinsicMatrix.1", "(0.0, 1.0, 0.0, 0.0)"),
      ("ExtrinsicMatrix.2", "(0.0, 0.0, 1.0, 0.0)"), ("Height", .integer(size.height)),
      ("IntrinsicMatrix.0", tuple([f.x, 0, c.x])), ("IntrinsicMatrix.1", tuple([0, f.y, c.y])),
      ("IntrinsicMatrix.2", tuple([0, 0, 1])),
      (
        "IntrinsicMatrixReferenceDimensions",
        tuple([Double(reference.width), Double(reference.height)])
      ),
    ]
    if let lens = claimed.distortion {
      members.append(("LensDistortionCenter", tuple([lens.center.x, lens.center.y])))
      members.append(("LensDistortionInverseLookupTable", table(lens.undistorting, of: lens)))
      members.append(("LensDistortionLookupTable", table(lens.distorting, of: lens)))
    } else {
      members.append(("LensDistortionCenter", "(0.0, 0.0)"))
    }
    members += [
      ("MediaSubType", "fdep"), ("MediaType", "vide"),
      ("PixelSize", .number(claimed.pixelSizeMillimeters)), ("Quality", 1),
      ("Software", .string(SimulationWriter.software)),
      ("Synthetic", .string(SimulationWriter.notice)),
      ("Timestamp", .integer(frame.timestampMilliseconds)), ("Width", .integer(size.width)),
    ]
    return .object(members)
  }

  func cameraMetadata(of frame: SimulatedFrame, in recording: SimulatedRecording) -> JSONValue {
    let camera = recording.camera
    let isCorrected = recording.claimsGeometricDistortionCorrection
    let device =
      camera.depthCamera == .trueDepth
      ? "AVCaptureDeviceTypeBuiltInTrueDepthCamera" : "AVCaptureDeviceTypeBuiltInLiDARDepthCamera"
    let reference = camera.claimed.intrinsics.size
    return .object([
      ("ColorSpace", "sRGB"), ("DeviceType", .string(device)), ("FpsRange", "[24-24]"),
      ("GeometricDistortionCorrectionEnabled", .bool(isCorrected)),
      ("Height", .integer(frame.color.height)),
      ("HRSI", .string("\(reference.width)x\(reference.height)")),
      ("isGeometricDistortionCorrectionSupported", .bool(isCorrected)),
      ("Make", "Apple"), ("MediaSubType", "420f"), ("MediaType", "vide"),
      ("Model", .string(camera.model)), ("Software", .string(SimulationWriter.software)),
      ("Synthetic", .string(SimulationWriter.notice)),
      ("Timestamp", .integer(frame.timestampMilliseconds)), ("Width", .integer(frame.color.width)),
    ])
  }

  private func tuple(_ numbers: [Double]) -> JSONValue {
    .string("(" + numbers.map { Float($0).description }.joined(separator: ", ") + ")")
  }

  private func table(
    _ magnification: RadialMagnification?, of lens: LensDistortion
  ) -> JSONValue {
    .array(
      lens.tableEntries(magnification).map { .number(Double($0)) })
  }
}

extension LensDistortion {
  /// One direction as Apple's table of 42 entries.
  func tableEntries(_ magnification: RadialMagnification?) -> [Float] {
    guard let magnification else { return [] }
    if case .table(let entries) = magnification { return entries }
    return (0..<42).map { index in
      Float(
        magnification.offset(
          atRadius: maximumRadius * Double(index) / 41, maximumRadius: maximumRadius,
          pixelSizeMillimeters: pixelSizeMillimeters))
    }
  }
}

extension DepthMap {
  /// Tenths of a millimeter; 0 for missing depths and for depths beyond 6.5535 m.
  var tenthsOfMillimeters: Raster<UInt16> {
    meters.map { depth in
      let tenths = (depth * 10_000).rounded()
      return tenths >= 1 && tenths <= 65_535 ? UInt16(tenths) : 0
    }
  }
}
