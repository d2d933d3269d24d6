public import PlumblineCorrection
import PlumblineIO
public import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings
import PlumblineVerification

/// Reads, corrects and assesses captures: the one pipeline behind every command, page and server.
///
/// ```swift
/// let analysis = try CaptureAnalyzer().analyze(path: "portrait.heic")
/// print(analysis.assessment.reason)
/// let points = analysis.pointCloud?.positions ?? []
/// ```
///
/// The same input and settings give the same analysis, from every caller and for any number of threads.
public struct CaptureAnalyzer: Sendable {
  /// The limits of memory and work for reading.
  public var limits: ReadingLimits
  /// The amount of the color image to decode; assessing depth needs none of it.
  public var color: CaptureReader.ColorRequest
  /// The maximum number of threads for decoding.
  public var threads: Int
  /// Whether mattes and gain maps beside the depth are decoded.
  public var readsCompanions = true
  /// Whether an image of a kind that carries no depth (PNG, PPM) is a capture without depth, for callers
  /// that need only color; else it is refused.
  public var acceptsPlainImages = false
  /// A measured calibration that is used in place of the capture's own; `nil` for none.
  public var calibration: CalibrationReplacement?
  /// What the user says of depth maps whose files leave it open; `nil` for nothing.
  public var statement: DepthStatement?
  /// None, one or two distances that make a relative map metric: pixels of the map as stored.
  public var knownDistances: [KnownDistance] = []
  /// Further such distances, at pixels as users name them; they come after ``knownDistances``.
  public var measuredDistances: [MeasuredDistance] = []
  /// The frame of a recording: its name, or its number from 0; `nil` for the first.
  public var frame: String?
  /// The device in place of the one that the capture names; `nil` for its own.
  public var deviceModel: String?
  /// What is known of devices; a measurement of the user's own in it replaces the focal length of
  /// captures of the same configuration, unless ``calibration`` replaces all.
  public var catalog = DeviceCatalog.bundled

  /// Creates an analyzer that takes captures as they are.
  ///
  /// - Parameters:
  ///   - limits: What may be spent on reading.
  ///   - color: The amount of the color image to decode.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Precondition: At least one thread.
  public init(
    limits: ReadingLimits = ReadingLimits(), color: CaptureReader.ColorRequest = .full,
    threads: Int = 2
  ) {
    precondition(threads >= 1, "\(threads) threads cannot read")
    self.limits = limits
    self.color = color
    self.threads = threads
  }

  /// Analyzes what a path leads to: a file, or one frame of a folder, archive or stream.
  ///
  /// - Returns: The analysis of the file, or of ``frame``.
  /// - Throws: ``InputError`` for what cannot be opened, ``CaptureReadingError`` for its contents,
  ///   ``DistanceFitError`` for ``knownDistances``, ``CorrectionError`` for ``calibration`` and
  ///   ``statement``.
  public func analyze(path: String) throws -> CaptureAnalysis {
    try analyze(CaptureInput(path: path, limits: limits))
  }

  /// Analyzes an opened file, or one frame of an opened recording.
  ///
  /// - Returns: The analysis of the file, or of ``frame``.
  /// - Throws: As ``analyze(path:)``.
  public func analyze(_ input: CaptureInput) throws -> CaptureAnalysis {
    switch input {
    case .file(let file): try analyze(file.bytes, fileName: lastPathPart(file.path))
    case .recording(let recording, let name):
      try analyze(recording, named: name, at: recording.index(of: frame ?? "0"))
    }
  }

  /// Analyzes the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - fileName: The name that outputs carry.
  /// - Returns: The analysis, with the digest of the file.
  /// - Throws: ``CaptureReadingError``, ``DistanceFitError``, ``CorrectionError``. Cost: O(*n*).
  public func analyze(_ bytes: [UInt8], fileName: String) throws -> CaptureAnalysis {
    var analysis = try analyze(
      capture(from: bytes), fileName: fileName, sha256: SHA256Digest.hexadecimal(of: bytes))
    if color != .none { analysis.exifFocal = ExifMetadata(photo: bytes)?.filmFocalLength }
    return analysis
  }

  /// Analyzes one frame of a recording; what is odd about the whole is among its findings.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - name: Its name, which the frame's name follows in outputs.
  ///   - index: The position of the frame.
  /// - Returns: The analysis, without a digest.
  /// - Throws: As ``analyze(_:fileName:)``.
  /// - Precondition: There is a frame at the index.
  public func analyze(
    _ recording: Recording, named name: String, at index: Int
  ) throws -> CaptureAnalysis {
    var capture = try recording.capture(at: index, color: color)
    capture.findings += recording.findings
    return try analyze(capture, fileName: "\(name)/\(recording.frameNames[index])")
  }

  /// Corrects and assesses a capture that was read or made already.
  ///
  /// - Parameters:
  ///   - capture: The capture as read.
  ///   - fileName: The name that outputs carry.
  ///   - sha256: The digest of its file; `nil` when it came from several.
  /// - Returns: The analysis.
  /// - Throws: ``DistanceFitError`` for ``knownDistances``, ``PixelError`` for ``measuredDistances``,
  ///   ``CorrectionError`` for ``calibration`` and ``statement``.
  public func analyze(
    _ capture: Capture, fileName: String, sha256: String? = nil
  ) throws -> CaptureAnalysis {
    analysis(of: try corrected(capture), fileName: fileName, sha256: sha256)
  }

