import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineStreams

/// One frame of a scan before its images are read: the file names, calibration and pose.
struct PosedFrame: Sendable {
  /// A file with a depth map, and how to read it.
  struct DepthFile: Sendable {
    typealias Reader =
      @Sendable ([UInt8], ReadingLimits) throws(CaptureReadingError) -> DepthRecord

    let name: String
    let steps: [ProvenanceStep]
    let read: Reader

    /// A depth map with its own reading function.
    init(_ name: String, steps: [ProvenanceStep], read: @escaping Reader) {
      self.name = name
      self.steps = steps
      self.read = read
    }

    /// A depth map in a 16-bit PNG.
    init(png name: String, metersPerUnit: Double = 0.001) {
      self.init(
        name, steps: [MillimeterDepth.provenance(metersPerUnit: metersPerUnit)]
      ) { bytes, limits throws(CaptureReadingError) in
        try MillimeterDepth.record(png: bytes, metersPerUnit: metersPerUnit, limits: limits)
      }
    }
  }

  var source: CaptureSource
  var timestampSeconds: Double?
  var worldFromCamera: RigidTransform?
  /// The calibration of the color camera, which also applies to depth maps of phones.
  var calibration: CameraCalibration?
  /// The calibration of the color image if it differs from that of the depth map.
  var colorCalibration: CameraCalibration?
  var depthFile: DepthFile?
  var confidenceFile: String?
  var confidenceCoding = ConfidenceImage.Coding.levels
  var colorFile: String?
  var provenance: [ProvenanceStep] = []
  var findings: [Finding] = []

  /// Creates a frame of which only the source is known.
  init(source: CaptureSource) { self.source = source }

  /// Parses the text file with the frame's camera; `nil` for damage, which becomes a finding.
  ///
  /// - Throws: Only `.limitExceeded`, with the file's name.
  mutating func cameraText(
    _ file: String, from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> RecordedJSON? {
    do throws(CaptureReadingError) {
      return try RecordedJSON(parsing: try folder.bytes(of: file)[...], limits: limits)
    } catch {
      if error.reason == .limitExceeded { throw error.inside(file) }
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution, "the camera file cannot be read: \(error)",
          evidence: printable(text: file)))
      return nil
    }
  }

  /// Reads the images.
  ///
  /// - Throws: Why the depth map cannot be read, or the color image of a frame without a depth map,
  ///   with the file's name; `.missing` for a frame without either. A damaged confidence map
  ///   becomes a finding.
  func capture(
    from folder: any CaptureFolder, limits: ReadingLimits, color: CaptureReader.ColorRequest
  ) throws(CaptureReadingError) -> Capture {
    guard depthFile != nil || colorFile != nil else {
      throw CaptureReadingError(
        .missing, expected: "a depth map or a color image", found: "neither")
    }
    var capture = Capture(source: source)
    capture.timestampSeconds = timestampSeconds
    capture.worldFromCamera = worldFromCamera
    capture.provenance = provenance
    capture.findings = findings
    if let depthFile {
      do throws(CaptureReadingError) {
        var record = try depthFile.read(try folder.bytes(of: depthFile.name), limits)
        record.calibration = calibration
        capture.provenance += depthFile.steps
        capture.colorCalibration = colorCalibration
        if source.camera == .lidar, case .depth(let map) = record.values {
          capture.findings += [
            MillimeterDepth.beyondLidar(map, evidence: printable(text: depthFile.name))
          ].compactMap(\.self)
        }
        capture.depth = record
      } catch {
        throw error.inside(depthFile.name)
      }
      if let confidenceFile {
        try ConfidenceImage.add(
          confidenceFile, from: folder, coding: confidenceCoding, limits: limits, to: &capture)
      }
    } else {
      capture.colorCalibration = colorCalibration ?? calibration
    }
    if let colorFile {
      try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
        .add(to: &capture)
    }
    return capture
  }
}

/// The parts of a capture for formats of posed color images; see ``NerfstudioRecordingWriter`` and
/// ``COLMAPRecordingWriter``.
///
/// It is separate from ``RGBDFrame``: the color image defines the size, a pose is required, and
/// depth is optional.
struct PosedImage {
  let worldFromCamera: RigidTransform
  /// The camera at the size of the color image, or at its own size without one.
  let intrinsics: PinholeIntrinsics
  /// `k1`, `k2`, `k3`; zeros without distortion.
  let radial: SIMD3<Double>
  let color: Raster<RGB8>?
  /// Integer millimeters, 0 where not measured.
  let depth: Raster<UInt16>?

  /// Extracts the parts from a capture.
  ///
  /// - Throws: `.unrepresentable` for a capture without pose or camera, with a lens given by
  ///   tables, or with depths that are not in meters or exceed 16-bit millimeters.
  init(_ capture: Capture, format: String, frame: String) throws(RecordingWritingError) {
    func unrepresentable(_ expected: String, _ found: String) -> RecordingWritingError {
      .unrepresentable(format: format, frame: frame, expected: expected, found: found)
    }
    guard let worldFromCamera = capture.worldFromCamera else {
      throw unrepresentable("a pose", "none")
    }
    guard worldFromCamera.rotation.orthogonalityError < 1e-6,
      worldFromCamera.rotation.determinant > 0
    else { throw unrepresentable("a pose", "one whose rotation is none") }
    guard var calibration = capture.colorCalibration ?? capture.depth?.calibration else {
      throw unrepresentable("the camera's numbers", "none")
    }
    if let size = capture.color?.size, size != calibration.intrinsics.size {
      guard calibration.intrinsics.matchesAspect(of: size) else {
        throw unrepresentable(
          "numbers of the color camera", "some for \(calibration.intrinsics.size), not \(size)")
      }
      calibration = calibration.scaled(to: size)
    }
    var radial = SIMD3<Double>()
    if let distortion = calibration.distortion, !distortion.isZero {
      guard let terms = distortion.radialPolynomial(of: calibration.intrinsics) else {
        throw .unrepresentable(
          format: format, frame: frame, expected: "a rectified image or a lens of k1, k2, k3",
          found: "a lens given by tables", remedy: .rectify)
      }
      radial = terms
    }
    self.worldFromCamera = worldFromCamera
    self.radial = radial
    intrinsics = calibration.intrinsics
    color = capture.color
    guard let record = capture.depth else {
      depth = nil
      return
    }
    guard record.hasUnit, record.accuracy != .relative else {
      throw unrepresentable("depths in meters", "relative ones; calibrate them first")
    }
    guard let map = record.depthMap(camera: record.calibration?.intrinsics) else {
      throw unrepresentable("the camera of a map of ray lengths", "none")
    }
    let codes = DepthCodes(map, codesPerMeter: 1000)
    guard codes.tooFarCount + codes.tooNearCount == 0 else {
      throw unrepresentable("depths from 1 mm to 65.535 m", "some beyond")
    }
    depth = codes.codes
  }
}
