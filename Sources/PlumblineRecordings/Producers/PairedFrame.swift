package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// One frame of a folder that keeps depth maps and color images as files of their own.
///
/// Apart from ``PosedFrame``, since one manner of any container holds for all of its depth maps, and
/// files beside it describe the recording, where a posed frame has its own.
package struct PairedFrame: Sendable {
  /// The name in findings and outputs.
  package var name: String
  package var depthFile: String?
  package var colorFile: String?
  package var timestampSeconds: Double?
  package var worldFromCamera: RigidTransform?
  /// The camera of this frame alone; `nil` for that of all.
  package var camera: RecordedCalibration?

  /// How the frames of a folder are meant, in common to all of them.
  package struct Manner: Sendable {
    package var source = CaptureSource()
    package var encoding = DepthEncoding.millimeters
    package var accuracy = DepthRecord.Accuracy.absolute
    /// The camera as written; its matrix belongs to the map where no size is given.
    package var camera: RecordedCalibration?
    /// The radial lens terms `k1`, `k2`, `k3` of OpenCV; `nil` for none.
    package var radialTerms: SIMD3<Double>?
  }

  /// Reads the frame.
  ///
  /// - Throws: Why its depth map, or the color image of a frame without one, cannot be read.
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
        record.calibration = manner.calibration(
          of: camera ?? manner.camera, mapSize: record.size, &capture.findings, &capture.provenance)
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
    of camera: RecordedCalibration?, mapSize: RasterSize, _ findings: inout [Finding],
    _ provenance: inout [ProvenanceStep]
  ) -> CameraCalibration? {
    guard var camera = camera else { return nil }
    camera.mapSize = mapSize
    var calibration = camera.calibration(findings: &findings, provenance: &provenance)
    if let radialTerms, let intrinsics = calibration?.intrinsics {
      calibration?.distortion = LensDistortion(radialPolynomial: radialTerms, of: intrinsics)
    }
    return calibration
  }
}

extension Recording {
  /// A recording of frames in files of their own, with what is odd about all of them.
  ///
  /// - Throws: `.missing` for none, `.limitExceeded` for too many.
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
