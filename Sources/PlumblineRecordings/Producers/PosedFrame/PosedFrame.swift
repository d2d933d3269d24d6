import PlumblineImages
import PlumblineIO
import PlumblineModel

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
