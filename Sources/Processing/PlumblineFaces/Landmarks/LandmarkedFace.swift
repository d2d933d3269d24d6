package import PlumblineModel

/// One face of an image with all that is known of it.
public struct LandmarkedFace: Sendable, Hashable {
  /// Its landmarks.
  public var landmarks: FaceLandmarks
  /// The crop that the network was given.
  public var crop: FaceCrop
  /// The turn of the head, as far as the landmarks show it.
  public var turn: HeadTurn
  /// The reasons to use it with care, or not at all.
  package var doubts: [FaceDoubt]
  /// The expression; `nil` where it was not requested.
  public var blendshapes: BlendshapeScores?

  /// Whether the face is not refused.
  package var isUsable: Bool { !doubts.contains(where: \.isRefusal) }

  /// Whether there is a face at all, usable or not.
  package var isFace: Bool {
    !doubts.contains {
      switch $0 {
      case .notAFace, .unsteady: true
      default: false
      }
    }
  }

  /// Assesses landmarks that were found in an image of a size.
  ///
  /// `shiftShare` is how far a second search of the same image shifted them at most, as a share of the face; `nil`
  /// where there was one look.
  package init(
    _ landmarks: FaceLandmarks, crop: FaceCrop, in size: RasterSize, shiftShare: Float? = nil,
    blendshapes: BlendshapeScores? = nil
  ) {
    self.landmarks = landmarks
    self.crop = crop
    self.blendshapes = blendshapes
    turn = HeadTurn(landmarks)
    doubts = []
    // Written so that NaN is no face.
    if !(landmarks.presence >= FaceDoubt.leastPresence) {
      doubts.append(.notAFace(presence: landmarks.presence))
    }
    if let shiftShare, !(shiftShare <= FaceDoubt.maximumShiftShare) {
      doubts.append(.unsteady(share: shiftShare))
    }
    if !(abs(turn.yawRadians) <= FaceDoubt.maximumYawRadians) {
      doubts.append(.turnedAway(yawRadians: turn.yawRadians))
    }
    let outside = landmarks.points.count { point in
      !(point.x >= -0.5 && point.y >= -0.5 && point.x <= Float(size.width) - 0.5
        && point.y <= Float(size.height) - 0.5)
    }
    let share = Float(outside) / Float(FaceLandmarks.count)
    if share > FaceDoubt.toldCutOffShare { doubts.append(.cutOff(share: share)) }
    let side = landmarks.sidePixels
    if !(side >= FaceDoubt.leastSidePixels) { doubts.append(.small(sidePixels: side)) }
  }
}

extension FaceLandmarks {
  /// The longer side of the box around all landmarks, in pixels.
  package var sidePixels: Float {
    let box = FaceBox(around: points)
    return max(box.size.x, box.size.y)
  }

  /// The mean distance to the same landmarks elsewhere, as a share of ``sidePixels``.
  func shiftShare(to other: FaceLandmarks) -> Float {
    let sum = zip(points, other.points).reduce(0) { $0 + length($1.0 - $1.1) }
    return sum / Float(Self.count) / sidePixels
  }
}

/// A reason to use a face with care, or not at all.
package enum FaceDoubt: Sendable, Hashable {
  /// The network does not take it for a face.
  case notAFace(presence: Float)
  /// A second search for the same face finds it elsewhere: by how much of its size at most, on the mean.
  ///
  /// Foliage and fabric in which the networks see a face show themselves by this.
  case unsteady(share: Float)
  /// The head is turned farther than the landmarks can follow.
  ///
  /// The landmarks then show a plausible face, but not this one's hidden side: see ``maximumYawRadians``.
  case turnedAway(yawRadians: Float)
  /// Part of the face lies outside of the image: the share of landmarks that do.
  case cutOff(share: Float)
  /// The face is smaller than what the landmarks need, in pixels of its longer side.
  case small(sidePixels: Float)

  /// The presence below which a face is none.
  ///
  /// - Source: Google, MediaPipe, `min_face_presence_confidence` and `min_tracking_confidence`.
  package static let leastPresence: Float = 0.5
  /// The shift between two looks above which a face is refused, as a share of its longer side.
  ///
  /// - Source: measured on real photos: 0.005 to 0.018 for the faces of three people, 0.044 to 0.081 for
  ///   three places in photos of plants and a room that are no face, all of presence 0.97 or more.
  package static let maximumShiftShare: Float = 0.03
  /// The yaw beyond which a face is refused, in radians.
  package static let maximumYawRadians: Float = 50 * .pi / 180
  /// The share of landmarks outside of the image above which it is reported.
  package static let toldCutOffShare: Float = 0.02
  /// The share of landmarks outside of the image above which a face is refused.
  package static let maximumCutOffShare: Float = 0.3
  /// The side below which a small face is reported, in pixels.
  package static let leastSidePixels: Float = 40

  /// Whether the face is not to be used, rather than with care.
  package var isRefusal: Bool {
    switch self {
    case .notAFace, .turnedAway, .unsteady: true
    case .cutOff(let share): share > Self.maximumCutOffShare
    case .small: false
    }
  }
}

