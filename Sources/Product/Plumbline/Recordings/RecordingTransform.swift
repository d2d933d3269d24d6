import PlumblineImages
import PlumblineIO
public import PlumblineModel

/// A verb on the frames of a recording, such as correcting or filtering them, for
/// ``RecordingConverter``.
///
/// Frames are transformed on several threads and written in their order; the provenance of each says
/// what was done to it.
public protocol RecordingTransform: Sendable {
  /// What is reported of each frame, beside the frame itself.
  associatedtype Report: Sendable

  /// Begins with a recording: what is remembered from frame to frame begins anew.
  func pass() -> RecordingPass<Report>
}

/// A transform on its way through one recording.
public struct RecordingPass<Report: Sendable>: Sendable {
  /// The rest of the work on a frame.
  public typealias Rest = @Sendable () throws -> TransformedFrame<Report>

  /// Does the work on a frame that needs no other frame, and returns the rest.
  ///
  /// It gets the capture, whose color image may be a file, and the frame's name after that of the
  /// recording, as in `scan.mcap/7`; several threads call it.
  /// It throws `CaptureReadingError` and `CorrectionError` for a frame that has to be left out.
  public let begin: @Sendable (_ capture: Capture, _ name: String) throws -> Rest
  /// Whether the rest depends on frames before: it then runs in the order of the recording, on one
  /// thread.
  public let isOrdered: Bool

  /// Creates a pass.
  public init(
    isOrdered: Bool = false,
    _ begin: @escaping @Sendable (_ capture: Capture, _ name: String) throws -> Rest
  ) {
    self.isOrdered = isOrdered
    self.begin = begin
  }
}

/// A frame after a transform.
public struct TransformedFrame<Report: Sendable>: Sendable {
  /// The frame, with the steps in its provenance.
  public var capture: Capture
  /// The report about it.
  public var report: Report

  /// Joins both.
  public init(_ capture: Capture, _ report: Report) {
    self.capture = capture
    self.report = report
  }
}

/// Leaves every frame as it is.
struct UnchangedFrames: RecordingTransform {
  func pass() -> RecordingPass<Void> {
    RecordingPass { capture, _ in { TransformedFrame(capture, ()) } }
  }
}

extension Capture {
  /// Decodes a color file to the pixels that a step needs; a damaged one is left out and becomes a
  /// finding, as readers have it.
  ///
  /// - Throws: `.limitExceeded`.
  mutating func decodeColorFile() throws(CaptureReadingError) {
    guard color == nil, colorFile != nil else { return }
    do throws(CaptureReadingError) {
      color = try decodedColor()
    } catch {
      if error.reason == .limitExceeded { throw error }
      findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: "color file"))
    }
    colorFile = nil
  }

  /// Encodes pixels as the writer of a format would; pixels that it cannot encode stay, and the writer
  /// says why.
  mutating func encodeColor(by encoder: JPEGEncoder) {
    guard colorFile == nil, let color, color.size.pixelCount > 0,
      max(color.width, color.height) <= JPEGEncoder.maximumSide,
      let bytes = try? encoder.encoded(color)
    else { return }
    colorFile = EncodedImage(.jpeg, bytes: bytes)
    colorSize = color.size
    self.color = nil
  }
}
