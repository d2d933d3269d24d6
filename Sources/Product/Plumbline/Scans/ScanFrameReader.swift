import PlumblineCorrection
import PlumblineGeometry
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import PlumblineVerification

/// Reads frames of a recording as fusion takes them: corrected, rectified, each pixel with its ±.
struct ScanFrameReader: Sendable {
  /// A frame that cannot be used, and why.
  enum Unusable: Error, Hashable {
    /// It has no depth map in meters with a calibration that fits.
    case noMetricDepth
    /// It cannot be read or corrected.
    case unreadable(String)
  }

  /// The frames.
  let recording: Recording
  /// What is known of the depths of all frames.
  let law: WorldFrameLaw
  /// The error that neighbors and successive frames share, along the optical axis.
  let slow: SigmaCurve
  /// Whether color is read.
  let hasColor: Bool
  /// What is taken out of all depths; see ``ScanSettings/depthBendPerMeter``.
  let bendPerMeter: Double

  private let corrector = CaptureCorrector()
  private let plans = CorrectionPlans()

  /// Creates a reader by the first frame that can be used.
  ///
  /// - Throws: ``ScanError/noFrame(frameCount:firstReason:)`` where no frame has a depth, else as
  ///   ``WorldFrameLaw/init(_:indices:needsPose:)``.
  init(_ recording: Recording, indices: [Int], settings: ScanSettings) throws {
    self.recording = recording
    hasColor = settings.hasColor
    bendPerMeter = settings.depthBendPerMeter
    do {
      law = try WorldFrameLaw(recording, indices: indices, needsPose: false).betweenFrames
    } catch WorldCloudError.posesMissing(let count) {
      // Without a need of poses that is the lack of frames with a depth.
      throw ScanError.noFrame(frameCount: count, firstReason: "no pixel of a depth map is measured")
    }
    slow = Self.slowError(of: law)
  }

  /// Reads a frame; O(*n*).
  ///
  /// Several threads may do it at a time.
  func frame(at index: Int) throws(Unusable) -> ScanFrame {
    // Twice the map's size is more than a voxel needs.
    let side = 2 * max(law.mapSize.width, law.mapSize.height)
    let capture: Capture
    do {
      capture = try corrected(at: index, color: hasColor ? .preview(maximumSide: side) : .none)
    } catch {
      throw .unreadable("\(error)")
    }
    return try frame(ofCorrected: capture)
  }

  /// Corrects a capture as a frame of the same camera; O(*n*).
  func frame(of capture: Capture) throws(Unusable) -> ScanFrame {
    let corrected: Capture
    do { corrected = try self.corrected(capture) } catch { throw .unreadable("\(error)") }
    return try frame(ofCorrected: corrected)
  }

