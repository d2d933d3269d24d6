public import PlumblineModel

/// One face of an image with all that is known of it.
public struct LandmarkedFace: Sendable, Hashable {
  /// Its landmarks.
  public var landmarks: FaceLandmarks
  /// The crop that the network was given.
  public var crop: FaceCrop
  /// The turn of the head, as far as the landmarks show it.
  public var turn: HeadTurn
  /// The reasons to use it with care, or not at all.
  public var doubts: [FaceDoubt]
  /// The expression; `nil` where it was not requested.
  public var blendshapes: BlendshapeScores?

  /// Whether the face is not refused.
  public var isUsable: Bool { !doubts.contains(where: \.isRefusal) }

  /// Whether there is a face at all, usable or not.
  public var isFace: Bool {
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
  public init(
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
  public var sidePixels: Float {
    let box = FaceBox(around: points)
    return max(box.size.x, box.size.y)
  }

  /// The mean distance to the same landmarks elsewhere, as a share of ``sidePixels``.
  func shiftShare(to other: FaceLandmarks) -> Float {
    let sum = zip(points, other.points).reduce(0) { $0 + length($1.0 - $1.1) }
    return sum / Float(Self.count) / sidePixels
  }
}
