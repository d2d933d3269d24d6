/// The screens of the app, in the order of its list.
///
/// Each folder of this module has the state, the choices and the words of one of them; the app has the
/// views.
public enum AppScreen: String, Hashable, Sendable, CaseIterable {
  /// Depth of a live camera as colors and as points.
  case streamer
  /// Photos with depth, checked when they were taken.
  case photos
  /// Synchronized streams, recorded and sent to a computer.
  case streams
  /// Depth that a network estimates from one image.
  case estimation
  /// Faces, fitted by a metric head.
  case faces
  /// The calibration of this device, checked with a printed board.
  case verification

  /// The title.
  public var name: String {
    switch self {
    case .streamer: "Live depth"
    case .photos: "Photos"
    case .streams: "Streams"
    case .estimation: "Depth from one image"
    case .faces: "Faces"
    case .verification: "Verify this device"
    }
  }

  /// What the screen is for, in one sentence.
  public var purpose: String {
    switch self {
    case .streamer: "See depth as colors or points, and read it where you touch."
    case .photos: "Take photos with depth and see at once whether they can be measured."
    case .streams: "Record synchronized color and depth, or send them to a computer."
    case .estimation: "Run a depth network of your own on the live image."
    case .faces: "Fit a head in meters to a face, and export it."
    case .verification: "Measure the focal length with a printed board and compare it."
    }
  }

  /// The name of its symbol among Apple's SF Symbols.
  public var symbol: String {
    switch self {
    case .streamer: "cube.transparent"
    case .photos: "camera"
    case .streams: "dot.radiowaves.left.and.right"
    case .estimation: "photo"
    case .faces: "face.smiling"
    case .verification: "checkerboard.rectangle"
    }
  }
}
