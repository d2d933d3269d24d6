public import PlumblineInference
public import PlumblineModel

/// Follows faces through the frames of a recording.
///
/// A face keeps its number as long as it is followed: the crop of a frame comes from the landmarks of the one
/// before. A face that is lost and comes back has a new number; people are not recognized, and nothing is kept
/// after the tracker is gone.
public struct FaceTracker: Sendable {
  /// The maximum number of tracked faces, at least 1.
  public var maximumFaceCount = 1
  /// The smoothing of landmarks; `nil` for none.
  package var smoothing: OneEuroFilter.Parameters? = OneEuroFilter.Parameters()
  /// Whether expressions are read too.
  public var readsBlendshapes = false
  /// How many threads read a frame, at least 1; landmarks are the same for any.
  public var threads: Int {
    get { detector.threads }
    set {
      detector.threads = newValue
      reader.sampler.threads = newValue
    }
  }
  private var detector: FaceDetector
  private var reader: LandmarkReader
  private let expression: BlendshapeReader
  private var tracks: [Track] = []
  private var count = 0

  /// A face that is followed.
  private struct Track {
    var number: Int
    /// As found, not as smoothed: a crop that lags behind would lose a fast face.
    var landmarks: FaceLandmarks
    var filter: OneEuroFilter
    /// Relative depths are smoothed as the first of two coordinates.
    var depthFilter: OneEuroFilter
  }

  /// Takes the networks.
  public init(_ networks: FaceNetworks) {
    detector = FaceDetector(networks)
    reader = LandmarkReader(network: networks.landmarks)
    expression = BlendshapeReader(network: networks.blendshapes)
  }

  /// The faces of the next frame, in the order of their numbers.
  ///
  /// Faces whose presence falls below ``FaceDoubt/leastPresence`` are lost; while fewer than
  /// ``maximumFaceCount`` are followed, the whole frame is searched for others.
  ///
  /// - Parameters:
  ///   - image: The frame, upright.
  ///   - seconds: When it was taken; only differences matter.
  /// - Returns: Each face with its ``FaceLandmarks/trackNumber``, refused ones too, and what was detected and
  ///   cannot be followed, such as a profile.
  /// - Throws: ``InferenceError``. Cost: one run of the landmarks for each face, and one of the detector
  ///   while faces are wanted.
  /// - Precondition: The image has pixels.
  public mutating func faces(
    in image: Raster<RGB8>, seconds: Double
  ) throws(InferenceError) -> FaceSearch {
    var search = FaceSearch(faces: [], view: .whole, rejected: [])
    var followed: [Track] = []
    for track in tracks {
      let crop = FaceCrop(track.landmarks)
      if let face = try follow(track, crop, image, seconds, &followed) {
        search.faces.append(face)
      }
    }
    tracks = followed
    if tracks.count < max(1, maximumFaceCount) {
      for detection in try detector.faces(in: image)
      where tracks.count < max(1, maximumFaceCount) {
        let isKnown = tracks.contains {
          FaceBox(around: $0.landmarks.points).overlap(detection.box) > detector.maximumOverlap
        }
        if isKnown { continue }
        let first = try reader.landmarks(of: FaceCrop(detection), in: image)
        let track = Track(
          number: count + 1, landmarks: first, filter: OneEuroFilter(), depthFilter: OneEuroFilter()
        )
        // A second look, so that the first frame is placed as those after it are, and that what is no
        // face shows itself.
        var started = tracks
        guard first.presence >= FaceDoubt.leastPresence,
          let face = try follow(track, FaceCrop(first), image, seconds, &started)
        else {
          search.rejected.append(
            RejectedFace(detection, doubts: [.notAFace(presence: first.presence)]))
          continue
        }
        let shift = first.shiftShare(to: face.landmarks)
        guard shift <= FaceDoubt.maximumShiftShare else {
          search.rejected.append(RejectedFace(detection, doubts: [.unsteady(share: shift)]))
          continue
        }
        tracks = started
        count += 1
        search.faces.append(face)
      }
    }
    return search
  }

