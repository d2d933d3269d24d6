public import PlumblineModel
public import PlumblineStreams

/// Writes frames one after the other in one format; nothing is kept that grows with their images.
///
/// ```swift
/// var writer = try MCAPRecordingWriter(file: file, header: header)
/// for index in recording.frames.indices { try writer.append(recording.capture(at: index)) }
/// try writer.finish()
/// ```
public protocol RecordingWriter {
  /// The kinds of color files that it takes as they are, as ``Capture/colorFile``; it writes no color
  /// of captures that have another kind and no pixels.
  static var colorFileKinds: Set<EncodedImage.Kind> { get }

  /// Writes the next frame.
  ///
  /// - Parameters:
  ///   - capture: The frame, times not before those of earlier ones.
  ///   - name: What the frame was called; formats that number their frames ignore it.
  /// - Throws: `.unrepresentable` for a frame that the format cannot hold; `.output`. After
  ///   `.unrepresentable` the next frame can be written.
  mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError)

  /// Writes motion samples, times ascending; a format without them ignores them.
  ///
  /// - Throws: `.output`.
  mutating func append(motion samples: [MotionSample]) throws(RecordingWritingError)

  /// Brings what was appended to the disk, as a recorder wants each second.
  ///
  /// - Returns: The number of frames, counted from the first, that would survive a power cut; 0 for
  ///   formats that cannot promise any before their end.
  /// - Throws: `.output`; what was stored before stays.
  @discardableResult
  mutating func flush() throws(RecordingWritingError) -> Int

  /// Writes what belongs at the end; nothing may be appended afterwards.
  ///
  /// - Throws: `.output`; `.unrepresentable` where nothing was appended and the format needs
  ///   something.
  mutating func finish() throws(RecordingWritingError)
}

extension RecordingWriter {
  /// None: color must be decoded.
  public static var colorFileKinds: Set<EncodedImage.Kind> { [] }

  /// Does nothing and promises nothing.
  @discardableResult
  public mutating func flush() throws(RecordingWritingError) -> Int { 0 }
}

/// The facts about a recording before its first frame.
public struct RecordingHeader: Sendable {
  /// Which axis of the world of the poses points up.
  public var worldAxes: WorldAxes
  /// The program and the recording that it comes from, in words.
  public var origin: String

  /// Creates a header.
  public init(worldAxes: WorldAxes = .unknown, origin: String) {
    self.worldAxes = worldAxes
    self.origin = origin
  }
}

/// What a recording may hold beside depth, so that a conversion can say what its target leaves out.
public enum RecordingAspect: String, Sendable, CaseIterable {
  /// Color images.
  case color
  /// Times of frames.
  case timestamps
  /// The camera's pinhole numbers, one set for the whole recording.
  case intrinsics
  /// The camera's pinhole numbers for each frame.
  case intrinsicsPerFrame
  /// Lens distortion.
  case distortion
  /// The camera's poses.
  case poses
  /// The sensor's confidence of each pixel.
  case confidence
  /// The ± of each pixel.
  case sigma
  /// The residual of an estimate against a measurement.
  case residual
  /// Motion samples.
  case motion
  /// The device, accuracy and provenance.
  case provenance
  /// Depth exactly as stored; other formats round it, commonly to millimeters.
  case exactDepth
}
