import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineStreams

/// One frame of a scan before its images are read: their files, and the camera's numbers and pose.
struct PosedFrame: Sendable {
  /// A file with a depth map, and the way to read it.
  struct DepthFile: Sendable {
    typealias Reader =
      @Sendable ([UInt8], ReadingLimits) throws(CaptureReadingError) -> DepthRecord

    let name: String
    let steps: [ProvenanceStep]
    let read: Reader

    /// A depth map that a function reads.
    init(_ name: String, steps: [ProvenanceStep], read: @escaping Reader) {
      self.name = name
      self.steps = steps
      self.read = read
    }

    /// A PNG of 16 bits.
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
  /// The numbers of the color camera, which depth maps of phones share.
  var calibration: CameraCalibration?
  /// Numbers of the color image where they are not those of the depth map.
  var colorCalibration: CameraCalibration?
  var depthFile: DepthFile?
  var confidenceFile: String?
  var confidenceCoding = ConfidenceImage.Coding.levels
  var colorFile: String?
  var provenance: [ProvenanceStep] = []
  var findings: [Finding] = []

  /// A frame of which only the source is known.
  init(source: CaptureSource) { self.source = source }

  /// Parses the text beside the frame that holds its camera; `nil` for damage, which is a finding.
  ///
  /// - Throws: `.limitExceeded` alone, with the file's name.
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
  /// - Throws: Why the depth map, or the color image of a frame without one, cannot be read, with
  ///   the file's name; `.missing` for a frame without either. A damaged confidence map is a finding.
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

/// What formats of posed color images hold of a capture; see ``NerfstudioRecordingWriter`` and
/// ``COLMAPRecordingWriter``.
///
/// Apart from ``RGBDFrame``: the color image gives the size, a pose is required and depth is not.
struct PosedImage {
  let worldFromCamera: RigidTransform
  /// The camera at the size of the color image, or at its own where there is none.
  let intrinsics: PinholeIntrinsics
  /// `k1`, `k2`, `k3`; zeros without distortion.
  let radial: SIMD3<Double>
  let color: Raster<RGB8>?
  /// Whole millimeters, 0 where not measured.
  let depth: Raster<UInt16>?

  /// Takes a capture apart.
  ///
  /// - Throws: `.unrepresentable` for one without pose or camera, with a lens given by tables, or
  ///   with depths that are not meters or that 16 bits of millimeters cannot hold.
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
        throw unrepresentable("a rectified image or a lens of k1, k2, k3", "a lens given by tables")
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
