import PlumblineModel
import PlumblineVerification

/// Which parts of the image and which tilts of the board the selected frames show.
public struct BoardCoverage: Sendable, Hashable {
  /// The number of regions along the width of the image as shown.
  public static let columns = 4
  /// The number of regions along its height.
  public static let rows = 3
  /// How many corners of one frame must lie in a region for it to count as seen.
  static let cornersPerRegion = 3

  /// Whether each region was seen, row after row, as the image is shown.
  public private(set) var regions = [Bool](repeating: false, count: columns * rows)
  /// The tilts that were seen.
  public private(set) var tilts: Set<BoardTilt> = []

  /// Nothing was seen yet.
  init() {}

  /// Whether every region and every tilt was seen.
  public var isComplete: Bool {
    regions.allSatisfy { $0 } && tilts.count == BoardTilt.allCases.count
  }

  /// The regions that an observation shows.
  static func regions(of observation: BoardObservation) -> Set<Int> {
    var counts: [Int: Int] = [:]
    for corner in observation.corners {
      let column = min(max(Int(corner.x * Double(columns)), 0), columns - 1)
      let row = min(max(Int(corner.y * Double(rows)), 0), rows - 1)
      counts[row * columns + column, default: 0] += 1
    }
    return Set(counts.filter { $0.value >= cornersPerRegion }.keys)
  }

  /// Whether an observation shows a region or a tilt that no selected frame shows.
  func isExtended(by observation: BoardObservation) -> Bool {
    if let tilt = observation.tilt, !tilts.contains(tilt) { return true }
    return Self.regions(of: observation).contains { !regions[$0] }
  }

  /// Adds a selected frame.
  mutating func add(_ observation: BoardObservation) {
    if let tilt = observation.tilt { tilts.insert(tilt) }
    for region in Self.regions(of: observation) { regions[region] = true }
  }

  /// The first tilt that is missing.
  var missingTilt: BoardTilt? { BoardTilt.allCases.first { !tilts.contains($0) } }

  /// The words for the first region that is missing, such as `the upper left`.
  var missingRegion: String? {
    guard let index = regions.firstIndex(of: false) else { return nil }
    let row = ["upper", "middle", "lower"][index / Self.columns]
    let column = ["far left", "left", "right", "far right"][index % Self.columns]
    return "the \(row) \(column)"
  }
}
