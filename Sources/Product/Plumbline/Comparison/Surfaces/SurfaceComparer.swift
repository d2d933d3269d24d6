import PlumblineModel
import PlumblineVerification

/// Compares two surfaces: distances both ways, with what the ± of both explain of them.
public struct SurfaceComparer: Sendable {
  /// How a comparison is made.
  public struct Settings: Sendable, Hashable {
    /// Whether the second surface is laid on the first one before.
    public var isAligned = false
    /// The tolerances that shares are stated for, in meters, each above 0.
    public var tolerancesMeters: [Double] = []
    /// The number of places on each surface, above 0.
    public var sampleCount = 100_000
    /// The most threads; results do not depend on it.
    public var threads = 2

    /// The usual settings.
    public init() {}
  }

  private let settings: Settings
  /// Places that an alignment is found by.
  private static let alignmentSamples = 5000

  /// Creates a comparer.
  public init(_ settings: Settings = Settings()) { self.settings = settings }

  /// Compares two meshes or clouds; of a cloud each point counts.
  ///
  /// - Parameters:
  ///   - first: The one that stays where it is.
  ///   - second: The other one.
  /// - Returns: The comparison.
  /// - Throws: ``SurfaceComparisonError``. Cost: a tree of the triangles of each, and a search for each
  ///   place.
  public func compare(
    _ first: MeasurableCloud, _ second: MeasurableCloud
  ) throws(SurfaceComparisonError) -> SurfaceComparisonResult {
    for cloud in [first, second] where cloud.isRelative {
      throw .relative(cloud.fileName)
    }
    let (a, b) = (try Self.surface(first), try Self.surface(second))
    let index = SurfaceIndex.build(a, threads: settings.threads)
    var moved = b
    var alignment: SurfaceAlignment?
    if settings.isAligned {
      let samples = SurfaceSamples.spread(over: b, count: Self.alignmentSamples)
      guard
        let found = SurfaceAlignment.align(
          samples, to: a, by: index, threads: settings.threads)
      else { throw .notAligned }
      alignment = found
      moved = b.moved(by: found.firstFromSecond)
    }
    let tolerances =
      settings.tolerancesMeters.isEmpty
      ? SurfaceDifference.usualTolerances : settings.tolerancesMeters
    func compared(
      _ one: MeasurableMesh, _ other: MeasurableMesh, _ index: SurfaceIndex, isMesh: Bool
    ) -> SurfaceDifference? {
      SurfaceDifference.compare(
        SurfaceSamples.spread(over: one, count: settings.sampleCount), with: other, by: index,
        isClosed: isMesh && other.openEdgeCount == 0, tolerances: tolerances,
        threads: settings.threads)
    }
    guard let back = compared(moved, a, index, isMesh: first.surface != nil),
      let ahead = compared(
        a, moved, SurfaceIndex.build(moved, threads: settings.threads),
        isMesh: second.surface != nil)
    else { throw .empty(first.fileName) }
    return SurfaceComparisonResult(
      first: first, second: second, firstToSecond: ahead, secondToFirst: back,
      alignment: alignment, moved: moved, index: index, threads: settings.threads)
  }

  /// The triangles of a mesh; each finite point of a cloud as one without area.
  private static func surface(
    _ cloud: MeasurableCloud
  ) throws(SurfaceComparisonError) -> MeasurableMesh {
    if let surface = cloud.surface { return surface }
    var positions: [SIMD3<Double>] = []
    var sigmas: [Double] = []
    for index in 0..<cloud.points.count {
      let point = cloud.points[index]
      guard (point.x + point.y + point.z).isFinite else { continue }
      positions.append(point)
      sigmas.append(cloud.sigma(index) ?? .nan)
    }
    guard !positions.isEmpty else { throw .empty(cloud.fileName) }
    return MeasurableMesh.prepared(
      positions: positions, triangles: positions.indices.map { SIMD3(repeating: Int32($0)) },
      sigmas: cloud.hasSigma ? sigmas : nil)
  }
}

/// Why two surfaces cannot be compared.
public enum SurfaceComparisonError: CategorizedError, Sendable, Hashable {
  /// A file of a relative map, which has no lengths.
  case relative(String)
  /// A file without a finite point or triangle.
  case empty(String)
  /// The shapes decide no motion.
  case notAligned

  /// The file cannot be used, or for an alignment the shapes cannot.
  public var category: FailureCategory { .unusableInput }
}

extension SurfaceComparisonError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String {
    switch self {
    case .relative(let name):
      "\(printable(text: name)) is of a relative map, whose scale is not known: it has no distances"
    case .empty(let name): "\(printable(text: name)) has no finite point"
    case .notAligned:
      "the second surface cannot be laid on the first one: their shapes leave a motion open, as "
        + "planes and spheres do, or they have too few places"
    }
  }
}