  /// Looks at a crop; `nil` where there is no face, or one that is followed already.
  private func follow(
    _ track: Track, _ crop: FaceCrop, _ image: Raster<RGB8>, _ seconds: Double,
    _ tracks: inout [Track]
  ) throws(InferenceError) -> LandmarkedFace? {
    guard crop.sidePixels > 0 else { return nil }
    var found = try reader.landmarks(of: crop, in: image)
    guard found.presence >= FaceDoubt.leastPresence else { return nil }
    let box = FaceBox(around: found.points)
    // Two tracks that slid onto one face: the older one keeps it.
    let isTaken = tracks.contains {
      FaceBox(around: $0.landmarks.points).overlap(box) > detector.maximumOverlap
    }
    if isTaken { return nil }
    found.trackNumber = track.number
    var track = track
    track.landmarks = found
    var shown = found
    if let smoothing {
      let side = found.sidePixels
      track.filter.parameters = smoothing
      track.depthFilter.parameters = smoothing
      shown.points = track.filter.smoothed(found.points, at: seconds, sidePixels: side)
      let depths = found.relativeDepths.map { SIMD2($0, 0) }
      shown.relativeDepths = track.depthFilter.smoothed(depths, at: seconds, sidePixels: side)
        .map(\.x)
    }
    tracks.append(track)
    let scores = readsBlendshapes ? try expression.scores(of: shown) : nil
    return LandmarkedFace(shown, crop: crop, in: image.size, blendshapes: scores)
  }
}

/// Smooths points that arrive with times: much at rest, little in motion.
///
/// Each point is low-passed with a cutoff that grows with its speed, so that jitter at rest goes and motion
/// is not delayed. Speeds are measured in faces (their longer side) per second, so that near and far faces
/// are treated alike. On constant motion it lags by at most 1/(2π · ``speedCoefficient``) of a face.
///
/// - Source: G. Casiez et al., *1€ Filter*, CHI 2012, algorithms 1 and 2.
package struct OneEuroFilter: Sendable {
  /// The parameters of the filter.
  package struct Parameters: Sendable, Hashable {
    /// The cutoff at rest, in hertz.
    package var leastCutoffHertz: Float = 0.05
    /// How much the cutoff grows with the speed, in hertz per (face per second).
    package var speedCoefficient: Float = 80
    /// The cutoff of the speed itself, in hertz.
    package var speedCutoffHertz: Float = 1

    /// The parameters of MediaPipe's face landmarks.
    ///
    /// - Source: Google, MediaPipe, `face_landmarker_graph`: 0.05, 80 and 1.
    package init() {}
  }

  /// The parameters in use.
  package var parameters: Parameters
  private var points: [SIMD2<Float>] = []
  private var raw: [SIMD2<Float>] = []
  private var speeds: [SIMD2<Float>] = []
  private var seconds: Double?

  /// Creates a filter that has seen nothing.
  package init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The points of a moment, smoothed with those before.
  ///
  /// - Parameters:
  ///   - points: As many as before; another count starts anew.
  ///   - seconds: When they were seen. A time that is not after the last one starts anew.
  ///   - sidePixels: The face's longer side, above 0.
  /// - Returns: As many points, in the same unit.
  package mutating func smoothed(
    _ points: [SIMD2<Float>], at seconds: Double, sidePixels: Float
  ) -> [SIMD2<Float>] {
    guard let last = self.seconds, seconds > last, points.count == self.points.count,
      sidePixels > 0
    else {
      (self.points, raw, self.seconds) = (points, points, seconds)
      speeds = Array(repeating: .zero, count: points.count)
      return points
    }
    let step = Float(seconds - last)
    let speedShare = Self.share(cutoffHertz: parameters.speedCutoffHertz, step)
    for index in points.indices {
      let speed = (points[index] - raw[index]) / step
      speeds[index] += speedShare * (speed - speeds[index])
      let facesPerSecond = length(speeds[index]) / sidePixels
      let cutoff = parameters.leastCutoffHertz + parameters.speedCoefficient * facesPerSecond
      self.points[index] +=
        Self.share(cutoffHertz: cutoff, step) * (points[index] - self.points[index])
    }
    raw = points
    self.seconds = seconds
    return self.points
  }

  /// How much of the new value a low-pass of a cutoff takes after a step in seconds.
  static func share(cutoffHertz: Float, _ step: Float) -> Float {
    let turn = 2 * .pi * cutoffHertz * step
    return turn / (turn + 1)
  }
}
