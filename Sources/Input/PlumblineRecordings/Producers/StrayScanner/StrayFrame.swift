import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The data for reading a frame of a Stray Scanner recording.
struct StrayFrame: Sendable {
  var row: StrayOdometry.Row
  var depthFile: String?
  var confidenceFile: String?
  /// The video image as an index in presentation order.
  var image: Int?

  /// Reads the frame.
  ///
  /// - Throws: Why the depth map cannot be read, or the color of a frame without a depth map.
  func capture(
    of recording: StrayRecording, color request: CaptureReader.ColorRequest
  ) throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: .apple(.lidar, .arkit))
    capture.timestampSeconds = row.timestampSeconds
    capture.worldFromCamera = row.worldFromCamera
    capture.colorOrientation = recording.orientation
    var depthSize: RasterSize?
    if let depthFile {
      do throws(CaptureReadingError) {
        let record = try depth(depthFile, recording, &capture.provenance)
        capture.depth = record
        depthSize = record.size
      } catch {
        throw error.inside(depthFile)
      }
    }
    if let confidenceFile {
      try ConfidenceImage.add(
        confidenceFile, from: recording.folder, coding: .levels, limits: recording.limits,
        to: &capture)
    }
    let calibration = calibration(recording, depthSize, into: &capture)
    if capture.depth != nil {
      capture.depth?.calibration = calibration
    } else {
      capture.colorCalibration = calibration
    }
    try readColor(recording, request, into: &capture)
    return capture
  }

  private func depth(
    _ name: String, _ recording: StrayRecording, _ provenance: inout [ProvenanceStep]
  ) throws(CaptureReadingError) -> DepthRecord {
    let bytes = try recording.folder.bytes(of: name)
    var record: DepthRecord
    if NPYArray.recognizes(bytes) {
      record = try arrayDepth(NPYArray(bytes[...], limits: recording.limits), &provenance)
    } else {
      let image = try PNGImage(bytes[...], limits: recording.limits)
      let (codes, bitDepth) = try image.gray16(", 1 mm each")
      record = Self.millimeters(codes, bitDepth: bitDepth)
      provenance.append(
        ProvenanceStep(.dequantized, "meters = code / 1000; code 0 is not measured"))
    }
    record.orientation = recording.orientation
    return record
  }

  private static func millimeters(_ codes: Raster<UInt16>, bitDepth: Int) -> DepthRecord {
    var record = MillimeterDepth.record(codes, bitDepth: bitDepth)
    record.nativeType = "fdep"
    return record
  }

  /// Reads the depth arrays of early versions.
  ///
  /// They are in millimeters, since the app's own viewer divides them. Floating-point numbers that
  /// are all below 100 can only be meters: no phone measures only 10 cm and less.
  private func arrayDepth(
    _ array: NPYArray, _ provenance: inout [ProvenanceStep]
  ) throws(CaptureReadingError) -> DepthRecord {
    let millimeters = "meters = number / 1000; 0 is not measured"
    switch array.values {
    case .uint16(let codes):
      provenance.append(ProvenanceStep(.dequantized, millimeters))
      return Self.millimeters(codes, bitDepth: 16)
    case .float32, .float64:
      let numbers = array.values.floats
      let isMeters = numbers.samples.allSatisfy { !($0 >= 100) }
      provenance.append(
        ProvenanceStep(.scaled, isMeters ? "numbers below 100 are taken as meters" : millimeters))
      let meters = isMeters ? numbers : numbers.map { $0 / 1000 }
      return DepthRecord(
        values: .depth(DepthMap(meters: meters)), storedType: "f32", accuracy: .absolute)
    default:
      throw CaptureReadingError(
        .unsupported, path: ["NPY"], expected: "numbers of 16 bits or with fractions",
        found: "\(array.numberType)")
    }
  }

  private func calibration(
    _ recording: StrayRecording, _ depthSize: RasterSize?, into capture: inout Capture
  ) -> CameraCalibration? {
    var recorded = RecordedCalibration()
    if let camera = row.camera {
      recorded.matrix = [camera[0], 0, 0, 0, camera[1], 0, camera[2], camera[3], 1]
    } else if let matrix = recording.cameraMatrix {
      recorded.matrix = matrix
      capture.provenance.append(
        ProvenanceStep(
          .sharedIntrinsics, "camera_matrix.csv, which is that of the recording's last frame"))
    }
    recorded.referenceSize = recording.video?.video.size
    if recorded.referenceSize == nil, let matrix = recorded.matrix {
      // Every iPhone with LiDAR delivers ARKit frames of this size; the app's viewer relies on it.
      let usual = RasterSize(width: 1920, height: 1440)
      guard abs(matrix[6] / 960 - 1) < 0.1, abs(matrix[7] / 720 - 1) < 0.1 else {
        capture.findings.append(
          Finding(
            .calibrationDamaged, .caution,
            "the size of the video, to which the intrinsic matrix belongs, is not known"))
        return nil
      }
      recorded.referenceSize = usual
      capture.provenance.append(
        ProvenanceStep(.assumedSize, "without a video the matrix is taken as that of \(usual)"))
    }
    recorded.mapSize = depthSize
    return capture.take(recorded.checked())
  }

  private func readColor(
    _ recording: StrayRecording, _ request: CaptureReader.ColorRequest, into capture: inout Capture
  ) throws(CaptureReadingError) {
    guard let video = recording.video else { return }
    capture.colorSize = video.video.size
    let side: Int?
    switch request {
    case .none: return
    case .full, .stored: side = nil
    case .preview(let maximumSide): side = maximumSide
    }
    guard let image else { return }
    do throws(VideoReader.Failure) {
      capture.color = try video.image(at: image, maximumSide: side)
    } catch {
      let evidence = printable(text: recording.videoName)
      switch error {
      case .reading(let error):
        if capture.depth == nil || error.reason == .limitExceeded {
          throw error.inside(recording.videoName)
        }
        capture.findings.append(
          Finding(
            .fileDamagedImage, .caution, "image \(image) of the video cannot be read: \(error)",
            evidence: evidence))
      case .program(let failure):
        if capture.depth == nil {
          throw CaptureReadingError(
            .unsupported, path: [recording.videoName], expected: "a decoder of the video",
            found: failure.detail)
        }
        capture.findings.append(
          Finding(
            .sequenceFilmUndecoded, .caution,
            "image \(image) of the video is left out: \(failure.detail)", evidence: evidence))
      }
    }
  }
}
