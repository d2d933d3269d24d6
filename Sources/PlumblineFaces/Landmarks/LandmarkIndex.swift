/// Landmarks that have a name of their own; left and right are the person's.
public enum LandmarkIndex {
  /// The outer corner of the right eye, left in an upright image.
  public static let rightEyeOuterCorner = 33
  /// The inner corner of the right eye.
  public static let rightEyeInnerCorner = 133
  /// The inner corner of the left eye.
  public static let leftEyeInnerCorner = 362
  /// The outer corner of the left eye.
  public static let leftEyeOuterCorner = 263
  /// The tip of the nose.
  public static let noseTip = 4
  /// The middle of the upper lip's upper edge.
  public static let upperLip = 0
  /// The middle of the lower lip's lower edge.
  public static let lowerLip = 17
  /// The right corner of the mouth.
  public static let mouthRightCorner = 61
  /// The left corner of the mouth.
  public static let mouthLeftCorner = 291
  /// The lowest point of the chin.
  public static let chin = 152
  /// The highest point of the face oval, on the forehead.
  public static let forehead = 10
  /// The center of the right iris.
  public static let rightIrisCenter = 468
  /// The center of the left iris.
  public static let leftIrisCenter = 473
}
