/// What is scanned, and how finely.
public struct ScanSettings: Sendable, Hashable {
  /// What is scanned: it decides up to which depth pixels are used, between which sizes voxels may be, and which
  /// parts of the surface are too small to belong to it.
  public enum Subject: String, Sendable, CaseIterable {
    /// An object that fits on a table, seen from all sides: up to 1.5 m.
    case object
    /// A head: up to 0.8 m.
    case head
    /// A room, or anything larger: all depths, as without a subject.
    case room
  }

  /// What is scanned; `nil` lets the depths decide.
  public var subject: Subject?
  /// The side of a voxel in meters; `nil` for what the noise and the range of the depths ask for.
  public var voxelMeters: Double?
  /// The depth in meters up to which pixels are used; `nil` for that of the subject.
  public var maximumDepthMeters: Double?
  /// Every so many-th frame is used: 1 for all.
  public var step = 1
  /// What is done to the surface after fusing.
  public var surface = SurfaceSettings()
  /// Whether the surface gets the colors of the frames.
  public var hasColor = true
  /// Whether poses are refined by registration; else frames lie where their recorded poses say.
  public var refinesPoses = true
  /// Whether loops of the path are closed, which may read all frames a second time; not at recorded poses.
  public var closesLoops = true
  /// Whether overlapping frames are compared at recorded and refined poses afterwards, for the report.
  public var measuresConsistency = false
  /// Whether frames are registered as if no pose were recorded.
  public var ignoresRecordedPoses = false
  /// A bend that is taken out of all depths, as a scan reports it: a depth z becomes z/(1 + bend · z), in 1/m.
  ///
  /// It is a guess of what the sensor does: lengths of what is far change by that share for each meter.
  public var depthBendPerMeter = 0.0
  /// The most threads; the result does not depend on it.
  public var threads = 2
  /// The most memory that the volume may take, in bytes.
  public var maximumBytes = 4 << 30

  /// The depth up to which pixels are used; an object or a head is not farther than an arm reaches twice.
  var depthLimit: Double {
    if let maximumDepthMeters { return maximumDepthMeters }
    switch subject {
    case .object: return 1.5
    case .head: return 0.8
    case .room, nil: return .infinity
    }
  }

  /// The sizes that voxels may have where the depths decide, in meters.
  ///
  /// A room of finer voxels takes gigabytes, and shows nothing more from across it; a head or an object of coarser
  /// ones loses its shape, whatever the noise of one frame.
  var voxelRange: ClosedRange<Double> {
    switch subject {
    case .object: 0.0005...0.005
    case .head: 0.0005...0.003
    case .room: 0.005...0.05
    case nil: 0.0001...1
    }
  }

  /// What is done to the surface: without the parts that are small beside a head or an object.
  var finishing: SurfaceSettings {
    var finishing = surface
    switch subject {
    case .head: finishing.smallestPartShare = 0.2
    case .object: finishing.smallestPartShare = 0.02
    case .room, nil: break
    }
    return finishing
  }

  /// All frames, with refined poses, as the depths ask for.
  public init() {}
}
