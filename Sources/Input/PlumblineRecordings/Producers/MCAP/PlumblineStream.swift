import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// A recording by ``MCAPRecordingWriter``: one message of this project per frame, and the images
/// with the same log time.
struct PlumblineStream {
  private let file: MCAPFile
  private let limits: ReadingLimits
  private let frames: [MCAPMessagePlace]
  /// The image messages by topic and log time.
  private let images: [String: [UInt64: MCAPMessagePlace]]
  private let motion: [MCAPMessagePlace]

  /// Whether a file has a channel of this project.
  static func recognizes(_ file: MCAPFile) -> Bool {
    !file.channels(of: DepthFrameMessage.self).isEmpty
  }

  init(_ file: MCAPFile, limits: ReadingLimits) throws(CaptureReadingError) {
    self.file = file
    self.limits = limits
    let frameChannels = Set(file.channels(of: DepthFrameMessage.self).map(\.id))
    let imageChannels = Set(
      (file.channels(of: ImageMessage.self) + file.channels(of: CompressedImageMessage.self))
        .map(\.id))
    let motionChannels = Set(file.channels(of: ImuMessage.self).map(\.id))
    var frames: [MCAPMessagePlace] = []
    var motion: [MCAPMessagePlace] = []
    var images: [String: [UInt64: MCAPMessagePlace]] = [:]
    let places = try file.messagePlaces(
      channels: frameChannels.union(imageChannels).union(motionChannels))
    for place in places {
      if frameChannels.contains(place.channelID) {
        frames.append(place)
      } else if motionChannels.contains(place.channelID) {
        motion.append(place)
      } else if let topic = file.channels[place.channelID]?.topic,
        images[topic]?[place.logTime] == nil
      {
        images[topic, default: [:]][place.logTime] = place
      }
    }
    try limits.require(frames.count, atMost: limits.sequenceFrames, "frames")
    self.frames = frames
    self.motion = motion
    self.images = images
  }

