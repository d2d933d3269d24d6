import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStreams

extension ROSBag {
  /// Reads one frame: the depth image, and the camera, color and pose nearest to its stamp.
  func capture(
    _ index: Int, _ request: CaptureReader.ColorRequest
  ) throws(CaptureReadingError) -> Capture {
    let frame = frames[index]
    var capture = Capture(source: topics.realSense?.source ?? CaptureSource())
    capture.timestampSeconds = frame.stamp.inSeconds
    var record = try depth(frame, &capture.provenance)
    if let firstSize, record.size != firstSize {
      capture.findings.append(
        Finding(
          .fileUnequalSizes, .caution,
          "the depth map has \(record.size) pixels, that of the first frame \(firstSize)",
          evidence: printable(text: topics.depth.topic)))
    }
    if let camera = topics.depthCamera {
      let isRectified = isRectified(topics.depth.topic)
      let found = try calibration(
        camera, depthCameras, frame.stamp, isRectified: isRectified, size: record.size)
      record.isRectified = isRectified || found.isPinhole ? true : nil
      record.calibration = found.calibration
      record.calibration?.extrinsics = topics.realSense?.depthPlace
      capture.findings += found.findings
    }
    capture.depth = record
    if !chain.isEmpty {
      capture.worldFromCamera = transforms.rootFromFrame(chain, at: frame.stamp)
    }
    try addColor(frame.stamp, request, to: &capture)
    return capture
  }

  private func isRectified(_ topic: String) -> Bool {
    topic.split(separator: "/").contains { $0.contains("rect") }
  }

  private func depth(
    _ frame: ROSBagImage, _ provenance: inout [ProvenanceStep]
  ) throws(CaptureReadingError) -> DepthRecord {
    let topic = topics.depth.topic
    let message = try file.payload(at: frame.place)
    if topics.isDepthCompressed {
      let image = try CompressedImageMessage(message, topic: topic)
      let (map, codes, isInverse) = try image.depth(topic: topic, limits: limits)
      provenance.append(
        ProvenanceStep(
          .decoded,
          isInverse ? "meters = A / (code − B) of compressedDepth" : "meters = code / 1000"))
      return isInverse
        ? DepthRecord(values: .depth(map), storedType: "u16", accuracy: .absolute)
        : MillimeterDepth.record(codes)
    }
    let image = try ImageMessage(message, topic: topic)
    switch try image.knownEncoding(topic: topic) {
    case .float32:
      let meters = try image.floats(topic: topic, limits: limits)
      return DepthRecord(
        values: .depth(DepthMap(meters: meters)), storedType: "32FC1", accuracy: .absolute)
    case .uint16, .mono16:
      let codes = try image.codes(topic: topic, limits: limits)
      let unit = metersPerCode(of: image, frame)
      let rule = unit == 0.001 ? "code / 1000" : "code · \(unit)"
      provenance.append(ProvenanceStep(.dequantized, "meters = \(rule); 0 is not measured"))
      return MillimeterDepth.record(codes, metersPerUnit: unit)
    default:
      throw CaptureReadingError(
        .unsupported, path: [printable(text: topic)], expected: "a depth image",
        found: "an image of \(image.encoding)")
    }
  }

  /// The meters of one code: 0.001 by REP 118, but RealSense's SDK has its own.
  private func metersPerCode(of image: ImageMessage, _ frame: ROSBagImage) -> Double {
    guard let facts = topics.realSense else { return 0.001 }
    return RealSenseFacts.metersPerCode(image.depthUnits)
      ?? facts.metersPerCode(at: frame.place.logTime) ?? RealSenseFacts.usualMetersPerCode
  }

  private typealias FoundCamera = (
    calibration: CameraCalibration?, findings: [Finding], isPinhole: Bool
  )

  private func calibration(
    _ channel: ROSChannel, _ messages: [ROSBagImage], _ stamp: ROSTime, isRectified: Bool,
    size: RasterSize?
  ) throws(CaptureReadingError) -> FoundCamera {
    guard let nearest = ROSBagImage.nearest(messages, to: stamp) else { return (nil, [], false) }
    var info = try CameraInfoMessage(file.payload(at: nearest.place), topic: channel.topic)
    if isRectified, info.p[0] > 0 {
      // Rectified images have the camera matrix in P and no distortion.
      info.k = [info.p[0], 0, info.p[2], 0, info.p[5], info.p[6], 0, 0, 1]
      info.d = []
    }
    var (calibration, findings) =
      RealSenseLens.calibration(of: info, topic: channel.topic)
      ?? info.calibration(topic: channel.topic)
    if let size, let calibration, !calibration.intrinsics.matchesAspect(of: size) {
      findings.append(
        Finding(
          .calibrationAspect, .caution,
          "the camera info is that of \(calibration.intrinsics.size), the image has \(size)",
          evidence: printable(text: channel.topic)))
    }
    return (calibration, findings, RealSenseLens.isPinhole(info))
  }

  /// Adds the color image with the nearest stamp within half a frame interval, and its camera.
  private func addColor(
    _ stamp: ROSTime, _ request: CaptureReader.ColorRequest, to capture: inout Capture
  ) throws(CaptureReadingError) {
    guard let channel = topics.color, let nearest = ROSBagImage.nearest(colors, to: stamp),
      abs(nearest.stamp.nanosecondCount - stamp.nanosecondCount) <= halfFrame
    else { return }
    if let camera = topics.colorCamera {
      let found = try calibration(
        camera, colorCameras, stamp, isRectified: isRectified(channel.topic), size: nil)
      capture.colorCalibration = found.calibration
      capture.colorCalibration?.extrinsics = topics.realSense?.colorPlace
      // What is doubtful about the color camera does not move a point of the depth map.
      capture.findings += found.findings.map { finding in
        var finding = finding
        finding.effect = Finding.Effect()
        return finding
      }
    }
    let image = try MessageColor(
      file.payload(at: nearest.place), isCompressed: topics.isColorCompressed,
      topic: channel.topic, request: request, limits: limits)
    capture.color = image.pixels
    capture.colorFile = image.file
    capture.colorSize = image.size
    capture.findings += image.findings
  }
}