  private func frame(ofCorrected capture: Capture) throws(Unusable) -> ScanFrame {
    do {
      guard let frame = try scanFrame(of: capture) else { throw Unusable.noMetricDepth }
      return frame
    } catch let unusable as Unusable {
      throw unusable
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// The recording as it is fused: corrected, and without the bend of its depths.
  ///
  /// A frame that cannot be corrected is not fused, and has no depths here.
  var fused: Recording {
    Recording(
      layout: recording.layout, frames: recording.frames, worldAxes: recording.worldAxes,
      boardSquareMeters: recording.boardSquareMeters, findings: recording.findings
    ) { index, color throws(CaptureReadingError) in
      var capture = try recording.capture(at: index, color: color)
      guard let corrected = try? corrected(capture) else {
        capture.depth = nil
        return capture
      }
      capture = corrected
      capture.depth = corrected.depth?.unbent(by: bendPerMeter)
      return capture
    }
  }

  private func corrected(at index: Int, color: CaptureReader.ColorRequest) throws -> Capture {
    var capture = try recording.capture(at: index, color: color)
    capture.timestampSeconds = capture.timestampSeconds ?? recording.frames[index].timestampSeconds
    return try corrected(capture)
  }

  private func corrected(_ capture: Capture) throws -> Capture {
    let plan = try plans.plan(for: capture) { try corrector.steps(forFrame: $0) }
    return try plans.corrected(capture, by: plan) { _ in }
  }

  /// The trusted depths of a frame at a pose, for a comparison with others; `nil` where it cannot be used.
  func posedDepth(at index: Int, worldFromCamera: RigidTransform) -> PosedDepth? {
    guard let capture = try? corrected(at: index, color: .none), let record = capture.depth,
      record.hasUnit, record.accuracy != .relative,
      let corrected = try? straightened(record, of: capture)
    else { return nil }
    return PosedDepth(
      corrected, confidence: record.croppedConfidence, sigma: law.noise,
      worldFromCamera: worldFromCamera)
  }

  /// The longest side of a photo for textures: finer ones say no more of what is two arms away.
  private static let photoSide = 2048

  /// The photo of a frame, free from lens distortion, with its camera at its size; `nil` where there is none
  /// with the field of view of the depth map.
  func photo(at index: Int) -> (color: Raster<RGB8>, camera: PinholeIntrinsics)? {
    guard let capture = try? corrected(at: index, color: .preview(maximumSide: Self.photoSide)),
      let color = capture.colorInDepthFrame, color.size.pixelCount > 0, let record = capture.depth,
      let camera = try? CorrectedDepth(
        record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected
      ).calibration?.intrinsics, camera.matchesAspect(of: color.size)
    else { return nil }
    return (color, camera.scaled(to: color.size))
  }

  /// Some frames, evenly chosen, for what has to be known before the first one is fused; those that cannot be
  /// used are left out.
  func samples(of indices: [Int], maximumDepth: Double) -> [ScanFrame] {
    let count = min(Self.sampleCount, indices.count)
    return (0..<count).compactMap { number in
      try? result(at: indices[number * indices.count / count], maximumDepth: maximumDepth).get()
    }
  }

  private static let sampleCount = 8

  /// A frame without what is farther than a limit, or why it cannot be used.
  func result(at index: Int, maximumDepth: Double) -> Result<ScanFrame, Unusable> {
    Result { () throws(Unusable) in try frame(at: index).upTo(depth: maximumDepth) }
  }

  private func scanFrame(of capture: Capture) throws -> ScanFrame? {
    guard let record = capture.depth, record.hasUnit, record.accuracy != .relative else {
      return nil
    }
    let corrected = try straightened(record, of: capture)
    guard let camera = corrected.calibration?.intrinsics, camera.size == corrected.depth.size,
      camera.size.pixelCount > 0
    else { return nil }
    let (depth, noise) = law.reliablePixels(of: corrected, record)
    return ScanFrame(
      depth: depth, noiseMeters: noise, shared: slow, camera: camera,
      color: capture.colorInDepthFrame.flatMap { $0.size.pixelCount > 0 ? $0 : nil },
      worldFromCamera: capture.worldFromCamera, timestampSeconds: capture.timestampSeconds)
  }

  /// The depths of a capture, without their bend.
  private func straightened(
    _ record: DepthRecord, of capture: Capture
  ) throws -> CorrectedDepth {
    var corrected = try CorrectedDepth(
      record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
    corrected.depth = corrected.depth.unbent(by: bendPerMeter)
    return corrected
  }

  /// What of the shared error is not one scale of all depths.
  ///
  /// Of LiDAR neighbors and successive frames share 0.4 % of the depth, measured where frames of one
  /// recording overlap (`Documentation/scan/accuracy.md`); of other sensors half of their shared error is taken, the
  /// other half for their scale.
  private static func slowError(of law: WorldFrameLaw) -> SigmaCurve {
    if law.camera == .lidar { return SigmaCurve(perMeter: 0.004) }
    return SigmaCurve(
      constantMeters: law.shared.constantMeters / 2, perMeter: law.shared.perMeter / 2,
      perMeterSquared: law.shared.perMeterSquared / 2)
  }
}

extension ScanFrame {
  /// The frame without what is farther than a limit in meters.
  func upTo(depth maximumDepth: Double) -> ScanFrame {
    guard maximumDepth < .infinity else { return self }
    let limit = Float(maximumDepth)
    var (frame, noise) = (self, noiseMeters.packed)
    for (pixel, depth) in depth.meters.packed.samples.enumerated() where depth > limit {
      noise.samples[pixel] = .nan
    }
    frame.noiseMeters = noise
    return frame
  }
}
