import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The topics of a bag that make up its frames, and why they were chosen.
struct ROSBagTopics {
  /// A channel with images, and the properties of its first message.
  struct Candidate {
    var channel: ROSChannel
    var isCompressed: Bool
    var isDepth: Bool
    /// Whether the images have color rather than gray.
    var isColorful: Bool
    var frame: String
    var size: RasterSize?
    /// The meters of one code that the image itself states.
    var depthUnits: Float?
  }

  let depth: ROSChannel
  let isDepthCompressed: Bool
  /// The frame of the first depth image.
  let depthFrame: String
  /// The size of the first depth image; `nil` if it is compressed.
  let depthSize: RasterSize?
  private(set) var color: ROSChannel?
  private(set) var isColorCompressed = false
  private(set) var depthCamera: ROSChannel?
  private(set) var colorCamera: ROSChannel?
  private(set) var transforms: [ROSChannel] = []
  /// One topic; in a recording of RealSense's SDK that of the accelerometer and that of the
  /// gyroscope.
  private(set) var motions: [ROSChannel] = []
  /// What a recording of RealSense's SDK states; `nil` for other bags.
  private(set) var realSense: RealSenseFacts?
  private(set) var findings: [Finding] = []

  /// Reads the first image of every topic.
  ///
  /// - Throws: `.missing` if no topic has depth images; the error lists the topics.
  init(_ file: any ROSMessageFile) throws(CaptureReadingError) {
    let (candidates, unreadable) = try Self.candidates(file)
    let depths = candidates.filter(\.isDepth)
    guard let chosen = depths.first else { throw Self.withoutDepth(file) }
    depth = chosen.channel
    isDepthCompressed = chosen.isCompressed
    depthFrame = chosen.frame
    depthSize = chosen.size
    let infos = file.messageChannels(of: CameraInfoMessage.self)
    depthCamera = try Self.camera(of: chosen, infos, file)
    transforms = file.messageChannels(of: TransformMessage.self)
    let allMotions = file.messageChannels(of: ImuMessage.self)
    motions = Self.motions(allMotions)
    let colors = candidates.filter { !$0.isDepth }.sorted {
      (Self.rank($0), $0.channel.id) < (Self.rank($1), $1.channel.id)
    }
    if let chosenColor = colors.first {
      color = chosenColor.channel
      isColorCompressed = chosenColor.isCompressed
      colorCamera = try Self.camera(of: chosenColor, infos, file)
    }
    let depthStream = RealSenseStream(topic: depth.topic)
    let colorStream = color.flatMap { RealSenseStream(topic: $0.topic) }
    if let depthStream {
      realSense = try RealSenseFacts(file, depth: depthStream, color: colorStream)
    }
    findings = choiceFindings(depths: depths, colors: colors, motions: allMotions, unreadable)
    if let depthStream, let realSense {
      findings += Self.findings(realSense, depth: depthStream, color: colorStream, chosen)
    } else {
      findings += misalignment(color: colors.first)
    }
  }

  private static func withoutDepth(_ file: any ROSMessageFile) -> CaptureReadingError {
    let names = file.topicNames.prefix(8).map { printable(text: $0) }
    var found = names.isEmpty ? "no topic" : "the topics \(names.joined(separator: ", "))"
    // Where a part of the file is lost, the topic may lie in it.
    if let damage = file.findings.first(where: { $0.code == .sequenceDamagedBytes }) {
      found += "; \(damage.message)"
    }
    return CaptureReadingError(
      .missing, path: [type(of: file).container],
      expected: "a topic with depth images (sensor_msgs Image of 32FC1 or 16UC1, or "
        + "CompressedImage of compressedDepth)",
      found: found)
  }

  /// The first topic, or the first of each sensor that RealSense's SDK records apart.
  private static func motions(_ channels: [ROSChannel]) -> [ROSChannel] {
    let streams = channels.map { RealSenseStream(topic: $0.topic)?.kind }
    guard streams.contains(where: { $0 != nil }) else { return Array(channels.prefix(1)) }
    return ["Accel", "Gyro"].compactMap { kind in
      streams.firstIndex(of: kind).map { channels[$0] }
    }
  }

