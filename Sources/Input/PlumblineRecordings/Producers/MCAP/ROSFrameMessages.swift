package import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// The messages of one capture in their order, as MCAP recordings store them and live clients of
/// ROS messages receive them; see `Documentation/formats/mcap-ros2.md`.
///
/// If a capture lacks a part, there is no message of that part's topic.
package struct ROSFrameMessages: Sendable {
  /// One message.
  package struct Message: Sendable {
    /// The topic and its message type.
    package let topic: ROSTopic
    /// CDR with its encapsulation header, little-endian.
    package let bytes: [UInt8]
  }

  /// The messages; the last one is ``DepthFrameMessage``.
  package private(set) var messages: [Message] = []
  private let capture: Capture
  private let name: String
  private let stamp: ROSTime
  private let topics: Set<String>?
  private let limits: ReadingLimits

  /// Creates the messages; O(*n*), plus the cost of encoding color if necessary.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - name: The name of the frame.
  ///   - moment: The time of the frame.
  ///   - worldAxes: The up axis of the world of its pose.
  ///   - color: The encoding of color; a JPEG file stays unchanged.
  ///   - topics: The names of the requested topics; others cost nothing. `nil` means all.
  ///   - limits: The limits for decoding color, and where decoding happens.
  /// - Throws: `.unrepresentable` for a depth map without pixels, for an invalid camera and for
  ///   color over 65,500 pixels a side as JPEG.
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
    // A quaternion cannot represent a reflection; the frame's own message stores the matrix anyway.
    if let transform { add(MCAPTopic.transforms, TransformMessage([transform])) }
  }

  /// Adds what holds for the whole recording: the up axis, and the pose of the color camera if the
  /// producer states it.
  private mutating func addStaticTransforms(_ axes: WorldAxes) {
    var transforms: [StampedTransform?] = []
    let mapFromWorld: RigidTransform? =
      switch axes {
      // REP 103: the z axis points up.
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

  /// The identity if no second camera is described, else the transform from both extrinsics.
  private var depthFromColor: RigidTransform? {
    guard let color = capture.colorCalibration else { return .identity }
    guard let colorPlace = color.extrinsics, let depthPlace = capture.depth?.calibration?.extrinsics
    else { return nil }
    return depthPlace.referenceFromCamera.inverse * colorPlace.referenceFromCamera
  }

  private mutating func addColor(
    _ format: MCAPRecordingOptions.Color
  ) throws(RecordingWritingError) {
    // Beside a file the pixels of a live camera are a reduced image.
    let fileSize = capture.colorFile.flatMap { _ in capture.colorSize }
    guard let size = fileSize ?? capture.color?.size, size.pixelCount > 0 else { return }
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
        // An image that is already a file is passed on unchanged, which avoids encoding it again.
        var file = capture.colorFile
        // No viewer of such messages displays single HEVC images.
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

  /// Adds the depth map and its camera and, last, the message with the data that they lack.
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

  /// Rejects a calibration that the reader would reject.
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
