public import PlumblineImages
public import PlumblineModel
public import PlumblineStreams

/// Writes recordings as MCAP with the profile `ros2`.
///
/// It writes messages that ROS, Foxglove and Rerun know, and one additional message per frame for
/// the data that they lack, so that depth and calibration can be read back bit by bit.
///
/// Mattes, gain maps and stereo pairs are omitted. Color that is a JPEG or PNG file
/// (``Capture/colorFile``) is copied byte by byte. Format: `Documentation/formats/mcap-ros2.md`.
public struct MCAPRecordingWriter: RecordingWriter {
  /// All aspects; color is lossless only as PNG or raw pixels.
  public static let aspects = Set(RecordingAspect.allCases)
  /// JPEG and PNG; files are decoded if raw pixels are requested.
  public static let colorFileKinds: Set<EncodedImage.Kind> = [.jpeg, .png]

  package let options: MCAPRecordingOptions
  package let header: RecordingHeader
  private var writer: MCAPWriter
  private var schemas: [String: UInt16] = [:]
  private var channels: [String: UInt16] = [:]
  private var clock = ROSFrameClock()
  private var sequence: UInt32 = 0
  private var frameTable: [String: String] = [:]
  private var pendingFrameEnds: ArraySlice<Int> = []
  private var storedFrames = 0

  /// The number of frames written so far.
  public var frameCount: Int { frameTable.count }

  /// Starts a recording.
  ///
  /// - Parameters:
  ///   - file: A new file.
  ///   - header: The facts known before the first frame.
  /// - Throws: `.output`.
  public init(
    file: any RecordingFile, header: RecordingHeader
  ) throws(RecordingWritingError) {
    try self.init(file: file, header: header, options: MCAPRecordingOptions())
  }

  /// Starts a recording with a chosen color format or compression.
  ///
  /// - Precondition: A JPEG quality is from 1 to 100.
  /// - Throws: `.output`.
  public init(
    file: any RecordingFile, header: RecordingHeader, options: MCAPRecordingOptions
  ) throws(RecordingWritingError) {
    if case .jpeg(let quality) = options.color {
      precondition((1...100).contains(quality), "a JPEG quality of \(quality)")
    }
    self.options = options
    self.header = header
    writer = try MCAPWriter(
      file: file, profile: "ros2", library: "plumbline", options: options.container)
    try writer.addMetadata(
      MCAPMetadataRecord.recording,
      [
        MCAPMetadataRecord.version: "\(DepthFrameMessage.version)",
        MCAPMetadataRecord.origin: header.origin,
        MCAPMetadataRecord.worldAxes: header.worldAxes.rawValue,
      ])
  }

  /// Writes the next frame: its pose, cameras, images and, last, the data that ROS messages lack.
  ///
  /// - Throws: `.unrepresentable` for a depth map without pixels, for an invalid camera and for
  ///   color over 65,500 pixels a side as JPEG; `.output`, after which the frame does not count as
  ///   written and can be retried.
  public mutating func append(
    _ capture: Capture, name: String
  ) throws(RecordingWritingError) {
    // A failed frame does not count, and its time can be used again.
    var clock = clock
    let moment = clock.next(timestampSeconds: capture.timestampSeconds)
    let isFirst = frameTable.isEmpty
    let frame = try ROSFrameMessages(
      capture, name: name, moment: moment, worldAxes: header.worldAxes, color: options.color,
      limits: options.limits)
    for message in frame.messages where isFirst || !message.topic.isStatic {
      try write(message.bytes, message.topic, moment.logTime, moment.stamp)
    }
    self.clock = clock
    let time = capture.timestampSeconds.map { String($0.bitPattern, radix: 16) } ?? "-"
    frameTable["\(frameTable.count)"] = "\(time) \(name)"
    pendingFrameEnds.append(writer.messageCount)
    sequence &+= 1
  }

  /// Writes motion samples; a sample whose time ROS cannot represent is skipped.
  ///
  /// - Throws: `.output`.
  public mutating func append(motion samples: [MotionSample]) throws(RecordingWritingError) {
    for sample in samples {
      guard let stamp = ROSTime(sample.timestampSeconds) else { continue }
      let message = ImuMessage(header: ROSHeader(stamp: stamp, frame: MCAPFrame.motion), sample)
      try write(
        message.bytes, ROSTopic(MCAPTopic.motion, ImuMessage.self),
        UInt64(clamping: stamp.nanosecondCount), stamp)
    }
  }

