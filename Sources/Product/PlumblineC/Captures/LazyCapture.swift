import CPlumbline
import Plumbline

/// The parts of one capture, each computed when it is first asked for, and kept.
struct LazyCapture: Sendable {
  let origin: CaptureOrigin
  /// How it is read; without color, and without what is beside the depth.
  let analyzer: CaptureAnalyzer
  private var read: Capture?
  private var depth: CorrectedCapture?
  private var assessed: CaptureAnalysis?
  /// The capture with mattes and gain map, without color.
  private var companions: Capture?
  /// The arrays that were asked for, by name; `nil` for one that the capture does not have.
  private var arrays: [String: ArrayStorage?] = [:]

  /// Prepares a capture of which nothing is read yet.
  init(_ origin: CaptureOrigin, by analyzer: CaptureAnalyzer) {
    self.origin = origin
    self.analyzer = analyzer
  }

  /// Reads what the file is, and refuses one that cannot be a capture.
  ///
  /// Of HEIC the boxes are checked and no image is decoded; other files are read whole but for their color,
  /// which is a matter of copying. Of a recording nothing is left to check.
  /// - Throws: ``CaptureReadingError``.
  mutating func open() throws {
    guard case .file(let bytes, _) = origin else { return }
    if bytes.dropFirst(4).starts(with: "ftyp".utf8),
      (try? HEIFFile(bytes: bytes, limits: analyzer.limits)) != nil
    {
      return
    }
    // The reader names what else the file is.
    _ = try capture()
  }

  /// The capture as read, without color and mattes.
  mutating func capture() throws -> Capture {
    if let read { return read }
    let capture = try origin.capture(by: analyzer)
    read = capture
    return capture
  }

  /// The capture with its depth as corrected, not assessed.
  mutating func corrected() throws -> CorrectedCapture {
    if let depth { return depth }
    let corrected = try analyzer.corrected(capture())
    depth = corrected
    return corrected
  }

  /// The capture with its assessment: what `check` finds.
  mutating func analysis() throws -> CaptureAnalysis {
    if let assessed { return assessed }
    let analysis = analyzer.analysis(
      of: try corrected(), fileName: origin.name, sha256: origin.sha256)
    assessed = analysis
    return analysis
  }

  /// The capture as read with its mattes and its gain map, without color.
  mutating func captureWithCompanions() throws -> Capture {
    if let companions { return companions }
    let capture: Capture
    switch origin {
    case .file:
      var analyzer = analyzer
      analyzer.readsCompanions = true
      capture = try origin.capture(by: analyzer)
    case .frame, .made: capture = try self.capture()
    }
    companions = capture
    return capture
  }

  /// The color image in the frame of the depth map; `nil` where there is none.
  mutating func colors() throws -> Raster<RGB8>? { try array("color")?.colors }

  /// An array by its name; `nil` where the capture has none of the name.
  mutating func array(_ name: String) throws -> ArrayStorage? {
    if let known = arrays[name] { return known }
    let made = try makeArray(name)
    arrays[name] = .some(made)
    return made
  }

  /// Keeps arrays that were made together with another one.
  mutating func keep(_ array: ArrayStorage?, as name: String) { arrays[name] = .some(array) }
}
