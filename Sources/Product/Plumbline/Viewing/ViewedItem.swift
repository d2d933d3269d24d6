import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineVerification

/// A photo or a recording that can be viewed; only its list of frames is in memory.
struct ViewedItem: Sendable {
  /// The purpose for which a frame is read.
  enum Purpose: Sendable {
    /// Its assessment alone.
    case assessment
    /// A small image.
    case thumbnail
    /// Everything that can be shown.
    case image
    /// The color, depth and mattes that effects need.
    case effect
    /// The color and depth that faces are fitted to.
    case face

    var color: CaptureReader.ColorRequest {
      switch self {
      case .assessment: .none
      case .thumbnail: .preview(maximumSide: CaptureContent.thumbnailSide)
      case .image: .stored([.jpeg])
      case .effect: .preview(maximumSide: EffectRenderer.maximumSide)
      case .face: .full
      }
    }

    /// Whether files beside a photo are looked for.
    var readsCompanions: Bool {
      switch self {
      case .assessment, .thumbnail: false
      case .image, .effect, .face: true
      }
    }
  }

  /// A frame as it is in its file.
  struct StoredFrame {
    var capture: Capture
    /// The digest of its file, where it has a file of its own and is assessed.
    var sha256: String?
    /// The 35 mm equivalent focal length in its Exif, where faces need it.
    var exifFocal: FilmFocalLength?
  }

  /// Reads a frame by its index.
  typealias Reader = @Sendable (_ index: Int, _ purpose: Purpose) throws -> StoredFrame

  /// The name that viewers show.
  var name: String
  /// Whether it is one photo.
  var isPhoto: Bool
  /// Its frames; of a photo one.
  var recording: Recording
  /// The names that the checks of its frames carry.
  var checkNames: [String]
  /// What is known of devices, with the user's own measurements.
  var catalog = DeviceCatalog.bundled
  private let reader: Reader

  /// A photo in a file of its own, which is read anew each time.
  init(photo path: String, limits: ReadingLimits) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    self.name = name
    isPhoto = true
    checkNames = [name]
    reader = { _, purpose in
      let file = try InputFile(path: path, limits: limits)
      var analyzer = CaptureAnalyzer(limits: limits, color: purpose.color)
      analyzer.readsCompanions = purpose.readsCompanions
      var frame = StoredFrame(capture: try analyzer.capture(from: file.bytes))
      // A digest is needed only for assessments and faces.
      if purpose == .assessment || purpose == .face {
        frame.sha256 = SHA256Digest.hexadecimal(of: file.bytes)
      }
      if purpose == .face {
        frame.exifFocal = ExifMetadata(photo: file.bytes)?.filmFocalLength
      }
      return frame
    }
    recording = Recording(
      layout: "photo", frames: [RecordedFrame(name: name)]
    ) { _, _ throws(CaptureReadingError) in
      // Photos are read by their own reader, which knows more than a recording's.
      throw CaptureReadingError(.missing, expected: "a recording", found: "a photo")
    }
  }

  /// A recording.
  init(_ recording: Recording, name: String) {
    self.name = name
    isPhoto = false
    self.recording = recording
    checkNames = recording.frameNames.map { "\(name)/\($0)" }
    reader = { index, purpose in
      StoredFrame(capture: try recording.capture(at: index, color: purpose.color))
    }
  }

  /// One photo of a folder of them.
  init(_ index: Int, ofPhotos photos: Recording, folderName: String) {
    let frame = photos.frames[index]
    name = frame.name
    isPhoto = true
    recording = Recording(
      layout: photos.layout, frames: [frame], worldAxes: photos.worldAxes,
      // Photos of a gallery need no order in time.
      findings: photos.findings.filter { $0.code.family != .sequence }
    ) { _, color throws(CaptureReadingError) in try photos.capture(at: index, color: color) }
    checkNames = ["\(folderName)/\(frame.name)"]
    reader = { _, purpose in
      StoredFrame(capture: try photos.capture(at: index, color: purpose.color))
    }
  }

  /// Reads a frame as it is.
  func capture(at index: Int, for purpose: Purpose) throws -> Capture {
    try reader(index, purpose).capture
  }

  /// Reads, corrects and assesses a frame as `check` does, which needs no color; whatever else the
  /// purpose needs stays in the capture.
  func check(of index: Int, for purpose: Purpose) throws -> CaptureAnalysis {
    try check(of: index, reader(index, purpose))
  }

  /// Fits the heads of a frame's faces as `face` does.
  func faces(of index: Int, by models: FaceModels) throws -> PhotoFaces {
    let frame = try reader(index, .face)
    var analysis = try check(of: index, frame)
    analysis.exifFocal = frame.exifFocal
    return try PhotoFaceFitter(models).fit(analysis)
  }

  private func check(of index: Int, _ frame: StoredFrame) throws -> CaptureAnalysis {
    var capture = frame.capture
    capture.findings += recording.findings
    let color = capture.color
    capture.color = nil
    var analyzer = CaptureAnalyzer()
    analyzer.catalog = catalog
    var check = try analyzer.analyze(
      capture, fileName: checkNames[index], sha256: frame.sha256)
    check.capture.color = color
    return check
  }
}
