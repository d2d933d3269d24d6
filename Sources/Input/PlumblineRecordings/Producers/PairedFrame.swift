package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// One frame of a folder with depth maps and color images as separate files.
///
/// It is separate from ``PosedFrame``: here one description holds for all depth maps, in any
/// container, and files in the folder describe the recording; a posed frame has its own
/// description.
package struct PairedFrame: Sendable {
  /// The name in findings and outputs.
  package var name: String
  package var depthFile: String?
  package var colorFile: String?
  package var timestampSeconds: Double?
  package var worldFromCamera: RigidTransform?
  /// The camera of this frame; `nil` for the common one.
  package var camera: RecordedCalibration?

  /// The common description of the frames in a folder.
  package struct Manner: Sendable {
    package var source = CaptureSource()
    package var encoding = DepthEncoding.millimeters
    package var accuracy = DepthRecord.Accuracy.absolute
    /// Whether the unit of whole numbers is the usual one of the format, and no file names it.
    package var isUnitAssumed = false
    /// The camera as stored; its matrix refers to the map if no size is given.
    package var camera: RecordedCalibration?
    /// The radial lens terms `k1`, `k2`, `k3` of OpenCV; `nil` for none.
    package var radialTerms: SIMD3<Double>?
  }

  /// Reads the frame.
  ///
  /// - Throws: Why its depth map cannot be read, or the color image of a frame without a depth map.
  package func capture(
    from folder: any CaptureFolder, limits: ReadingLimits, color: CaptureReader.ColorRequest,
    manner: Manner,
    adjusting: (DepthFile, inout Capture) -> DepthEncoding? = { _, _ in nil }
  ) throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: manner.source)
    capture.timestampSeconds = timestampSeconds
    capture.worldFromCamera = worldFromCamera
    if let depthFile {
      do throws(CaptureReadingError) {
        let file = try DepthFile(folder.bytes(of: depthFile), limits: limits)
        let encoding = adjusting(file, &capture) ?? manner.encoding
        var (record, step) = try file.record(encoding, accuracy: manner.accuracy)
        capture.provenance.append(step)
        if manner.isUnitAssumed, encoding == .millimeters, record.quantization != nil {
          capture.provenance.append(
            ProvenanceStep(
              .assumedUnit, "whole numbers are taken as millimeters, as is usual in such folders"))
        }
        record.calibration = capture.take(
          manner.calibration(of: camera ?? manner.camera, mapSize: record.size))
        capture.depth = record
      } catch {
        throw error.inside(depthFile)
      }
    }
    if let colorFile {
      try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
        .add(to: &capture)
    }
    return capture
  }
}

extension PairedFrame.Manner {
  fileprivate func calibration(
    of camera: RecordedCalibration?, mapSize: RasterSize
  ) -> CheckedCalibration {
    guard var camera = camera else { return CheckedCalibration() }
    camera.mapSize = mapSize
    var checked = camera.checked()
    if let radialTerms, let intrinsics = checked.calibration?.intrinsics {
      checked.calibration?.distortion = LensDistortion(
        radialPolynomial: radialTerms, of: intrinsics)
    }
    return checked
  }
}

