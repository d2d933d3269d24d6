internal import PlumblineModel

/// Finds one ChArUco board in images.
struct CharucoDetection: Sendable {
  let board: Board
  private let pattern: CharucoPattern
  private let side: Int
  private let index: MarkerIndex
  private let profiles: MarkerProfiles

  /// A board with its own layout, and with the other where that makes a difference.
  private let candidates: [Board]

  /// Prepares for a board; O(*n*) of its markers.
  init(board: Board, pattern: CharucoPattern) {
    self.board = board
    self.pattern = pattern
    let dictionary = MarkerDictionary(pattern.dictionary)
    side = dictionary.side
    // A board of an odd number of squares has one more white square in one of the layouts.
    let most = board.columns.multipliedReportingOverflow(by: board.rows).partialValue / 2 &+ 1
    let (end, overflows) = pattern.firstMarker.addingReportingOverflow(most)
    let ids = pattern.firstMarker..<(overflows || most < 0 ? .max : end)
    index = MarkerIndex(dictionary, ids: ids)
    profiles = MarkerProfiles(dictionary, ids: ids)
    let layouts = board.rows % 2 == 0 ? CharucoPattern.Layout.allCases : [pattern.layout]
    candidates = layouts.map { layout in
      var candidate = board
      var changed = pattern
      changed.layout = layout
      candidate.pattern = .charuco(changed)
      return candidate
    }
  }

  /// What an image shows of the board.
  struct Sighting {
    var grid: BoardGrid
    var isMirrored: Bool
    /// The number of markers that agree.
    var markerCount: Int
    var cornerCount: Int { grid.corners.count { $0 != nil } }
  }

  /// The board in an image.
  ///
  /// - Parameters:
  ///   - luma: The image, 16 pixels or more each way.
  ///   - brightPercent: Where between dark and bright the limit of dark shapes lies.
  /// - Returns: `nil` when the board is not seen or its layout stays open.
  func sighting(in luma: Raster<UInt8>, brightPercent: Int = 50) -> Sighting? {
    let quads = QuadFinder(brightPercent: brightPercent).quads(in: luma)
    guard quads.count >= 2 else { return nil }
    return sighting(of: markers(quads, in: luma), leastMarkers: 2, refusesStrays: true, in: luma)
      // Blur mixes cells: what no limit separates still resembles one marker more than others.
      ?? sighting(of: resemblances(quads, in: luma), leastMarkers: 5, in: luma)
  }

  private func sighting(
    of markers: Readings, leastMarkers: Int, refusesStrays: Bool = false, in luma: Raster<UInt8>
  ) -> Sighting? {
    guard let (board, graph, isMirrored) = arrangement(markers, leastMarkers: leastMarkers) else {
      return nil
    }
    if refusesStrays {
      // Of another number of columns only a row or two agree: most markers lie in wrong positions
      // then.
      let read = isMirrored ? markers.mirrored : markers.straight
      let sure = Set(read.lazy.filter { $0.wrongCells == 0 }.map(\.id))
      guard graph.markers.count * 2 >= sure.count else { return nil }
    }
    let start = BoardGrid(board: board, markerShare: min(graph.markerShare, 0.98), graph: graph)
    let grid = CharucoCorners(luma: luma).corners(of: start)
    let sighting = Sighting(grid: grid, isMirrored: isMirrored, markerCount: graph.markers.count)
    return sighting.cornerCount >= 4 ? sighting : nil
  }

  /// Markers of the board as read straight and as a mirror shows them.
  private struct Readings {
    var straight: [FoundMarker] = []
    var mirrored: [FoundMarker] = []
    private static let most = 2000

    mutating func add(_ match: MarkerMatch, _ quad: Quad) {
      guard
        let marker = FoundMarker(
          id: match.id, corners: match.cornersOfMarker(quad.corners), wrongCells: match.wrongCells)
      else { return }
      // Each is compared with each other: more than a board has are a trap.
      if match.isMirrored {
        if mirrored.count < Self.most { mirrored.append(marker) }
      } else if straight.count < Self.most {
        straight.append(marker)
      }
    }
  }

  /// Quads whose cells are a marker's.
  private func markers(_ quads: [Quad], in luma: Raster<UInt8>) -> Readings {
    let reader = MarkerReader(side: side)
    var result = Readings()
    for quad in quads {
      guard let code = reader.code(of: quad, in: luma) else { continue }
      for isMirrored in [false, true] {
        if let match = index.match(code, isMirrored: isMirrored) { result.add(match, quad) }
      }
    }
    return result
  }

  /// The markers that quads resemble most, several for each: their neighbors decide.
  private func resemblances(_ quads: [Quad], in luma: Raster<UInt8>) -> Readings {
    let reader = MarkerReader(side: side)
    var result = Readings()
    var count = 0
    for quad in quads {
      guard let profile = reader.profile(of: quad, in: luma) else { continue }
      let matches = profiles.nearest(to: profile)
      for match in matches { result.add(match, quad) }
      count += matches.isEmpty ? 0 : 1
      // Each is compared with each other: more quads than boards have are texture.
      if count == Self.mostResemblances { break }
    }
    return result
  }

  /// How many quads are compared with each other.
  private static let mostResemblances = 150

  /// The handedness and layout under which most neighbors agree.
  private func arrangement(
    _ markers: Readings, leastMarkers: Int
  ) -> (Board, MarkerGraph, isMirrored: Bool)? {
    var best: (Board, MarkerGraph, isMirrored: Bool)?
    var second = 0
    for (group, isMirrored) in [(markers.straight, false), (markers.mirrored, true)] {
      for candidate in candidates {
        let graph = MarkerGraph(group) { id in
          candidate.square(ofMarker: id).map { SIMD2($0.column, $0.row) }
        }
        guard graph.markers.count >= leastMarkers else { continue }
        if graph.agreements > best?.1.agreements ?? 0 {
          second = best?.1.agreements ?? 0
          best = (candidate, graph, isMirrored)
        } else {
          second = max(second, graph.agreements)
        }
      }
    }
    guard let best, best.1.agreements > second else { return nil }
    return best
  }
}
