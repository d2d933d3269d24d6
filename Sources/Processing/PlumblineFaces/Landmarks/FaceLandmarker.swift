public import PlumblineInference
public import PlumblineModel

/// Finds the faces of a photo and their landmarks.
///
/// ```swift
/// let landmarker = FaceLandmarker(try store.faceNetworks())
/// let search = try landmarker.faces(in: image)
/// ```
///
/// Nothing is remembered from one photo to the next; ``FaceTracker`` is for recordings.
public struct FaceLandmarker: Sendable {
  /// How often the network looks again at the crop that its own landmarks give.
  ///
  /// A crop from the landmarks themselves depends less on where the detector saw the face: landmarks of crops
  /// shifted by 5 %, scaled by 15 % and turned by 10° spread by 0.40 % of the face at the first look, 0.15 % at
  /// the second and 0.07 % at the third (median of 12 real photos and views of a mannequin).
  public var additionalLooks = 1
  /// Whether the expression is read too.
  public var readsBlendshapes = false
  /// How many threads read the image, at least 1; the networks' own are chosen where they are loaded.
  ///
  /// Landmarks are the same for any.
  public var threads: Int {
    get { detector.threads }
    set {
      detector.threads = newValue
      reader.sampler.threads = newValue
    }
  }
  /// The detector of faces.
  public var detector: FaceDetector
  package var reader: LandmarkReader
  private let expression: BlendshapeReader

  /// Takes the networks.
  public init(_ networks: FaceNetworks) {
    detector = FaceDetector(networks)
    reader = LandmarkReader(network: networks.landmarks)
    expression = BlendshapeReader(network: networks.blendshapes)
  }

  /// The faces of an upright image, best detection first.
  ///
  /// Where the whole image shows none, nor a head that is turned away, it is searched again in squares: see
  /// ``FaceDetector/views(of:)``.
  ///
  /// Heads may lean some 60°.
  ///
  /// - Throws: ``InferenceError``. Cost: one run of the detector, up to 59 where there is no face, and for
  ///   each face two runs of the landmarks' network, three for a face in a square.
  /// - Precondition: The image has pixels.
  public func faces(in image: Raster<RGB8>) throws(InferenceError) -> FaceSearch {
    var search = FaceSearch(faces: [], view: .whole, rejected: [])
    for view in FaceDetector.views(of: image.size) {
      search.view = view
      for detection in try detector.faces(in: image, view: view) {
        // Squares show the detector more of what is no face; a second search decides.
        let looks = view == .whole ? additionalLooks : max(2, additionalLooks)
        let face = try self.face(FaceCrop(detection), in: image, additionalLooks: looks)
        guard face.isFace else {
          search.rejected.append(RejectedFace(detection, doubts: face.doubts))
          continue
        }
        // Two detections of one face end in the same landmarks.
        let box = FaceBox(around: face.landmarks.points)
        let isKnown = search.faces.contains {
          FaceBox(around: $0.landmarks.points).overlap(box) > detector.maximumOverlap
        }
        if !isKnown { search.faces.append(face) }
      }
      if !search.faces.isEmpty || search.rejected.contains(where: \.isHead) { break }
    }
    return search
  }

  /// The face that a crop shows, whatever it shows: check ``LandmarkedFace/isUsable``.
  ///
  /// - Throws: ``InferenceError``.
  /// - Precondition: The image has pixels, and the crop's side is above 0.
  public func face(
    _ crop: FaceCrop, in image: Raster<RGB8>
  ) throws(InferenceError) -> LandmarkedFace {
    try face(crop, in: image, additionalLooks: additionalLooks)
  }

  private func face(
    _ crop: FaceCrop, in image: Raster<RGB8>, additionalLooks: Int
  ) throws(InferenceError) -> LandmarkedFace {
    var crop = crop
    var part: ReducedPart?
    var landmarks = try reader.landmarks(of: crop, in: image, keeping: &part)
    var shift: Float?
    for _ in 0..<max(0, additionalLooks) where landmarks.presence >= FaceDoubt.leastPresence {
      let next = FaceCrop(landmarks)
      guard next.sidePixels > 0 else { break }
      let again = try reader.landmarks(of: next, in: image, keeping: &part)
      shift = max(shift ?? 0, landmarks.shiftShare(to: again))
      (crop, landmarks) = (next, again)
    }
    let isFace = landmarks.presence >= FaceDoubt.leastPresence
    let scores = readsBlendshapes && isFace ? try expression.scores(of: landmarks) : nil
    return LandmarkedFace(
      landmarks, crop: crop, in: image.size, shiftShare: shift, blendshapes: scores)
  }
}

/// The result of a search for the faces of an image.
public struct FaceSearch: Sendable, Hashable {
  /// The faces, best detection first, refused ones too: check ``LandmarkedFace/isUsable``.
  public var faces: [LandmarkedFace]
  /// How the image was searched; where there is no face, the last search.
  public var view: FaceDetector.View
  /// Detections that the landmarks did not confirm as faces.
  public var rejected: [RejectedFace]

  /// The faces that are not refused.
  package var usableFaces: [LandmarkedFace] { faces.filter(\.isUsable) }
}

extension FaceSearch: CustomStringConvertible {
  /// The found and the refused faces, in one line each.
  public var description: String {
    let way =
      switch view {
      case .whole: "in the whole image"
      case .tiles(let side): "in squares of \(Int(side)) pixels, after none in the whole image"
      }
    var lines = faces.enumerated().map { index, face in
      let side = Int(face.landmarks.sidePixels.rounded())
      let verdict = face.isUsable ? "usable" : "refused"
      return (["face \(index + 1): \(side) pixels, \(verdict)"] + face.doubts.map(\.description))
        .joined(separator: "; ")
    }
    // Many candidates are refused for the same reasons, which are said once.
    let refusals = rejected.map { $0.doubts.map(\.description) }
    for (index, reasons) in refusals.enumerated() where refusals.firstIndex(of: reasons) == index {
      let count = refusals.count { $0 == reasons }
      lines.append(
        ([count == 1 ? "refused" : "\(count) refused"] + reasons).joined(separator: "; "))
    }
    return (["\(faces.isEmpty ? "no face, looked for" : "found") \(way)"] + lines)
      .joined(separator: "\n")
  }
}
