import PlumblineCorrection
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings
public import PlumblineVerification

/// Measures how depth maps lie on their color images: of one capture, or of several frames of a
/// recording together.
public struct AlignmentMeasurer: Sendable {
  /// Creates a measurer.
  public init() {}

  /// Measures one capture.
  ///
  /// - Parameters:
  ///   - capture: The capture, with its color image decoded.
  ///   - fileName: The name that outputs carry.
  /// - Returns: The alignment, with an image of it.
  /// - Throws: ``CaptureReadingError`` without a map or an image of its shape. Cost: O(*n*) of the
  ///   image; about 10 ms for a map of 640×480.
  public func measure(_ capture: Capture, fileName: String) throws -> AlignmentResult {
    try measure([fileName], fileName: fileName) { _ in capture }
  }

  /// Measures frames of a recording together; at most two color images are in memory at a time.
  ///
  /// A frame that cannot be read, that lacks an image, or whose map has another size than the first
  /// one's is skipped and named.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - indices: The positions of the frames to measure.
  ///   - name: The name that outputs carry.
  ///   - progress: Called before each frame with its position in `indices`.
  /// - Returns: The alignment of all frames together, with an image of the first.
  /// - Throws: ``CaptureReadingError`` of the first frame when none can take part.
  /// - Precondition: There is an index, and each is that of a frame.
  public func measure(
    _ recording: Recording, indices: [Int], named name: String,
    progress: (Int) -> Void = { _ in }
  ) throws -> AlignmentResult {
    try measure(indices.map { recording.frameNames[$0] }, fileName: name) { position in
      progress(position)
      return try recording.capture(at: indices[position], color: .full)
    }
  }

  private func measure(
    _ names: [String], fileName: String, reading: (Int) throws -> Capture
  ) throws -> AlignmentResult {
    precondition(!names.isEmpty, "no frame to measure")
    var frames: [AlignmentFrame] = []
    var frameNames: [String] = []
    var skipped: [AlignmentResult.Skipped] = []
    var failure: (any Error)?
    for (position, name) in names.enumerated() {
      do {
        let frame = try Self.frame(of: reading(position))
        if let first = frames.first, first.depth.size != frame.depth.size {
          throw CaptureReadingError(
            .unsupported, expected: "a map of \(first.depth.size) as before it",
            found: "\(frame.depth.size)")
        }
        frames.append(frame)
        frameNames.append(name)
      } catch {
        failure = failure ?? error
        skipped.append(AlignmentResult.Skipped(name: name, reason: "\(error)"))
      }
    }
    guard let first = frames.first else {
      throw failure ?? CaptureReadingError(.missing, expected: "a frame", found: "none")
    }
    return AlignmentResult(
      fileName: fileName, frameNames: frameNames, skipped: skipped,
      alignment: ColorDepthAlignment(frames: frames), size: first.depth.size,
      overlay: AlignmentOverlay.image(of: first))
  }

  private static func frame(of capture: Capture) throws -> AlignmentFrame {
    guard let record = capture.depth else {
      throw CaptureReadingError(.missing, expected: "a depth map", found: "none")
    }
    guard let color = capture.color else {
      throw CaptureReadingError(
        .missing, expected: "a color image beside the depth map", found: "none")
    }
    let corrected = try CorrectedDepth(record)
    guard let frame = AlignmentFrame(capture, corrected) else {
      throw CaptureReadingError(
        .unsupported, expected: "a color image of the shape of the \(corrected.depth.size) map",
        found: "\(color.size)")
    }
    return frame
  }

  /// Returns the positions of so many frames of a recording, spread evenly over its time.
  ///
  /// - Parameters:
  ///   - count: How many are wanted, at least one.
  ///   - total: How many there are.
  /// - Returns: Indices in ascending order; all of them when there are no more than wanted.
  public static func spread(_ count: Int, of total: Int) -> [Int] {
    let count = min(max(count, 1), max(total, 0))
    return (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }
}

/// How the depth maps of a capture, or of several frames of a recording, lie on their color images:
/// what ``AlignmentMeasurer`` returns.
public struct AlignmentResult: Sendable {
  /// A frame that did not take part.
  public struct Skipped: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Why the frame was skipped, in a sentence.
    public var reason: String
  }

  /// The name that outputs carry.
  public let fileName: String
  /// The names of the frames that took part; one for a file, its own.
  public let frameNames: [String]
  /// The frames that could not.
  public let skipped: [Skipped]
  /// The alignment measured from all of them together.
  public let alignment: ColorDepthAlignment
  /// The size of the depth maps, in whose pixels shifts are reported.
  public let size: RasterSize
  /// The image of the first frame: its depth, colored, over its image.
  public let overlay: Raster<RGB8>
}

extension AlignmentResult {
  /// What sets it right; `nil` when nothing that is known does.
  public var remedy: Remedy? {
    alignment.verdict == .misaligned && alignment.fitsARKitZoom ? .undoZoom : nil
  }

  /// The document `plumbline.align/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameters:
  ///   - overlay: The path of the image that was written; `nil` for none.
  ///   - correction: What the caller offers for ``remedy``, such as a command; `nil` for its sentence.
  /// - Returns: The document; what is unknown is `null`.
  public func document(overlay: String?, correction: String? = nil) -> JSONValue {
    .object([
      ("schema", "plumbline.align/1"),
      ("file", .string(fileName)),
      ("frames", .array(frameNames.map { .string($0) })),
      (
        "skipped",
        .array(
          skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
      ),
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("verdict", .string(alignment.verdict.rawValue)),
      ("reason", .string(alignment.reason)),
      ("zoom", .number(alignment.zoom)),
      ("zoomSigma", .number(alignment.zoomSigma)),
      ("shiftPixels", Self.pair(alignment.shiftPixels)),
      ("shiftSigma", Self.pair(alignment.shiftSigma)),
      ("edgeCount", .integer(alignment.edgeCount)),
      ("correction", .string(correction ?? remedy?.sentence)),
      ("outputs", .object([("overlay", .string(overlay))])),
    ])
  }

  private static func pair(_ numbers: SIMD2<Double>?) -> JSONValue {
    numbers.map { .array([.number($0.x), .number($0.y)]) } ?? .null
  }
}
