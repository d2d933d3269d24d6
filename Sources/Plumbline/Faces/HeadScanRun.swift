public import PlumblineFaces
import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings

/// One head from the frames of a recording.
public struct HeadScanRun: Sendable {
  /// The reference frame as a photo: its image, its camera, the head in it.
  public private(set) var reference: FaceRun
  /// Pairs of vertices whose distances the document and the text tell, as ``FaceRun/vertexPairs``.
  public var vertexPairs: [VertexPair] {
    get { reference.vertexPairs }
    set { reference.vertexPairs = newValue }
  }
  /// The fitted head, and the result of each frame.
  public let scan: HeadScan
  /// The turn that makes the images upright.
  public let turn: ImageOrientation
  /// The names of all frames.
  public let frameNames: [String]

  /// Looks at each frame and fits one head to all.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - name: Its name.
  ///   - models: Networks and morphable model.
  ///   - threads: How many threads may work; the result does not depend on it.
  ///   - progress: Called with each frame's number before it is examined.
  /// - Throws: ``FaceFitError`` where no frame shows a face with metric depth; ``InferenceError``. Frames
  ///   that cannot be read are reported as lost. Cost: some 0.1 s a frame of 640 × 480.
  public init(
    _ recording: Recording, name: String, by models: FaceModels, threads: Int = 2,
    progress: (Int) -> Void = { _ in }
  ) throws {
    var observations: [FaceObservation?] = []
    let turn = try Self.turn(of: recording, name: name, by: models)
    var tracker = FaceTracker(models.networks)
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
      let check = try Self.check(scan.reference, of: recording, name: name),
      let observation = observations[scan.reference]
    else {
      throw FaceRunError(expected: "a frame that can be read twice", found: "one that cannot")
    }
    reference = try FaceRun(check, by: models, scan: scan, observation: observation, turned: turn)
    self.scan = scan
    self.turn = turn
    frameNames = recording.frameNames
  }

  private static func check(
    _ index: Int, of recording: Recording, name: String
  ) throws -> CaptureCheck? {
    guard var capture = try? recording.capture(at: index, color: .full) else { return nil }
    capture.findings += recording.findings
    return try CaptureCheck(capture, fileName: "\(name)/\(recording.frameNames[index])")
  }

  private static func observation(
    _ index: Int, of recording: Recording, name: String, turned turn: ImageOrientation,
    tracker: inout FaceTracker
  ) throws -> FaceObservation? {
    guard let check = try check(index, of: recording, name: name),
      let view = try? FaceObservation.upright(check, turned: turn)
    else { return nil }
    var observation = view.observation
    let search = try tracker.faces(
      in: view.image, seconds: check.capture.timestampSeconds ?? Double(index) / 30)
    observation.landmarks = search.usableFaces.first?.landmarks
    return observation
  }

  /// Frames that are examined to find the recording's orientation.
  private static let turnFrameCount = 7

  /// How the images are to be turned: the turn in which most of a few frames show a face.
  private static func turn(
    of recording: Recording, name: String, by models: FaceModels
  ) throws -> ImageOrientation {
    let count = min(turnFrameCount, recording.frameNames.count)
    var checks: [CaptureCheck] = []
    for place in 0..<count {
      let index = (2 * place + 1) * recording.frameNames.count / (2 * count)
      if let check = try check(index, of: recording, name: name) { checks.append(check) }
    }
    var landmarker = FaceLandmarker(models.networks)
    landmarker.threads = models.threads
    var best = (turn: ImageOrientation.up, count: 0)
    for turn in UprightView.turns {
      var found = 0
      for check in checks {
        guard
          let view = try? UprightView(
            check, calibration: nil, exifFocal: nil, turned: turn)
        else { continue }
        if try !landmarker.faces(in: view.image).usableFaces.isEmpty { found += 1 }
      }
      if found > best.count { best = (turn, found) }
      if found == checks.count { break }
    }
    return best.turn
  }
}

extension FaceObservation {
  /// What a frame says beside its landmarks, camera and depth, and the image to find them in: all turned
  /// upright.
  ///
  /// - Throws: ``FaceRunError`` for a frame without an image.
  public static func upright(
    _ check: CaptureCheck, turned turn: ImageOrientation
  ) throws(FaceRunError) -> (observation: FaceObservation, image: Raster<RGB8>) {
    let view = try UprightView(check, calibration: nil, exifFocal: nil, turned: turn)
    let observation = FaceObservation(
      landmarks: nil, camera: view.calibration, depth: view.depth)
    return (observation, view.image)
  }
}
