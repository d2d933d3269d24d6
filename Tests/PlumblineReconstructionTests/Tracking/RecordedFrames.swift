import PlumblineCorrection
import PlumblineImages
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import PlumblineTestSupport

/// Frames of real recordings as tracking takes them; the lens is ignored, as with the peers.
struct RecordedFrames {
  var recording: Recording
  /// The noise of a pixel of full confidence, and what neighbors share.
  var noise: SigmaCurve
  var shared = SigmaCurve()
  /// The camera of a recording that has none.
  var camera: PinholeIntrinsics?

  /// Opens a folder under the real data.
  init(_ path: String, noise: SigmaCurve, shared: SigmaCurve = SigmaCurve()) throws {
    recording = try Recording(folder: DiskFolder(RealData.url(path)))
    self.noise = noise
    self.shared = shared
  }

  /// A frame, with twice the ± at half the confidence and none below; `nil` without a camera.
  func frame(_ index: Int) throws -> ScanFrame? {
    let capture = try recording.capture(at: index, color: .none)
    guard let record = capture.depth else { return nil }
    let corrected = try CorrectedDepth(record)
    guard let camera = corrected.calibration?.intrinsics ?? camera else { return nil }
    let levels = record.confidence?.levels
    let sigma = Raster<Float>(size: corrected.depth.size) { x, y in
      let z = Double(corrected.depth.meters[x, y])
      let level = levels?[x, y] ?? 2
      let factor: Float = level >= 2 ? 1 : level == 1 ? 2 : .infinity
      return Float(noise.sigmaMeters(atDepth: z)) * factor
    }
    return ScanFrame(
      depth: corrected.depth, noiseMeters: sigma, shared: shared, camera: camera,
      worldFromCamera: capture.worldFromCamera, timestampSeconds: capture.timestampSeconds)
  }
}
