package import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// The messages of one capture in the order in which they are written: what recordings in MCAP hold and
/// live clients of ROS messages are sent; `Documentation/formats/mcap-ros2.md`.
///
/// A capture without a part has no message of its topic.
package struct ROSFrameMessages: Sendable {
  /// One message.
  package struct Message: Sendable {
    /// The topic, and the kind of message.
    package let topic: ROSTopic
    /// CDR with its encapsulation, lowest byte first.
    package let bytes: [UInt8]
  }

  /// The messages; that of ``DepthFrameMessage`` is the last.
  package private(set) var messages: [Message] = []
  private let capture: Capture
  private let name: String
  private let stamp: ROSTime
  private let topics: Set<String>?
  private let limits: ReadingLimits

  /// Makes the messages; O(*n*), and what encoding costs where color has to be.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - name: What it is called.
  ///   - moment: Its time.
  ///   - worldAxes: Which axis of the world of its pose is up.
  ///   - color: How color is stored; a JPEG file stays as it is.
  ///   - topics: The names of the topics that are wanted, others cost nothing; `nil` for all.
  ///   - limits: What may be spent on color that has to be decoded, and where that happens.
  /// - Throws: `.unrepresentable` for a depth map without pixels, for numbers that make no camera
  ///   and for color over 65,500 pixels a side as JPEG.
  package init(
    _ capture: Capture, name: String, moment: ROSFrameClock.Moment, worldAxes: WorldAxes,
    color: MCAPRecordingOptions.Color, topics: Set<String>? = nil,
    limits: ReadingLimits = ReadingLimits()
  ) throws(RecordingWritingError) {
    self.capture = capture
    self.name = name
    self.topics = topics
    self.limits = limits
    stamp = moment.stamp
    try requireReadableCalibration()
    if wants(MCAPTopic.staticTransforms) { addStaticTransforms(worldAxes) }
    if let pose = capture.worldFromCamera { add(pose) }
    try addColor(color)
    try addDepth()
  }

  private func wants(_ topic: String) -> Bool { topics?.contains(topic) ?? true }

  private func header(_ frame: String) -> ROSHeader { ROSHeader(stamp: stamp, frame: frame) }

  private mutating func add<Content: ROSMessage>(_ topic: String, _ message: Content) {
    guard wants(topic) else { return }
    messages.append(Message(topic: ROSTopic(topic, Content.self), bytes: message.bytes))
  }

  private mutating func add(_ pose: RigidTransform) {
    let transform = StampedTransform(header: header(MCAPFrame.world), child: MCAPFrame.depth, pose)
    // No quaternion holds a mirror; the frame's own message holds the matrix all the same.
    if let transform { add(MCAPTopic.transforms, TransformMessage([transform])) }
  }

  /// What is true of the whole recording: which way is up, and where the color camera stands where
  /// the producer says so.
  private mutating func addStaticTransforms(_ axes: WorldAxes) {
    var transforms: [StampedTransform?] = []
    let mapFromWorld: RigidTransform? =
      switch axes {
      // REP 103: z is up.
      case .yUp: .zUpFromYUp
      case .zUp: .identity
      case .unknown: nil
      }
    if let mapFromWorld {
      transforms.append(
        StampedTransform(header: header(MCAPFrame.map), child: MCAPFrame.world, mapFromWorld))
    }
    if let depthFromColor {
      transforms.append(
        StampedTransform(header: header(MCAPFrame.depth), child: MCAPFrame.color, depthFromColor))
    }
    let known = transforms.compactMap(\.self)
    if !known.isEmpty { add(MCAPTopic.staticTransforms, TransformMessage(known)) }
  }

  /// One camera where no second one is described, else by both cameras' extrinsics.
  private var depthFromColor: RigidTransform? {
    guard let color = capture.colorCalibration else { return .identity }
    guard let colorPlace = color.extrinsics, let depthPlace = capture.depth?.calibration?.extrinsics
    else { return nil }
    return depthPlace.referenceFromCamera.inverse * colorPlace.referenceFromCamera
  }

  private mutating func addColor(
    _ format: MCAPRecordingOptions.Color
  ) throws(RecordingWritingError) {
    guard let size = capture.color?.size ?? capture.colorFile.flatMap({ _ in capture.colorSize }),
      size.pixelCount > 0
    else { return }
    let depth = capture.depth
    let calibration = capture.colorCalibration ?? depth?.calibration
    if let calibration, calibration.intrinsics.matchesAspect(of: size) {
      add(
        MCAPTopic.colorInfo,
        CameraInfoMessage(
          header: header(MCAPFrame.color), calibration, size: size, isRectified: false))
    }
    guard wants(format == .raw ? MCAPTopic.color : MCAPTopic.compressedColor) else { return }
    let header = header(MCAPFrame.color)
    do throws(CaptureReadingError) {
      switch format {
      case .raw:
        guard let color = try capture.decodedColor(limits: limits) else { return }
        add(MCAPTopic.color, ImageMessage(header: header, color))
      case .png where capture.colorFile.map { $0.kind == .hevc } ?? true:
        guard let color = try capture.decodedColor(limits: limits) else { return }
        add(
          MCAPTopic.compressedColor,
          CompressedImageMessage(header: header, format: "png", data: PNGEncoder().encoded(color)))
      case .png, .jpeg:
        // What is a file already is passed on as it is: nothing encodes it better than not at all.
        var file = capture.colorFile
        // No viewer of such messages shows single images of HEVC.
        if file?.kind == .hevc { file = nil }
        if file == nil, case .jpeg(let quality) = format {
          let encoder = JPEGEncoder(quality: quality, chromaSampling: .full)
          file = try capture.colorJPEG(encoder, limits: limits).map {
            EncodedImage(.jpeg, bytes: $0)
          }
        }
        guard let file else { return }
        add(
          MCAPTopic.compressedColor,
          CompressedImageMessage(header: header, format: file.kind.rawValue, data: file.bytes))
      }
    } catch {
      throw unrepresentable("a color image that can be encoded", "\(error)")
    }
  }

  /// The depth map and its camera, and last of all whatever they cannot say.
  private mutating func addDepth() throws(RecordingWritingError) {
    var reference: DepthImageReference?
    if let depth = capture.depth {
      guard depth.size.pixelCount > 0 else {
        throw unrepresentable("a depth map with pixels", "\(depth.size)")
      }
      let topic =
        depth.accuracy == .relative || !depth.hasUnit ? MCAPTopic.relativeDepth : MCAPTopic.depth
      if wants(topic) || wants(MCAPTopic.frame),
        let meters = depth.depthMap(camera: depth.calibration?.intrinsics)?.meters
      {
        let image = ImageMessage(header: header(MCAPFrame.depth), meters)
        add(topic, image)
        reference = DepthImageReference(depth.values, topic: topic, meters: meters)
      }
      if let calibration = depth.calibration,
        calibration.intrinsics.matchesAspect(of: depth.size)
      {
        add(
          MCAPTopic.depthInfo,
          CameraInfoMessage(
            header: header(MCAPFrame.depth), calibration, size: depth.size,
            isRectified: depth.isRectified == true))
      }
    }
    if let residual = capture.depth?.residual, residual.size.pixelCount > 0 {
      for (topic, raster) in [
        (MCAPTopic.residual, residual.meters), (MCAPTopic.residualSigma, residual.sigmaMeters),
      ] where wants(topic) {
        add(topic, ImageMessage(header: header(MCAPFrame.depth), raster))
      }
    }
    guard wants(MCAPTopic.frame) else { return }
    add(
      MCAPTopic.frame,
      DepthFrameMessage(
        header: header(MCAPFrame.depth), frameName: name, capture: capture,
        depthImage: reference))
  }

  /// Refuses a camera's numbers that the reader would refuse.
  private func requireReadableCalibration() throws(RecordingWritingError) {
    var writer = CDRWriter()
    writer.write(optional: capture.colorCalibration)
    writer.write(optional: capture.depth?.calibration)
    writer.write(optional: capture.depth?.calibrationUncertainty)
    do throws(CaptureReadingError) {
      var reader = try CDRReader(writer.bytes[...], path: ["calibration"])
      _ = try reader.readCalibration()
      _ = try reader.readCalibration()
      _ = try reader.readUncertainty()
    } catch {
      throw unrepresentable(error.expected, error.found)
    }
  }

  private func unrepresentable(_ expected: String, _ found: String) -> RecordingWritingError {
    .unrepresentable(format: "MCAP", frame: name, expected: expected, found: found)
  }
}
