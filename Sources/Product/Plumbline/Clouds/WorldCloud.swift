public import PlumblineExport
public import PlumblineGeometry
import PlumblineIO
public import PlumblineVerification

/// The points of many frames of a recording in its world: what ``WorldCloudBuilder`` makes.
public struct WorldCloud: Sendable {
  /// A frame that could not be used.
  public struct SkippedFrame: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The reason.
    public var reason: String
  }

  /// One point for each voxel that was seen, in the axes of the recording's world.
  public var points: PointCloud
  /// What a file says of the points beside unit, axes and σ: how they were thinned, a sentence each.
  public var statements: [String]
  /// The number of frames that were requested.
  public var chosenCount: Int
  /// The number of frames whose points are in the cloud.
  public var frameCount: Int
  /// The number of measured pixels in the cloud.
  public var pixelCount: Int
  /// Pixels that lie too far from the world's origin for the voxels.
  public var outsideCount: Int
  /// The frames without a pose, which are left out.
  public var untrackedFrames: [String]
  /// The frames that cannot be read or placed, with the reasons; they are left out.
  public var skipped: [SkippedFrame]
  /// The assessment of the first frame with a pose, whose noise is taken for that of all.
  public var assessment: CaptureAssessment

  /// The program that made an output.
  public var origin: ExportOrigin { ExportOrigin(producer: "plumbline \(PlumblineVersion.text)") }
}

/// The reasons why a recording makes no cloud in its world.
public enum WorldCloudError: Error, Sendable, Hashable {
  /// No frame that was requested has a pose.
  case posesMissing(frameCount: Int)
  /// Depths have no unit, and poses do.
  case relative(frame: String)
  /// Nothing says where the rays of the map's pixels point.
  case calibrationMissing(frame: String)
  /// Voxels of this side would be more than the limit.
  case tooManyVoxels(sideMeters: Double, limit: Int)
  /// No frame with a pose has a measured pixel.
  case empty(frameCount: Int)
}

extension WorldCloudError: CustomStringConvertible {
  /// One sentence with what was expected and found.
  public var description: String {
    switch self {
    case .posesMissing(let count):
      "expected frames with poses, found none in \(count.counting("frame")): without them frames "
        + "cannot be joined, and each is a cloud by itself"
    case .relative(let frame):
      "expected depths in meters, as poses are, found relative ones in \(printable(text: frame))"
    case .calibrationMissing(let frame):
      "expected a camera calibration, found none that fits the map of \(printable(text: frame))"
    case .tooManyVoxels(let side, let limit):
      "over a limit: expected at most \(limit) voxels, found more with a side of \(side) m"
    case .empty(let count):
      "expected measured pixels, found none in \(count.counting("frame")) with a pose"
    }
  }
}

extension WorldCloudError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .posesMissing, .relative, .calibrationMissing, .empty: .unusableInput
    case .tooManyVoxels: .usage
    }
  }
}