  /// Ranks topics: images with color first, then topics with "color" in their names.
  private static func rank(_ candidate: Candidate) -> Int {
    let topic = candidate.channel.topic.lowercased()
    let isNamed = topic.contains("color") || topic.contains("rgb")
    return (candidate.isColorful ? 0 : 2) + (isNamed ? 0 : 1)
  }

  /// The topics with images that are read, and in words those with images that are not.
  private static func candidates(
    _ file: any ROSMessageFile
  ) throws(CaptureReadingError) -> (found: [Candidate], unreadable: [String]) {
    var found: [Candidate] = []
    var unreadable: [String] = []
    let images =
      file.messageChannels(of: ImageMessage.self)
      + file.messageChannels(of: CompressedImageMessage.self)
    // Of all channels at once: each call reads the whole index.
    var first: [UInt32: [ROSMessagePlace]] = [:]
    for place in try file.places(ofChannels: Set(images.map(\.id)))
    where first[place.channelID, default: []].count < 8 {
      first[place.channelID, default: []].append(place)
    }
    for channel in images.sorted(by: { $0.id < $1.id }) {
      // A damaged first message must not exclude the topic.
      for place in first[channel.id] ?? [] {
        guard let payload = try? file.payload(at: place) else { continue }
        if let candidate = candidate(channel, payload) {
          found.append(candidate)
          break
        }
        if let image = try? ImageMessage(payload, topic: channel.topic),
          channel.type == ImageMessage.name
        {
          unreadable.append("\(channel.topic) (\(image.encoding.prefix(20)))")
          break
        }
      }
    }
    return (found, unreadable)
  }

  private static func candidate(_ channel: ROSChannel, _ payload: ROSPayload) -> Candidate? {
    let topic = channel.topic
    if channel.type == ImageMessage.name {
      guard let image = try? ImageMessage(payload, topic: topic),
        let encoding = ImageMessage.Encoding(rawValue: image.encoding)
      else { return nil }
      let isGray = [.mono8, .mono16, .uint8].contains(encoding)
      var isDepth = encoding.isDepth(topic: topic)
      // The SDK names the kind of each stream; 16 bits may also be infrared.
      if let stream = RealSenseStream(topic: topic) { isDepth = isDepth && stream.kind == "Depth" }
      return Candidate(
        channel: channel, isCompressed: false, isDepth: isDepth, isColorful: !isGray,
        frame: image.header.frame,
        size: image.width > 0 && image.height > 0
          ? RasterSize(width: image.width, height: image.height) : nil,
        depthUnits: image.depthUnits)
    }
    guard let image = try? CompressedImageMessage(payload, topic: topic) else { return nil }
    return Candidate(
      channel: channel, isCompressed: true, isDepth: image.isCompressedDepth,
      isColorful: !image.format.hasPrefix("mono"), frame: image.header.frame, size: nil)
  }

  /// The camera info topic of an image topic.
  ///
  /// - Source: `image_transport::getCameraInfoTopic`: the last part of the image's topic becomes
  ///   `camera_info`; a transport such as `/compressed` comes off first. For RealSense's SDK
  ///   ``RealSenseStream/cameraTopic``.
  private static func camera(
    of image: Candidate, _ infos: [ROSChannel], _ file: any ROSMessageFile
  ) throws(CaptureReadingError) -> ROSChannel? {
    if let stream = RealSenseStream(topic: image.channel.topic) {
      return infos.first { $0.topic == stream.cameraTopic }
    }
    var parts = image.channel.topic.split(separator: "/", omittingEmptySubsequences: false)
    if image.isCompressed { parts = parts.dropLast() }
    let name = (parts.dropLast() + ["camera_info"]).joined(separator: "/")
    if let named = infos.first(where: { $0.topic == name }) { return named }
    var first: [UInt32: ROSMessagePlace] = [:]
    for place in try file.places(ofChannels: Set(infos.map(\.id)))
    where first[place.channelID] == nil {
      first[place.channelID] = place
    }
    for channel in infos {
      guard let place = first[channel.id],
        let payload = try? file.payload(at: place),
        let info = try? CameraInfoMessage(payload, topic: channel.topic)
      else { continue }
      let isSize = image.size.map { $0.width == info.width && $0.height == info.height } ?? true
      if info.header.frame == image.frame, isSize { return channel }
    }
    return nil
  }
}