  /// The recording, with its frames in the order in which they were written.
  func recording() throws(CaptureReadingError) -> Recording {
    guard !frames.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [MCAPTopic.frame], expected: "a frame", found: "none")
    }
    let values = file.metadata.first { $0.name == MCAPMetadataRecord.recording }?.values ?? [:]
    var findings = file.findings
    let listed = frameTable ?? readFrames()
    let untimed = listed.count { $0.timestampSeconds == nil }
    if untimed > 0 {
      findings.append(
        Finding(
          .sequenceTimeUnknown, .note,
          "\(untimed) of \(listed.count) frames do not say when they were taken",
          evidence: MCAPTopic.frame))
    }
    let names = Recording.uniqueNames(listed.map(\.name))
    var motionReader: Recording.MotionReader?
    if !motion.isEmpty {
      motionReader = { () throws(CaptureReadingError) in
        try MotionMessages.motion(of: file, at: motion.map(ROSMessagePlace.init))
      }
    }
    return Recording(
      layout: "MCAP (Plumbline)",
      frames: zip(listed, names).map { frame, name in
        RecordedFrame(name: name, timestampSeconds: frame.timestampSeconds)
      },
      worldAxes: values[MCAPMetadataRecord.worldAxes].flatMap { WorldAxes(rawValue: $0) }
        ?? .unknown,
      findings: findings, motion: motionReader
    ) { index, color throws(CaptureReadingError) in
      try capture(index, color)
    }
  }

  /// The frames from the table at the end of the file; `nil` for a truncated recording.
  private var frameTable: [RecordedFrame]? {
    guard let table = file.metadata.last(where: { $0.name == MCAPMetadataRecord.frames })?.values,
      table.count == frames.count
    else { return nil }
    var listed: [RecordedFrame] = []
    for index in frames.indices {
      guard let line = table["\(index)"], let space = line.firstIndex(of: " ") else { return nil }
      let time = line[..<space]
      let bits = UInt64(time, radix: 16)
      guard time == "-" || bits != nil else { return nil }
      listed.append(
        RecordedFrame(
          name: String(line[line.index(after: space)...]),
          timestampSeconds: bits.map { Double(bitPattern: $0) }))
    }
    return listed.allSatisfy { $0.timestampSeconds?.isFinite != false } ? listed : nil
  }

  /// The frames from their own messages; an unreadable one has no name and no time.
  private func readFrames() -> [RecordedFrame] {
    var listed: [RecordedFrame] = []
    for place in frames {
      var frame = RecordedFrame(name: "")
      if let message = try? self.message(at: place) {
        frame.name = message.frameName
        frame.timestampSeconds = message.capture.timestampSeconds
      }
      listed.append(frame)
    }
    return listed
  }

  private func message(at place: MCAPMessagePlace) throws(CaptureReadingError) -> DepthFrameMessage
  {
    try DepthFrameMessage(file.message(at: place).data, topic: MCAPTopic.frame)
  }

  private func capture(
    _ index: Int, _ color: CaptureReader.ColorRequest
  ) throws(CaptureReadingError) -> Capture {
    let place = frames[index]
    let message = try message(at: place)
    var capture = message.capture
    if let size = message.depthSize {
      try limits.require(
        size.pixelCount, atMost: limits.auxiliaryPixels, "pixels of the depth map",
        path: [MCAPTopic.frame])
      if let reference = message.depthImage {
        let meters = try depth(reference.topic, place.logTime, size: size)
        capture.depth?.values = try reference.values(of: DepthMap(meters: meters))
      }
      capture.depth?.residual = try residual(place.logTime)
    }
    if message.unknownFindings > 0 {
      capture.findings.append(
        Finding(
          .fileDamagedMetadata, .note,
          "\(message.unknownFindings) findings of a later version are left out",
          evidence: MCAPTopic.frame))
    }
    for (topic, isCompressed) in [(MCAPTopic.color, false), (MCAPTopic.compressedColor, true)] {
      guard color != .none, capture.color == nil, capture.colorFile == nil,
        let place = images[topic]?[place.logTime]
      else { continue }
      let image = try MessageColor(
        file.message(at: place).payload, isCompressed: isCompressed, topic: topic, request: color,
        limits: limits)
      capture.color = image.pixels
      capture.colorFile = image.file
      capture.colorSize = capture.colorSize ?? image.size
      capture.findings += image.findings
    }
    return capture
  }

  /// The residual of an estimate with its standard deviation; `nil` for frames without one.
  private func residual(_ logTime: UInt64) throws(CaptureReadingError) -> DepthResidual? {
    guard images[MCAPTopic.residual]?[logTime] != nil else { return nil }
    let meters = try depth(MCAPTopic.residual, logTime, size: nil)
    let sigma = try depth(MCAPTopic.residualSigma, logTime, size: meters.size)
    return DepthResidual(meters: meters, sigmaMeters: sigma)
  }

  /// The numbers of an image at a frame's time; if a size is given, the image must have it.
  private func depth(
    _ topic: String, _ logTime: UInt64, size: RasterSize?
  ) throws(CaptureReadingError) -> Raster<Float> {
    guard let place = images[topic]?[logTime] else {
      throw CaptureReadingError(
        .missing, path: [printable(text: topic)], expected: "the frame's image",
        found: "no message of its time")
    }
    let image = try ImageMessage(file.message(at: place).data, topic: topic)
    guard try image.knownEncoding(topic: topic) == .float32 else {
      throw CaptureReadingError(
        .malformed, path: [printable(text: topic)], expected: "an image of 32FC1",
        found: printable(text: image.encoding.prefix(20)))
    }
    let raster = try image.floats(topic: topic, limits: limits)
    if let size, raster.size != size {
      throw CaptureReadingError(
        .malformed, path: [printable(text: topic)], expected: "an image of \(size)",
        found: "\(raster.size)")
    }
    return raster
  }
}
