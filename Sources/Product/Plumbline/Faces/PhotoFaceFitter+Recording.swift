import PlumblineInference
public import PlumblineFaces
import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings

extension PhotoFaceFitter {
  /// Fits one head to the frames of a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - name: Its name.
  ///   - progress: Called with each frame's number before it is examined.
  /// - Returns: The head, and the result of each frame. Frames that cannot be read are reported as lost.
  /// - Throws: ``FaceFitError`` where no frame shows a face with metric depth; ``InferenceError``. Cost:
  ///   some 0.1 s a frame of 640 × 480.
  public func fitHead(
    to recording: Recording, named name: String, progress: (Int) -> Void = { _ in }
  ) throws -> RecordedHead {
    var observations: [FaceObservation?] = []
    let turn = try turn(of: recording, name: name)
    var tracker = FaceTracker(try networks())
    tracker.threads = models.threads
    // The fit weighs each frame's landmarks itself: what is smoothed lags behind.
    tracker.smoothing = nil
    for index in recording.frameNames.indices {
      progress(index)
      observations.append(
        try Self.observation(index, of: recording, name: name, turned: turn, tracker: &tracker))
    }
    var scanner = HeadScanner(models.fitter)
    scanner.threads = threads
    let scan = try scanner.scan(observations)
    guard
      let analysis = try Self.analysis(scan.reference, of: recording, name: name),
      let observation = observations[scan.reference]
    else {
      throw PhotoFaceError(expected: "a frame that can be read twice", found: "one that cannot")
    }
    return RecordedHead(
      reference: try photo(of: scan, in: analysis, observation: observation, turned: turn),
      scan: scan, turn: turn, frameNames: recording.frameNames)
  }

  /// A frame of a recording with the head that all frames gave.
  private func photo(
    of scan: HeadScan, in analysis: CaptureAnalysis, observation: FaceObservation,
    turned turn: ImageOrientation
  ) throws(PhotoFaceError) -> PhotoFaces {
    let view = try UprightView(analysis, calibration: nil, turned: turn)
    let model = models.fitter.model
    let result = FaceResult(
      observation, scan.fit, refined: scan.refined, model: model,
      scaleSigmaShare: view.scaleSigmaShare, isCameraKnown: view.camera.source == .calibration)
    return PhotoFaces(
      analysis: analysis, models: models, image: view.image, camera: view.camera, search: nil,
      faces: [result],
      findings: FaceChecker(model).check(result, label: "the head")
        + analysis.findingsAboutLengths, mattes: view.mattes)
  }

  private static func analysis(
    _ index: Int, of recording: Recording, name: String
  ) throws -> CaptureAnalysis? {
    do {
      return try CaptureAnalyzer().analyze(recording, named: name, at: index)
    } catch is CaptureReadingError {
      return nil
    }
  }

  private static func observation(
    _ index: Int, of recording: Recording, name: String, turned turn: ImageOrientation,
    tracker: inout FaceTracker
  ) throws -> FaceObservation? {
    guard let analysis = try analysis(index, of: recording, name: name),
      let view = try? FaceObservation.upright(analysis, turned: turn)
    else { return nil }
    var observation = view.observation
    let search = try tracker.faces(
      in: view.image, seconds: analysis.capture.timestampSeconds ?? Double(index) / 30)
    observation.landmarks = search.usableFaces.first?.landmarks
    return observation
  }

  /// Frames that are examined to find the recording's orientation.
  private static let turnFrameCount = 7

  /// How the images are to be turned: the turn in which most of a few frames show a face that is upright.
  ///
  /// The networks find faces that lie on their side as well; the head would lie in its files.
  private func turn(
    of recording: Recording, name: String
  ) throws -> ImageOrientation {
    let count = min(Self.turnFrameCount, recording.frameNames.count)
    var analyses: [CaptureAnalysis] = []
    for place in 0..<count {
      let index = (2 * place + 1) * recording.frameNames.count / (2 * count)
      if let analysis = try Self.analysis(index, of: recording, name: name) {
        analyses.append(analysis)
      }
    }
    var landmarker = FaceLandmarker(try networks())
    landmarker.threads = models.threads
    var best = (turn: ImageOrientation.up, count: 0)
    for turn in UprightView.turns {
      var found = 0
      for analysis in analyses {
        guard let view = try? UprightView(analysis, calibration: nil, turned: turn) else {
          continue
        }
        let faces = try landmarker.faces(in: view.image).usableFaces
        // Less than 45° is nearer to upright than to either side.
        if faces.contains(where: { abs($0.turn.rollRadians) < .pi / 4 }) { found += 1 }
      }
      if found > best.count { best = (turn, found) }
      if found == analyses.count { break }
    }
    return best.turn
  }
}

extension FaceObservation {
  /// What a frame says beside its landmarks, camera and depth, and the image to find them in: all turned
  /// upright.
  ///
  /// - Throws: ``PhotoFaceError`` for a frame without an image.
  public static func upright(
    _ analysis: CaptureAnalysis, turned turn: ImageOrientation
  ) throws(PhotoFaceError) -> (observation: FaceObservation, image: Raster<RGB8>) {
    let view = try UprightView(analysis, calibration: nil, turned: turn)
    let observation = FaceObservation(
      landmarks: nil, camera: view.calibration, depth: view.depth)
    return (observation, view.image)
  }
}
