import PlumblineIO
public import PlumblineModel

/// The poses of a recording's frames as a scan refined them, or as another program found them: what a file
/// of poses holds.
///
/// ```swift
/// let poses = try RecordingPoses(path: "poses.json")
/// let refined = try recording.posed(by: poses)
/// ```
public struct RecordingPoses: Sendable {
  /// The pose of one frame.
  public struct Frame: Sendable {
    /// The name of the frame in its recording; `nil` in files that know only times.
    public var name: String?
    /// Seconds on the recording's clock; `nil` where it has none.
    public var timestampSeconds: Double?
    /// The camera in the world, in meters; `nil` where the pose is not known.
    public var worldFromCamera: RigidTransform?
    /// The covariance of the pose, six rows of six: the rotation vector first, then the translation, in the
    /// camera's axes, in rad², rad·m and m²; `nil` where it is not known.
    public var covariance: [Double]?
    /// What became of the frame, such as `tracked`; `nil` where that is not told.
    public var state: String?
    /// The number of the surface, from 1 on, in whose world the pose is; `nil` for one world of all.
    public var surface: Int?
  }

  /// The frames in their order.
  public var frames: [Frame]
  /// The axes of the world.
  public var worldAxes: WorldAxes
  /// Where the poses come from, in words.
  public var basis: String

  /// The formats of a file of poses.
  public enum Format: Sendable, CaseIterable {
    /// `plumbline.poses/1`, which holds everything.
    case json
    /// The text of the TUM RGB-D benchmark: time and pose alone.
    case tum

    /// The format of a file by its ending: `.json`, `.txt` or `.tum`; `nil` for another one.
    public init?(fileName: String) {
      switch pathEnding(fileName) {
      case "json": self = .json
      case "txt", "tum": self = .tum
      default: return nil
      }
    }
  }

  /// The schema of ``Format/json``.
  static let schema = "plumbline.poses/1"
  /// The axes of a camera, as every file says them.
  static let cameraAxes = "x right, y down, z forward"

  /// The number of poses that ``Recording/posed(by:)`` takes: those of the first surface.
  public var usableCount: Int { frames.count { $0.isUsable } }
  /// The number of poses in worlds of their own, which have no known place in that of the first surface.
  public var otherWorldCount: Int {
    frames.count { $0.worldFromCamera != nil && !$0.isUsable }
  }
}

extension RecordingPoses.Frame {
  /// Whether the pose is known, in the world of the first surface.
  var isUsable: Bool { worldFromCamera != nil && surface ?? 1 == 1 }
}

/// A file of poses that cannot be used, with its own name, since the recording's is another.
public struct PosesFileError: Error, Sendable, Hashable {
  /// The file.
  public var path: String
  /// The place in it, outermost first; empty for the whole.
  public var place: [String]
  /// What was expected there.
  public var expected: String
  /// What was found.
  public var found: String

  /// Says what is wrong with a file.
  package init(path: String, place: [String] = [], expected: String, found: String) {
    self.path = path
    self.place = place
    self.expected = expected
    self.found = found
  }
}

extension PosesFileError: CustomStringConvertible {
  /// One sentence with the escaped path.
  public var description: String {
    let at = place.isEmpty ? "" : " at " + place.joined(separator: "/")
    return "\(printable(text: path))\(at): expected \(expected), found \(found)"
  }
}

extension PosesFileError: CategorizedError {
  /// The file's maker.
  public var category: FailureCategory { .unusableInput }
  /// `true`: the file is not the recording but another one.
  public var namesItsPath: Bool { true }
}
