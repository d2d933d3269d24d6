/// A reason to use a face with care, or not at all.
public enum FaceDoubt: Sendable, Hashable {
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
  public static let leastPresence: Float = 0.5
  /// The shift between two looks above which a face is refused, as a share of its longer side.
  ///
  /// - Source: measured on real photos: 0.005 to 0.018 for the faces of three people, 0.044 to 0.081 for
  ///   three places in photos of plants and a room that are no face, all of presence 0.97 or more.
  public static let maximumShiftShare: Float = 0.03
  /// The yaw beyond which a face is refused, in radians.
  public static let maximumYawRadians: Float = 50 * .pi / 180
  /// The share of landmarks outside of the image above which it is reported.
  public static let toldCutOffShare: Float = 0.02
  /// The share of landmarks outside of the image above which a face is refused.
  public static let maximumCutOffShare: Float = 0.3
  /// The side below which a small face is reported, in pixels.
  public static let leastSidePixels: Float = 40

  /// Whether the face is not to be used, rather than with care.
  public var isRefusal: Bool {
    switch self {
    case .notAFace, .turnedAway, .unsteady: true
    case .cutOff(let share): share > Self.maximumCutOffShare
    case .small: false
    }
  }
}

extension FaceDoubt: CustomStringConvertible {
  /// One sentence.
  public var description: String {
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
