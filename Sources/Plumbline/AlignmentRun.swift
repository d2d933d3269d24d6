import PlumblineCorrection
import PlumblineImages
import PlumblineIO
public import PlumblineModel
public import PlumblineRecordings
public import PlumblineVerification

/// How the depth maps of a capture, or of several frames of a folder, lie on their color images.
public struct AlignmentRun: Sendable {
  /// A frame that did not take part.
  public struct Skipped: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Why the frame was skipped, in a sentence.
    public var reason: String
  }

  /// The name that outputs carry.
  public var fileName: String
  /// The names of the frames that took part; one for a file, its own.
  public private(set) var frameNames: [String] = []
  /// The frames that could not.
  public private(set) var skipped: [Skipped] = []
  /// The alignment measured from all of them together.
  public private(set) var alignment: ColorDepthAlignment
  /// The size of the depth maps, in whose pixels shifts are reported.
  public private(set) var size = RasterSize(width: 0, height: 0)
  /// The image of the first frame: its depth, colored, over its image.
  public private(set) var overlay: Raster<RGB8>

  /// Measures one capture.
  ///
  /// - Parameters:
  ///   - capture: With its color image decoded.
  ///   - fileName: The name that outputs carry.
  /// - Throws: ``CaptureReadingError`` without a map or an image of its shape. Cost: O(*n*) of the
  ///   image; about 10 ms for a map of 640×480.
  public init(_ capture: Capture, fileName: String) throws {
    try self.init(fileName: fileName, names: [fileName]) { _ in capture }
  }

  /// Measures frames of a folder together; at most two color images are in memory at a time.
  ///
  /// A frame that cannot be read, that lacks an image, or whose map has another size than the first
  /// one's is skipped and named.
  ///
  /// - Parameters:
  ///   - sequence: The frames.
  ///   - indices: Which of them.
  ///   - folderName: The name that outputs carry.
  ///   - progress: Called before each frame with its position in `indices`.
  /// - Throws: ``CaptureReadingError`` of the first frame when none can take part.
  /// - Precondition: There is an index, and each is that of a frame.
  public init(
    _ sequence: Recording, indices: [Int], folderName: String,
    progress: (Int) -> Void = { _ in }
  ) throws {
    try self.init(fileName: folderName, names: indices.map { sequence.frameNames[$0] }) { place in
      progress(place)
      return try sequence.capture(at: indices[place], color: .full)
    }
  }

  private init(
    fileName: String, names: [String], _ read: (Int) throws -> Capture
  ) throws {
    precondition(!names.isEmpty, "no frame to measure")
    self.fileName = fileName
    var frames: [AlignmentFrame] = []
    var failure: (any Error)?
    for (place, name) in names.enumerated() {
      do {
        let frame = try Self.frame(of: read(place))
        if let first = frames.first, first.depth.size != frame.depth.size {
          throw CaptureReadingError(
            .unsupported, expected: "a map of \(first.depth.size) as before it",
            found: "\(frame.depth.size)")
        }
        frames.append(frame)
        frameNames.append(name)
      } catch {
        failure = failure ?? error
        skipped.append(Skipped(name: name, reason: "\(error)"))
      }
    }
    alignment = ColorDepthAlignment(frames: frames)
    overlay = Raster(size: size, samples: [])
    guard let first = frames.first else {
      throw failure ?? CaptureReadingError(.missing, expected: "a frame", found: "none")
    }
    size = first.depth.size
    overlay = AlignmentOverlay.image(of: first)
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

  /// So many frames of a folder, spread evenly over its time.
  ///
  /// - Parameters:
  ///   - count: How many are wanted, at least one.
  ///   - total: How many there are.
  /// - Returns: Indices in ascending order; all of them when there are no more than wanted.
  public static func spread(_ count: Int, of total: Int) -> [Int] {
    let count = min(max(count, 1), max(total, 0))
    return (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }

  /// What sets it right, as a command line; `nil` when nothing that is known does.
  public var correction: String? {
    guard alignment.verdict == .misaligned, alignment.fitsARKitZoom else { return nil }
    return "plumbline correct CAPTURE --arkit-zoom -o DIR"
  }
}