extension Recording {
  /// A recording of frames in separate files, with its findings.
  ///
  /// - Throws: `.missing` for no frames, `.limitExceeded` for too many.
  package static func paired(
    _ frames: [PairedFrame], layout: String, folder: any CaptureFolder, limits: ReadingLimits,
    findings: [Finding], manner: PairedFrame.Manner, motion: MotionReader? = nil,
    adjusting: @escaping @Sendable (PairedFrame, DepthFile, inout Capture) -> DepthEncoding? = {
      _, _, _ in nil
    }
  ) throws(CaptureReadingError) -> Recording {
    try limits.require(frames.count, atMost: limits.sequenceFrames, "frames")
    guard !frames.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [layout], expected: "depth maps", found: "none")
    }
    var findings = findings
    let lacking = [
      (frames.filter { $0.depthFile == nil }, Finding.Severity.caution, "depth map"),
      (frames.filter { $0.colorFile == nil }, .note, "color image"),
    ]
    for (frames, severity, what) in lacking where !frames.isEmpty {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, severity,
          "\(frames.count.counting("frame")) without a \(what)",
          evidence: Recording.list(frames.map(\.name))))
    }
    if frames.allSatisfy({ $0.timestampSeconds == nil }), frames.count > 1 {
      findings.append(
        Finding(
          .sequenceTimeUnknown, .note,
          "\(frames.count) frames have no time; they are in the order of their names",
          evidence: Recording.list(frames.map(\.name))))
    }
    return Recording(
      layout: layout,
      frames: frames.map { RecordedFrame(name: $0.name, timestampSeconds: $0.timestampSeconds) },
      findings: findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      let frame = frames[index]
      return try frame.capture(
        from: folder, limits: limits, color: color, manner: manner
      ) { adjusting(frame, $0, &$1) }
    }
  }
}

/// A color image in a separate file beside a depth map.
struct ColorFile {
  let name: String
  let folder: any CaptureFolder
  let limits: ReadingLimits
  let request: CaptureReader.ColorRequest

  /// Adds size and pixels to a capture; a damaged image loses the image, not the frame.
  ///
  /// - Throws: Only `.limitExceeded` when the capture has a depth map to fall back to.
  func add(to capture: inout Capture) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      try read(into: &capture)
    } catch {
      if capture.depth == nil || error.reason == .limitExceeded { throw error.inside(name) }
      capture.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: printable(text: name)))
    }
    if let color = capture.colorSize, let depth = capture.depth?.size,
      abs(color.aspectRatio / depth.aspectRatio - 1) >= 0.01
    {
      capture.findings.append(
        Finding(
          .fileUnequalSizes, .caution,
          "the color image of \(color) has another shape than the depth map of \(depth)",
          evidence: printable(text: name)))
    }
  }

  private func read(into capture: inout Capture) throws(CaptureReadingError) {
    // A PNG has its size in its first 29 bytes.
    let start = try folder.firstBytes(of: name, count: 64)
    if PNGImage.recognizes(start) {
      guard start.count >= 29 else {
        throw CaptureReadingError(
          .malformed, path: ["PNG"], offset: 0, expected: "a header", found: "\(start.count) bytes")
      }
      let header = try PNGHeader(
        start[16..<29], maximumPixels: limits.colorPixels, limits: limits)
      capture.colorSize = header.size
      if request == .none { return }
      if request.takes(.png) {
        capture.colorFile = EncodedImage(.png, bytes: try folder.bytes(of: name))
        return
      }
      let image = try PNGImage(
        folder.bytes(of: name)[...], maximumPixels: limits.colorPixels, limits: limits)
      capture.color = request.reduced(image.colorRaster)
    } else if NetpbmImage.recognizes(start) {
      guard
        case .color(let image) = try NetpbmImage(
          folder.bytes(of: name)[...], maximumPixels: limits.colorPixels, limits: limits)
      else {
        throw CaptureReadingError(
          .unsupported, path: ["PNM"], offset: 0, expected: "color", found: "gray")
      }
      capture.colorSize = image.size
      if request != .none { capture.color = request.reduced(image) }
    } else {
      let bytes = try folder.bytes(of: name)
      let isStored = request.takes(.jpeg) && JPEGFile.recognizes(bytes[...])
      let photo = try CaptureReader(limits: limits, color: isStored ? .none : request, threads: 1)
        .capture(from: bytes)
      if isStored { capture.colorFile = EncodedImage(.jpeg, bytes: bytes) }
      capture.colorSize = photo.colorSize
      capture.color = photo.color
      capture.colorOrientation = photo.colorOrientation
      capture.findings += photo.findings.filter { $0.code == .fileDamagedImage }
    }
  }
}
