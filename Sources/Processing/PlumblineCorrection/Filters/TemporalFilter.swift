internal import CKernels
internal import PlumblineModel

/// Steadies the depths of a camera that stands still, frame after frame.
///
/// A depth within a few σ of what the pixel had before is mixed with it; any other is taken as it
/// is. Missing pixels may keep what they had, see ``Persistence``: these are invented, and their ±
/// grows by one σ with each frame. Of a moving camera a pixel sees another surface in each frame:
/// use ``Persistence/none`` and a share of 1 there, or no such filter.
/// - Source: librealsense, *Post-processing filters*, Temporal filter: an exponential mean with a
///   step limit and a history of 8 frames. There the limit is one number for all depths.
public struct TemporalFilter: Hashable, Sendable {
  /// When a missing pixel keeps the depth that it had before: the modes of librealsense.
  ///
  /// - Source: librealsense, *Post-processing filters*, Persistency index 0…8.
  package enum Persistence: Int, Sendable, CaseIterable {
    /// Never.
    case none = 0
    /// All of the last 8 frames measured it.
    case eightOfEight
    /// 2 of the last 3 did.
    case twoOfThree
    /// 2 of the last 4; librealsense's default.
    case twoOfFour
    /// 2 of the last 8.
    case twoOfEight
    /// 1 of the last 2.
    case oneOfTwo
    /// 1 of the last 5.
    case oneOfFive
    /// 1 of the last 8.
    case oneOfEight
    /// Any frame ever did.
    case always

    /// How many of how many frames before must have measured the pixel.
    var rule: (needed: Int32, window: Int32) {
      switch self {
      case .none: (9, 8)
      case .eightOfEight: (8, 8)
      case .twoOfThree: (2, 3)
      case .twoOfFour: (2, 4)
      case .twoOfEight: (2, 8)
      case .oneOfTwo: (1, 2)
      case .oneOfFive: (1, 5)
      case .oneOfEight: (1, 8)
      case .always: (0, 8)
      }
    }
  }

  /// What a filter remembers from frame to frame; a new one for each recording.
  public struct Memory: Sendable {
    var state: [Float] = []
    var sigma: [Float] = []
    var history: [UInt8] = []
    var size = RasterSize.zero

    /// Nothing remembered yet.
    public init() {}
  }

  /// The share of a new depth in the mean, over 0 to 1; 1 takes new ones as they are.
  public var newShare: Float
  /// How far a new depth may be from the old one to be mixed with it, in its own σ.
  public var sigmas: Float
  /// The condition under which missing pixels keep their depth.
  package var persistence: Persistence
  /// `steadied`.
  public let name = ProvenanceStep.Kind.steadied.rawValue

  /// Creates the filter; the share is librealsense's default.
  package init(newShare: Float = 0.4, sigmas: Float = 3, persistence: Persistence = .none) {
    self.newShare = newShare
    self.sigmas = sigmas
    self.persistence = persistence
  }

  /// Filters the next frame; O(*n*).
  ///
  /// A frame of another size starts anew.
  /// - Parameters:
  ///   - frame: The frame, in the order of time.
  ///   - memory: What frames before left; becomes what the next one needs.
  /// - Returns: The frame and what was done.
  public func applied(to frame: DepthFrame, after memory: inout Memory) -> FilteredDepth {
    var copy = frame
    let report = apply(to: &copy, after: &memory)
    return FilteredDepth(frame: copy, reports: [report])
  }

  func apply(to frame: inout DepthFrame, after memory: inout Memory) -> DepthFilterReport {
    let count = frame.size.pixelCount
    if memory.size != frame.size {
      memory.state = [Float](repeating: .nan, count: count)
      memory.sigma = memory.state
      memory.history = [UInt8](repeating: 0, count: count)
      memory.size = frame.size
    }
    let before = frame.depth
    let rule = persistence.rule
    plb_filter_temporal(
      &frame.depth.meters.samples, &frame.sigmaMeters.samples, &memory.state, &memory.sigma,
      &memory.history, count, newShare, sigmas, rule.window, rule.needed)
    return frame.finish(
      from: before, name,
      "\(newShare) of what is new within \(sigmas) σ, persistence \(persistence)")
  }
}