extension FaceDoubt: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    // What is no number, or huge, must not end the program.
    func whole(_ value: Float) -> String {
      abs(value) < 1e6 ? "\(Int(value.rounded()))" : "an unknown number of"
    }
    func percent(_ share: Float) -> String { whole(100 * share) + " %" }
    func degrees(_ radians: Float) -> String { whole(radians * 180 / .pi) + "°" }
    return switch self {
    case .notAFace(let presence):
      "the network is \(percent(presence)) sure that it is a face; \(percent(Self.leastPresence)) are needed"
    case .unsteady(let share):
      "another look shifts it by \(percent(share)) of its size; a face stays within "
        + percent(Self.maximumShiftShare)
    case .turnedAway(let yaw):
      "the head is turned by some \(degrees(abs(yaw))); landmarks follow it to "
        + degrees(Self.maximumYawRadians)
    case .cutOff(let share): "\(percent(share)) of the face lie outside of the image"
    case .small(let side):
      "the face is \(whole(side)) pixels large; \(whole(Self.leastSidePixels)) are needed"
    }
  }
}

/// How a head is turned, as far as landmarks with their relative depths tell.
///
/// The depths are what a network believes of faces. On 82 views of a mannequin the yaw was within 1.8° RMS of the
/// phone's attitude sensor up to 50°, and never off by more than 3.8° there or 5.1° up to 65°; pitch and roll were not measured.
public struct HeadTurn: Sendable, Hashable {
  /// The turn about the head's own vertical, in radians; positive where it shows its right cheek, so looks
  /// to the right of an upright image.
  public var yawRadians: Float
  /// The turn about the line through the ears, in radians; positive where it looks down.
  public var pitchRadians: Float
  /// How far the eyes' line is turned clockwise in the image, in radians.
  public var rollRadians: Float

  /// Pairs of landmarks that mirror each other, the person's right first.
  ///
  /// - Source: equal heights and depths and opposite x in MediaPipe's canonical face.
  package static let pairs = [
    (33, 263), (133, 362), (234, 454), (127, 356), (93, 323), (58, 288), (61, 291), (70, 300),
  ]

  /// The turn that landmarks show.
  ///
  /// The line through the ears is the sum of lines through ``pairs``; the vertical runs from forehead to chin
  /// without its part along that line.
  package init(_ landmarks: FaceLandmarks) {
    func place(_ index: Int) -> SIMD3<Float> {
      SIMD3(landmarks.points[index], landmarks.relativeDepths[index])
    }
    let across = Self.pairs.reduce(SIMD3<Float>.zero) { $0 + place($1.1) - place($1.0) }
    let level = (across.x * across.x + across.y * across.y).squareRoot()
    yawRadians = angle(SIMD2(level, across.z))
    rollRadians = angle(SIMD2(across.x, across.y))
    let long = place(LandmarkIndex.chin) - place(LandmarkIndex.forehead)
    let norm = (across * across).sum()
    let share = norm > 0 ? (across * long).sum() / norm : 0
    let down = long - share * across
    pitchRadians = angle(SIMD2((down.x * down.x + down.y * down.y).squareRoot(), down.z))
  }
}
