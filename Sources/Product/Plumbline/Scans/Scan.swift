public import PlumblineExport
public import PlumblineGeometry
import PlumblineIO
public import PlumblineModel
import PlumblineReconstruction
public import PlumblineVerification

/// A surface of many frames, and how it came about: what ``ScanBuilder`` makes.
public struct Scan: Sendable {
  /// A connected run of frames that were fused to one surface.
  public struct Fragment: Sendable {
    /// The surface in the axes of the scan's world, with colors where frames had them and the ± of each
    /// vertex along its normal.
    public var mesh: TriangleMesh
    /// The number of frames in it.
    public var frameCount: Int
    /// Its number in the trajectory: the order in which surfaces began.
    var number: Int
    /// What its vertices share, as measuring counts it.
    var errors: SurfaceErrors
    /// The part of the ± that all vertices have alike, from poses and at recorded ones from the scale of depths, in
    /// meters.
    var commonSigmaMeters = 0.0
    /// What was done to the surface after fusing.
    public var changes = SurfaceChanges()
    /// The image of its texture; `nil` where vertices have the colors alone.
    var texture: MeshTexture?
    /// How many vertices were seen by how many independent views: by none first, by ``mostViews`` or more last.
    var viewCounts: [Int] = []
    /// See ``viewCounts``.
    static let mostViews = 32
  }

  /// What the motion sensors gave to tracking.
  public struct MotionSensors: Sendable, Hashable {
    /// The frames that were registered from the rotation that the sensors measured.
    public var frameCount: Int
    /// σ of such a rotation between two frames about each axis, in radians.
    public var sigmaRadians: Double
  }

  /// A frame that is not part of a surface.
  public struct LeftOutFrame: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The reason.
    public var reason: String
  }

  /// What there is to say of a live camera.
  public struct LiveSource: Sendable, Hashable {
    /// The frames that came while another one was fused, or that the camera dropped.
    public var droppedCount: Int
    /// Why the camera ended early; `nil` where it did not.
    public var failure: String?
  }

  /// The surfaces, the one of most frames first.
  ///
  /// There is more than one where tracking was lost for long: how they lie to each other is then not known.
  public var fragments: [Fragment]
  /// The names of the frames that were given, as the trajectory counts them.
  var frameNames: [String]
  /// The pose, the state and the quality of each frame.
  var trajectory: Trajectory
  /// The frames that could not be read, were skipped or lost.
  public var leftOut: [LeftOutFrame]
  /// The number of frames that were given.
  public var givenCount: Int
  /// The side of a voxel in meters.
  public var voxelMeters: Double
  /// Why the voxels have that side, in words.
  public var voxelReason: String
  /// The memory of the volume at the end, in bytes.
  public var volumeBytes: Int
  /// The memory that was foreseen for it before the first frame was fused, in bytes; `nil` without recorded poses.
  public var foreseenBytes: Int?
  /// Whether the work was ended before the last frame.
  public var wasStopped: Bool
  /// Where the frames came from; `nil` for a recording.
  public var live: LiveSource?
  /// The share of all lengths that one scale of the depths may be wrong by, one standard deviation; it is not
  /// in the ± of vertices.
  public var scaleSigma: Double
  /// The basis of the noise in words.
  public var noiseBasis: String
  /// What one frame sees, in the middle.
  var extent: FrameExtent
  /// The axes of the world.
  public var axes: WorldAxes
  /// The assessment of the first frame.
  public var assessment: CaptureAssessment
  /// What a known length says of all lengths; `nil` where none was given.
  public var scale: ScanScale?
  /// What the motion sensors gave; `nil` where no frame was registered from them.
  public internal(set) var motionSensors: MotionSensors?
  /// What was found odd about the recording and its poses before they were used.
  var recordingFindings: [Finding] = []
  /// The findings of some frames.
  var checkedFrames: [MergedFinding.Frame] = []

  /// What the loops of the path say of its drift; `nil` where they were not looked for.
  public var closure: Closure?
  /// How well overlapping frames agree; `nil` where it was not asked for, or nothing overlaps.
  public var consistency: Consistency?
  /// How depths are scaled against the recorded path; `nil` where the recording does not tell.
  var depthScale: DepthScale?
  /// How depths bend against the recorded path, beside what was taken out; `nil` where the recording does not tell.
  var depthBend: DepthBend?
  /// The bend that was taken out of all depths, in 1/m.
  var takenBendPerMeter = 0.0

  /// The frame of the surfaces: that of the recorded poses, else of the first camera.
  public var frame: PointCloud.Frame { Self.frame(of: trajectory, axes) }

  /// The frame of the surfaces of a path, whose recorded poses have these axes.
  static func frame(of trajectory: Trajectory, _ axes: WorldAxes) -> PointCloud.Frame {
    trajectory.frames.contains { $0.recordedWorldFromCamera != nil } ? .world(axes) : .camera
  }

  /// The program that made an output.
  public var origin: ExportOrigin { ExportOrigin(producer: "plumbline \(PlumblineVersion.text)") }

  /// The number of frames that were given.
  public var frameCount: Int { givenCount }
  /// The number of frames whose own findings are among ``findings``.
  public var examinedCount: Int { checkedFrames.count }
  /// The number of frames in surfaces.
  public var fusedCount: Int { trajectory.frames.count { $0.isFused } }
}

/// The reasons why a recording makes no surface.
public enum ScanError: Error, Sendable, Hashable {
  /// No frame could be fused.
  case noFrame(frameCount: Int, firstReason: String)
  /// The volume would take more memory than it may.
  case memory(neededBytes: Int, limitBytes: Int, voxelMeters: Double)
  /// Nothing that was fused makes a triangle.
  case noSurface(fusedCount: Int)
  /// What is known of the scale is not there.
  case noScale(expected: String, found: String)
}

extension ScanError: CustomStringConvertible {
  /// One sentence with what was expected and found.
  public var description: String {
    switch self {
    case .noFrame(let count, let reason):
      "expected frames that can be fused, found none in \(count.counting("frame")): "
        + printable(text: reason)
    case .memory(let needed, let limit, let voxel):
      "over a limit: voxels of \((1000 * voxel).fixed(1)) mm would take \(needed >> 20) MiB, more "
        + "than \(limit >> 20) MiB: larger voxels take less"
    case .noSurface(let count):
      "expected a surface, found none in \(count.counting("fused frame"))"
    case .noScale(let expected, let found): "expected \(expected), found \(found)"
    }
  }
}

extension ScanError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .noFrame, .noSurface, .noScale: .unusableInput
    case .memory: .usage
    }
  }
}