  /// Waits until all frames so far would survive a power failure.
  ///
  /// - Returns: The number of frames, counted from the first, of which every message is stored.
  /// - Throws: `.output`; data stored before stay.
  @discardableResult
  public mutating func flush() throws(RecordingWritingError) -> Int {
    try writer.flush()
    return storedFrameCount
  }

  /// The number of frames, counted from the first, of which every message would survive a power
  /// failure, including data that the container synchronized by itself.
  public var storedFrameCount: Int {
    mutating get {
      while let end = pendingFrameEnds.first, end <= writer.storedMessageCount {
        pendingFrameEnds.removeFirst()
        storedFrames += 1
      }
      return storedFrames
    }
  }

  /// Writes the table of frames and the file's index, and closes the file.
  ///
  /// - Throws: `.output`.
  public mutating func finish() throws(RecordingWritingError) {
    var failure: RecordingWritingError?
    do throws(RecordingWritingError) {
      try writer.addMetadata(MCAPMetadataRecord.frames, frameTable)
    } catch {
      // A file that reserves space for its end releases it when the disk is full, so one retry can
      // succeed.
      do throws(RecordingWritingError) {
        try writer.addMetadata(MCAPMetadataRecord.frames, frameTable)
      } catch { failure = error }
    }
    // The index is more important: without the table, readers take names from the frames.
    try writer.finish()
    if let failure { throw failure }
  }

  private mutating func write(
    _ bytes: [UInt8], _ topic: ROSTopic, _ logTime: UInt64, _ stamp: ROSTime
  ) throws(RecordingWritingError) {
    try writer.write(
      MCAPMessage(
        channelID: try channel(topic), sequence: sequence, logTime: logTime,
        publishTime: UInt64(clamping: stamp.nanosecondCount), data: bytes[...]))
  }

  private mutating func channel(_ topic: ROSTopic) throws(RecordingWritingError) -> UInt16 {
    if let known = channels[topic.name] { return known }
    if schemas[topic.schemaName] == nil {
      schemas[topic.schemaName] = try writer.addSchema(
        name: topic.schemaName, encoding: "ros2msg", data: Array(topic.schema.utf8))
    }
    let added = try writer.addChannel(
      topic: topic.name, messageEncoding: "cdr", schemaID: schemas[topic.schemaName] ?? 0,
      // rosbag2 expects the key; an empty value means its defaults.
      metadata: ["offered_qos_profiles": ""])
    channels[topic.name] = added
    return added
  }
}

/// The options for writing a recording as MCAP.
public struct MCAPRecordingOptions: Sendable, Hashable {
  /// The encoding of color images.
  public enum Color: Sendable, Hashable {
    /// JPEG with a quality from 1 (worst) to 100 (best), without chroma subsampling (4:4:4).
    case jpeg(quality: Int)
    /// PNG, lossless; about ten times the time and three times the size of JPEG.
    case png
    /// Three bytes per pixel, lossless.
    case raw
  }

  /// The quality of JPEG unless another is chosen.
  package static let usualJPEGQuality = 95
  /// The encoding of color images.
  public var color = Color.jpeg(quality: MCAPRecordingOptions.usualJPEGQuality)
  /// The options of the container, such as its compression.
  package var container = MCAPWritingOptions()
  /// The limits for decoding color that must be converted, and where decoding happens.
  public var limits = ReadingLimits()

  /// JPEG of quality 95 in chunks without compression.
  public init() {}
}

/// Assigns the frames of one source their stamps and their strictly increasing log times.
package struct ROSFrameClock: Hashable, Sendable {
  /// The time at which a frame was taken.
  package struct Moment: Hashable, Sendable {
    /// Nanoseconds of the device's clock, later than those of all previous frames, so that it
    /// identifies one frame.
    package let logTime: UInt64
    /// The stamp in the messages' headers.
    package let stamp: ROSTime
  }

  private var lastLogTime: UInt64?

  /// Creates a clock before the first frame.
  package init() {}

  /// The moment of the next frame: its own time in integer nanoseconds, or one nanosecond after the
  /// previous frame if it has no time that ROS can represent.
  package mutating func next(timestampSeconds: Double?) -> Moment {
    let stamp = timestampSeconds.flatMap { ROSTime($0) }
    let nanoseconds = stamp.map { UInt64(clamping: $0.nanosecondCount) } ?? 0
    let logTime = max(nanoseconds, lastLogTime.map { $0 &+ 1 } ?? 0)
    lastLogTime = logTime
    return Moment(
      logTime: logTime,
      stamp: stamp ?? ROSTime(nanosecondCount: min(logTime, UInt64(Int32.max) * 1_000_000_000)))
  }
}
