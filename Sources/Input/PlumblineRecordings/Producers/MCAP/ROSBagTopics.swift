import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The topics of a bag that make up its frames, and why they were chosen.
struct ROSBagTopics {
  /// A channel with images, and the properties of its first message.
  private struct Candidate {
    var channel: MCAPChannel
    var isCompressed: Bool
    var isDepth: Bool
    /// Whether the images have color rather than gray.
    var isColorful: Bool
    var frame: String
    var size: RasterSize?
  }

  let depth: MCAPChannel
  let isDepthCompressed: Bool
  /// The frame of the first depth image.
  let depthFrame: String
  /// The size of the first depth image; `nil` if it is compressed.
  let depthSize: RasterSize?
  private(set) var color: MCAPChannel?
  private(set) var isColorCompressed = false
  private(set) var depthCamera: MCAPChannel?
  private(set) var colorCamera: MCAPChannel?
  private(set) var transforms: [MCAPChannel] = []
  private(set) var motion: MCAPChannel?
  private(set) var findings: [Finding] = []

  /// Reads the first image of every topic.
  ///
  /// - Throws: `.missing` if no topic has depth images; the error lists the topics.
  init(_ file: MCAPFile) throws(CaptureReadingError) {
    let candidates = try Self.candidates(file)
    let depths = candidates.filter(\.isDepth)
    guard let chosen = depths.first else {
      let names = file.channels.values.map(\.topic).sorted().prefix(8).map { printable(text: $0) }
      throw CaptureReadingError(
        .missing, path: ["MCAP"],
        expected: "a topic with depth images (sensor_msgs/msg/Image of 32FC1 or 16UC1, or "
          + "CompressedImage of compressedDepth) in CDR",
        found: names.isEmpty ? "no topic" : "the topics \(names.joined(separator: ", "))")
    }
    depth = chosen.channel
    isDepthCompressed = chosen.isCompressed
    depthFrame = chosen.frame
    depthSize = chosen.size
    let infos = file.channels(of: CameraInfoMessage.self)
    depthCamera = try Self.camera(of: chosen, infos, file)
    transforms = file.channels(of: TransformMessage.self)
    let motions = file.channels(of: ImuMessage.self)
    motion = motions.first
    let colors = candidates.filter { !$0.isDepth }.sorted {
      (Self.rank($0), $0.channel.id) < (Self.rank($1), $1.channel.id)
    }
    if let chosenColor = colors.first {
      color = chosenColor.channel
      isColorCompressed = chosenColor.isCompressed
      colorCamera = try Self.camera(of: chosenColor, infos, file)
    }
    addFindings(depths: depths, colors: colors, motions: motions)
  }

  private mutating func addFindings(
    depths: [Candidate], colors: [Candidate], motions: [MCAPChannel]
  ) {
    func words(_ channels: some Collection<MCAPChannel>) -> String {
      channels.prefix(6).map { printable(text: $0.topic) }.joined(separator: ", ")
    }
    var used: [MCAPChannel] = []
    for channel in [depth, depthCamera, color, colorCamera, motion].compactMap(\.self)
    where !used.contains(where: { $0.id == channel.id }) { used.append(channel) }
    findings.append(
      Finding(
        .sequenceChosenTopics, .note, "frames are made of the topics \(words(used))",
        evidence: "the first topic with depth; cameras by their topic's name, else by frame and "
          + "size; color by name"))
    for (others, what) in [
      (depths.map(\.channel).dropFirst(), "depth"), (colors.map(\.channel).dropFirst(), "color"),
      (motions.dropFirst(), "motion"),
    ] where !others.isEmpty {
      findings.append(
        Finding(
          .sequenceChosenTopics, what == "depth" ? .caution : .note,
          "\(others.count) other topics with \(what) are left aside: \(words(others))",
          evidence: "the first one is used"))
    }
    if depthCamera == nil {
      findings.append(
        Finding(
          .calibrationMissing, .caution, "no camera info belongs to the depth images",
          evidence: printable(text: depth.topic)))
    }
    if let other = colors.first?.frame, other != depthFrame, color != nil {
      findings.append(
        Finding(
          .depthMisaligned, .caution,
          "depth and color are images of two cameras (\(printable(text: depthFrame)), "
            + "\(printable(text: other))): their pixels do not belong together",
          evidence: "frame_id"))
    }
  }

  /// Ranks topics: images with color first, then topics with "color" in their names.
  private static func rank(_ candidate: Candidate) -> Int {
    let topic = candidate.channel.topic.lowercased()
    let isNamed = topic.contains("color") || topic.contains("rgb")
    return (candidate.isColorful ? 0 : 2) + (isNamed ? 0 : 1)
  }

  private static func candidates(_ file: MCAPFile) throws(CaptureReadingError) -> [Candidate] {
    var found: [Candidate] = []
    let images =
      file.channels(of: ImageMessage.self) + file.channels(of: CompressedImageMessage.self)
    for channel in images.sorted(by: { $0.id < $1.id }) {
      // A damaged first message must not exclude the topic.
      for place in try file.messagePlaces(channels: [channel.id]).prefix(8) {
        guard let message = try? file.message(at: place),
          let candidate = candidate(channel, message, file)
        else { continue }
        found.append(candidate)
        break
      }
    }
    return found
  }

  private static func candidate(
    _ channel: MCAPChannel, _ message: MCAPMessage, _ file: MCAPFile
  ) -> Candidate? {
    let topic = channel.topic
    if file.schemas[channel.schemaID]?.name == ImageMessage.name {
      guard let image = try? ImageMessage(message.data, topic: topic),
        let encoding = ImageMessage.Encoding(rawValue: image.encoding)
      else { return nil }
      let isGray = [.mono8, .mono16, .uint8].contains(encoding)
      return Candidate(
        channel: channel, isCompressed: false, isDepth: encoding.isDepth(topic: topic),
        isColorful: !isGray, frame: image.header.frame,
        size: image.width > 0 && image.height > 0
          ? RasterSize(width: image.width, height: image.height) : nil)
    }
    guard let image = try? CompressedImageMessage(message.data, topic: topic) else { return nil }
    return Candidate(
      channel: channel, isCompressed: true, isDepth: image.isCompressedDepth,
      isColorful: !image.format.hasPrefix("mono"), frame: image.header.frame, size: nil)
  }

  /// The camera info topic of an image topic.
  ///
  /// - Source: `image_transport::getCameraInfoTopic`: the last part of the image's topic becomes
  ///   `camera_info`; a transport such as `/compressed` comes off first.
  private static func camera(
    of image: Candidate, _ infos: [MCAPChannel], _ file: MCAPFile
  ) throws(CaptureReadingError) -> MCAPChannel? {
    var parts = image.channel.topic.split(separator: "/", omittingEmptySubsequences: false)
    if image.isCompressed { parts = parts.dropLast() }
    let name = (parts.dropLast() + ["camera_info"]).joined(separator: "/")
    if let named = infos.first(where: { $0.topic == name }) { return named }
    for channel in infos {
      guard let place = try file.messagePlaces(channels: [channel.id]).first,
        let message = try? file.message(at: place),
        let info = try? CameraInfoMessage(message.data, topic: channel.topic)
      else { continue }
      let isSize = image.size.map { $0.width == info.width && $0.height == info.height } ?? true
      if info.header.frame == image.frame, isSize { return channel }
    }
    return nil
  }
}
