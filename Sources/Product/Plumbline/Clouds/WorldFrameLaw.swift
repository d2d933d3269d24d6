import PlumblineCorrection
import PlumblineGeometry
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineVerification

/// What is known of the depths of all frames of a recording, from its first frame with a pose.
struct WorldFrameLaw: Sendable {
  /// The noise of a pixel of full confidence.
  private(set) var noise: SigmaCurve
  /// The error that all pixels share.
  let shared: SigmaCurve
  /// By how much the noise of a pixel of each level of confidence is larger; NaN where none holds.
  let factors: [Float]
  /// How the noise of neighbors is correlated.
  let correlation: CorrelatedNoise
  /// The size of the frame's map.
  let mapSize: RasterSize
  /// The basis of the noise in words.
  private(set) var basis: String
  /// The kind of camera.
  let camera: CaptureSource.Camera
  /// The assessment of the frame.
  let assessment: CaptureAssessment

  /// Finds and assesses the first frame with a pose, or where none is needed the first with a depth map.
  ///
  /// - Throws: ``WorldCloudError`` where there is no such frame, or the first one is no map in
  ///   meters with a calibration; the error of the first frame where none can be read.
  init(_ recording: Recording, indices: [Int], needsPose: Bool = true) throws {
    var failure: CaptureReadingError?
    var isAnyRead = false
    for index in indices {
      let capture: Capture
      do throws(CaptureReadingError) {
        capture = try recording.capture(at: index, color: .none)
      } catch {
        failure = failure ?? error
        continue
      }
      isAnyRead = true
      guard let record = capture.depth, !needsPose || capture.worldFromCamera != nil else {
        continue
      }
      let name = recording.frames[index].name
      let analysis = try CaptureAnalyzer(color: .none).analyze(capture, fileName: name)
      guard let corrected = analysis.corrected, analysis.assessment.uncertainty != nil else {
        continue
      }
      guard analysis.hasFilterableDepth else { throw WorldCloudError.relative(frame: name) }
      guard corrected.calibration != nil else {
        throw WorldCloudError.calibrationMissing(frame: name)
      }
      self.init(record, corrected, analysis.assessment, capture.source.camera)
      return
    }
    if !isAnyRead, let failure { throw failure }
    throw WorldCloudError.posesMissing(frameCount: indices.count)
  }

  private init(
    _ record: DepthRecord, _ corrected: CorrectedDepth, _ assessment: CaptureAssessment,
    _ camera: CaptureSource.Camera
  ) {
    self.camera = camera
    let uncertainty = assessment.uncertainty
    (noise, basis) = CaptureFilter.noise(of: corrected.depth, uncertainty)
    shared = uncertainty?.calibration ?? SigmaCurve()
    correlation = uncertainty?.correlation ?? .independent
    mapSize = corrected.depth.size
    self.assessment = assessment
    let maximum = record.confidence?.maximumLevel ?? 0
    let full = uncertainty?.noise(atDepth: 1, confidence: maximum, of: maximum)
    factors = (0...Int(maximum)).map { level in
      // Below half of the maximum no sensor vouches for a pixel.
      guard 2 * level >= Int(maximum) else { return .nan }
      guard let full, full > 0,
        let own = uncertainty?.noise(atDepth: 1, confidence: UInt8(level), of: maximum)
      else { return 1 }
      return Float(own / full)
    }
  }
}

extension WorldFrameLaw {
  /// The law for frames that are compared with each other.
  ///
  /// What neighbors of an unknown sensor differ by is a lower bound: noise that they share, or that steps of the
  /// depths hide, still differs from frame to frame. Such a sensor is taken as no better than the first Kinect.
  /// - Source: K. Khoshelham, S. O. Elberink, *Accuracy and Resolution of Kinect Depth Data*, Sensors 12 (2012)
  ///   1437–1454: 1.425 mm at 1 m, growing with the square of the depth.
  var betweenFrames: WorldFrameLaw {
    guard assessment.uncertainty?.sensor == nil else { return self }
    var law = self
    law.noise = noise.adding(SigmaCurve(perMeterSquared: 0.001425))
    law.basis = basis + ", with that of a first Kinect between frames"
    return law
  }

  /// The depths without flying pixels, and each pixel's own noise by its confidence; O(*n*).
  ///
  /// - Returns: Meters; the noise is NaN where the confidence is too low, or the depth missing.
  func reliablePixels(
    of corrected: CorrectedDepth, _ record: DepthRecord
  ) -> (depth: DepthMap, noiseMeters: Raster<Float>) {
    var frame =
      corrected.sigmaMeters.map { DepthFrame(depth: corrected.depth, sigmaMeters: $0) }
      ?? DepthFrame(depth: corrected.depth, sigma: noise)
    _ = FlyingPixelRemoval().apply(to: &frame)
    var noiseMeters = frame.sigmaMeters
    if let levels = record.croppedConfidence?.levels.packed, levels.size == noiseMeters.size {
      for (pixel, level) in levels.samples.enumerated() {
        noiseMeters.samples[pixel] *= factors[min(Int(level), factors.count - 1)]
      }
    }
    return (frame.depth, noiseMeters)
  }
}