  /// Applies what the settings say of a capture and corrects its depth, without assessing it.
  ///
  /// - Throws: As ``analyze(_:fileName:sha256:)``. Cost: O(*n*), one pass.
  package func corrected(_ capture: Capture) throws -> CorrectedCapture {
    let earlier = capture.provenance.corrections
    var capture = try statement?.applied(to: capture) ?? capture
    capture = try calibration?.applied(to: capture) ?? capture
    if let deviceModel { capture.source.model = deviceModel }
    let measured = calibration == nil ? catalog.measuredFocal(for: capture) : nil
    capture = try measured?.step.applied(to: capture) ?? capture
    let located = try capture.located(measuredDistances)
    let distances = knownDistances + located.map(\.known)
    let corrected = try capture.depth.map { record throws(DistanceFitError) in
      try CorrectedDepth(
        record, knownDistances: distances,
        isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
    }
    return CorrectedCapture(
      capture: capture, corrected: corrected, distances: located, earlierCorrections: earlier,
      measuredFocal: measured)
  }

  /// Assesses a capture whose depth was corrected; O(*n*), several passes.
  package func analysis(
    of corrected: CorrectedCapture, fileName: String, sha256: String?
  ) -> CaptureAnalysis {
    var capture = corrected.capture
    let assessment = CaptureAssessment(
      capture, corrected.corrected, earlier: corrected.earlierCorrections, catalog: catalog,
      measured: corrected.measuredFocal)
    capture.provenance += corrected.corrected?.steps ?? []
    var analysis = CaptureAnalysis(
      fileName: fileName, sha256: sha256, capture: capture, corrected: corrected.corrected,
      assessment: assessment)
    analysis.distances = corrected.distances
    return analysis
  }

  /// Reads a file as a capture, without assessing it.
  ///
  /// - Throws: ``CaptureReadingError``. Cost: O(*n*).
  package func capture(from bytes: [UInt8]) throws(CaptureReadingError) -> Capture {
    // The codes of a JPEG are read through at an eighth of its size even where its color is not needed,
    // so that damage is found; tiles of HEVC would cost several times the rest.
    let examinesColor = color == .none && JPEGFile.recognizes(bytes[...])
    var reader = CaptureReader(
      limits: limits, color: examinesColor ? .preview(maximumSide: 1) : color, threads: threads)
    reader.readsCompanions = readsCompanions
    do throws(CaptureReadingError) {
      var capture = try reader.capture(from: bytes)
      if examinesColor { capture.color = nil }
      return capture
    } catch {
      guard acceptsPlainImages, error.reason == .unsupported,
        let image = try? StereoImageReader(threads: threads).image(from: bytes)
      else { throw error }
      var capture = Capture(source: CaptureSource(interface: .photo))
      capture.color = image.color
      capture.colorSize = image.color.size
      return capture
    }
  }
}

extension CaptureAnalyzer {
  /// Analyzes every frame of a recording, without color; one frame is in memory at a time.
  ///
  /// Where frames have poses, a bounded number of pairs is read again and compared, by ``threads``
  /// threads; a pair for each of these is in memory then.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - name: The name that outputs carry.
  ///   - progress: Called before each frame with its position.
  /// - Returns: The result of each frame and of all; a frame that cannot be read, or that
  ///   ``calibration`` or ``knownDistances`` do not fit, is among them as unreadable.
  /// - Precondition: The recording has a frame. Cost: that of ``analyze(_:named:at:)`` for each.
  public func analyzeFrames(
    of recording: Recording, named name: String, progress: (Int) -> Void = { _ in }
  ) -> RecordingAnalysis {
    var frames: [RecordingAnalysis.Frame] = []
    for index in recording.frameNames.indices {
      progress(index)
      frames.append(
        frame(named: recording.frameNames[index]) {
          try recording.capture(at: index, color: .none)
        })
    }
    return RecordingAnalysis(
      recording, folderName: name, frames: frames, poses: assessPoses(of: recording, frames))
  }

  /// Compares overlapping frames; `nil` where no frame has a pose.
  private func assessPoses(
    of recording: Recording, _ frames: [RecordingAnalysis.Frame]
  ) -> PoseAssessment? {
    let facts = zip(frames, recording.frames).map { $0.facts(recordedAt: $1.timestampSeconds) }
    return PoseAssessor(threads: threads).assess(facts, worldAxes: recording.worldAxes) { index in
      guard var capture = try? recording.capture(at: index, color: .none),
        let worldFromCamera = capture.worldFromCamera
      else { return nil }
      if let statement {
        guard let stated = try? statement.applied(to: capture) else { return nil }
        capture = stated
      }
      if let calibration {
        guard let replaced = try? calibration.applied(to: capture) else { return nil }
        capture = replaced
      } else if let measured = catalog.measuredFocal(for: capture) {
        guard let replaced = try? measured.step.applied(to: capture) else { return nil }
        capture = replaced
      }
      guard let record = capture.depth, record.hasUnit, record.accuracy != .relative,
        let corrected = try? CorrectedDepth(
          record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
      else { return nil }
      return PosedDepth(
        corrected, confidence: record.croppedConfidence, sigma: frames[index].sigma,
        worldFromCamera: worldFromCamera)
    }
  }

  /// The result of one frame, which need not be readable; what is odd about the whole recording is not
  /// in it.
  func frame(named name: String, reading: () throws -> Capture) -> RecordingAnalysis.Frame {
    do {
      return RecordingAnalysis.Frame(try analyze(reading(), fileName: name))
    } catch {
      return RecordingAnalysis.Frame(unreadable: "\(error)", name: name)
    }
  }
}
