import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineNumerics
import PlumblineStreams

/// A bag of any recorder, of ROS 1 or ROS 2: its first topic with depth images and the related
/// topics.
struct ROSBag {
  let file: any ROSMessageFile
  let limits: ReadingLimits
  /// The topics that are read.
  private(set) var topics: ROSBagTopics
  /// The depth images in recording order.
  private(set) var frames: [ROSBagImage] = []
  /// The color images in ascending order of stamps.
  private(set) var colors: [ROSBagImage] = []
  /// The cameras in ascending order of stamps.
  private(set) var depthCameras: [ROSBagImage] = []
  private(set) var colorCameras: [ROSBagImage] = []
  private(set) var transforms = TransformTree()
  /// The coordinate frames from the depth camera to the root of its poses; empty if there are no
  /// poses.
  private(set) var chain: [String] = []
  /// Half the median interval between two frames, in nanoseconds.
  private(set) var halfFrame: Int64 = 0
  /// The size of the first frame.
  private(set) var firstSize: RasterSize?
  private(set) var findings: [Finding] = []

  /// Opens a bag and reads the header of every relevant message.
  ///
  /// - Throws: `.missing` for a bag without depth; `.limitExceeded`. Cost: one pass over the chunks
  ///   with those messages.
  init(_ file: any ROSMessageFile, limits: ReadingLimits) throws(CaptureReadingError) {
    self.file = file
    self.limits = limits
    findings = file.findings
    topics = try ROSBagTopics(file)
    findings += topics.findings
    firstSize = topics.depthSize
    var unreadable = 0
    let wanted = Set(
      [topics.depth.id]
        + [topics.color?.id, topics.depthCamera?.id, topics.colorCamera?.id]
        .compactMap(\.self) + topics.transforms.map(\.id))
    let places = try file.places(ofChannels: wanted)
    try limits.require(
      places.count { $0.channelID == topics.depth.id }, atMost: limits.sequenceFrames, "frames")
    for place in places {
      do throws(CaptureReadingError) {
        try add(try file.payload(at: place), place)
      } catch {
        if error.reason == .limitExceeded { throw error }
        unreadable += 1
      }
    }
    if unreadable > 0 {
      findings.append(
        Finding(
          .sequenceUnreadableFrames, .caution,
          "\(unreadable) messages cannot be read and are left out",
          evidence: "of \(places.count) messages of the topics that are used"))
    }
    colors.sort { $0.stamp.nanosecondCount < $1.stamp.nanosecondCount }
    depthCameras.sort { $0.stamp.nanosecondCount < $1.stamp.nanosecondCount }
    colorCameras.sort { $0.stamp.nanosecondCount < $1.stamp.nanosecondCount }
    halfFrame = Self.medianInterval(frames) / 2
    placeCamera()
  }

  private mutating func add(
    _ message: ROSPayload, _ place: ROSMessagePlace
  ) throws(CaptureReadingError) {
    let id = place.channelID
    if let channel = topics.transforms.first(where: { $0.id == id }) {
      let isStatic = channel.topic.hasSuffix("tf_static")
      for transform in try TransformMessage(message, topic: channel.topic).transforms {
        transforms.add(transform, isStatic: isStatic)
      }
      // A sample has 72 bytes: the limit is 100 Hz for a day and a half.
      try limits.require(transforms.sampleCount, atMost: 1 << 24, "transforms")
      return
    }
    let used = [topics.depth, topics.depthCamera, topics.color, topics.colorCamera]
    let topic = used.compactMap(\.self).first { $0.id == id }?.topic ?? ""
    var reader = try CDRReader(message, path: [printable(text: topic)])
    let header = try ROSHeader(from: &reader)
    let image = ROSBagImage(place: place, stamp: header.stamp)
    if id == topics.depth.id {
      frames.append(image)
    } else if id == topics.color?.id {
      colors.append(image)
    }
    // Depth that was registered to the color camera shares its camera info.
    if id == topics.depthCamera?.id { depthCameras.append(image) }
    if id == topics.colorCamera?.id { colorCameras.append(image) }
  }

  /// The median interval between neighbors in nanoseconds; 1/30 s for fewer than two frames.
  private static func medianInterval(_ frames: [ROSBagImage]) -> Int64 {
    let stamps = frames.map(\.stamp.nanosecondCount)
    let intervals = zip(stamps, stamps.dropFirst()).map { abs($1 - $0) }.filter { $0 > 0 }.sorted()
    return intervals.middleOfSorted ?? 33_333_333
  }

  /// Finds the chain of transforms from the depth camera to the root of its poses.
  private mutating func placeCamera() {
    transforms.sort()
    // ROS 1's static_transform_publisher repeats constant transforms on the topic of moving ones.
    if type(of: file).serialization == .ros1 { transforms.makeConstantsStatic() }
    let frame = topics.depthFrame
    func add(_ message: String) {
      findings.append(
        Finding(.sequencePosesMissing, .caution, message, evidence: printable(text: frame)))
    }
    if !transforms.framesWithTwoParents.isEmpty {
      let names = transforms.framesWithTwoParents.sorted().prefix(3).map { printable(text: $0) }
      add("frames have two parents, of which the first is used: \(names.joined(separator: ", "))")
    }
    guard let way = transforms.chain(from: frame) else {
      add("the transforms of the camera's frame form a ring, so that no pose is known")
      return
    }
    // Without a moving transform, the chain ends at the device and gives no pose in the world.
    if transforms.moves(way) { chain = way }
  }

  /// The recording.
  func recording() throws(CaptureReadingError) -> Recording {
    guard !frames.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [printable(text: topics.depth.topic)], expected: "a depth image",
        found: "none that can be read")
    }
    // REP 103 and 105: the z axis of these frames points up.
    let isROSWorld = ["map", "odom", "world", "earth"].contains(chain.last ?? "")
    var motion: Recording.MotionReader?
    if !topics.motions.isEmpty {
      let places = try file.places(ofChannels: Set(topics.motions.map(\.id)))
      if !places.isEmpty {
        motion = { () throws(CaptureReadingError) in
          try MotionMessages.motion(of: file, at: places)
        }
      }
    }
    let names = Recording.uniqueNames(frames.map { _ in "" })
    return Recording(
      layout: topics.realSense == nil ? type(of: file).layout : "RealSense recording",
      frames: zip(names, frames).map {
        RecordedFrame(name: $0, timestampSeconds: $1.stamp.inSeconds)
      },
      worldAxes: isROSWorld ? .zUp : .unknown, findings: findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      try capture(index, color)
    }
  }
}

/// The position of a message with a stamp.
struct ROSBagImage: Sendable {
  var place: ROSMessagePlace
  var stamp: ROSTime

  /// The image with the nearest stamp in a list sorted by stamps; of two equally near, the earlier.
  static func nearest(_ list: [ROSBagImage], to stamp: ROSTime) -> ROSBagImage? {
    let time = stamp.nanosecondCount
    let next = list.firstSortedIndex { $0.stamp.nanosecondCount >= time }
    let around = [next - 1, next].filter { list.indices.contains($0) }
    return around.min {
      abs(list[$0].stamp.nanosecondCount - time) < abs(list[$1].stamp.nanosecondCount - time)
    }.map { list[$0] }
  }
}
