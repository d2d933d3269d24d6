/// A detection in which no landmarks could be found.
public struct RejectedFace: Sendable, Hashable {
  /// The detection.
  public var detection: FaceDetection
  /// Why it is no face that can be used; at least one reason.
  public var doubts: [FaceDoubt]

  /// The score from which a detection is a head even where the landmarks fail.
  ///
  /// - Source: measured: profiles of a mannequin whose landmarks fail have 0.82 to 0.86, 29 positions in photos
  ///   without a face at most 0.66.
  public static let sureScore: Float = 0.75

  /// Whether it is a head that is turned away, rather than something else.
  public var isHead: Bool {
    doubts.contains { if case .turnedAway = $0 { true } else { false } }
  }

  /// Says why landmarks that were looked for in a detection are none.
  init(_ detection: FaceDetection, doubts: [FaceDoubt]) {
    self.detection = detection
    self.doubts = doubts.filter { if case .turnedAway = $0 { false } else { true } }
    // Landmarks that are none tell no turn; the detection's own points do.
    let yaw = detection.yawRadians
    if detection.score >= Self.sureScore, abs(yaw) > FaceDoubt.maximumYawRadians {
      self.doubts.append(.turnedAway(yawRadians: yaw))
    }
  }
}
