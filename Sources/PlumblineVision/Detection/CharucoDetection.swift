internal import PlumblineModel

/// Finds one ChArUco board in images.
struct CharucoDetection: Sendable {
  let board: Board
  private let pattern: CharucoPattern
  private let side: Int
  private let index: MarkerIndex

  /// A board with its own layout, and with the other where that makes a difference.
  private let candidates: [Board]

  /// Prepares for a board; O(*n*) of its markers.
  init(board: Board, pattern: CharucoPattern) {
    self.board = board
    self.pattern = pattern
    let dictionary = MarkerDictionary(pattern.dictionary)
    side = dictionary.side
    // A board of an odd number of squares has one more white square in one of the layouts.
    let most = (board.columns * board.rows + 1) / 2
    let (end, overflows) = pattern.firstMarker.addingReportingOverflow(most)
    index = MarkerIndex(dictionary, ids: pattern.firstMarker..<(overflows ? .max : end))
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
    var cornerCount: Int { grid.corners.count { $0 != nil } }
  }

  /// The board in an image, or `nil` when it is not seen or its layout stays open.
  func sighting(in luma: Raster<UInt8>) -> Sighting? {
    guard let (board, graph, isMirrored) = arrangement(markers(in: luma)) else { return nil }
    let start = BoardGrid(board: board, markerShare: min(graph.markerShare, 0.98), graph: graph)
    let grid = CharucoCorners(luma: luma).corners(of: start)
    let sighting = Sighting(grid: grid, isMirrored: isMirrored)
    return sighting.cornerCount >= 4 ? sighting : nil
  }

  /// Markers of the board as read straight and as a mirror shows them.
  private func markers(in luma: Raster<UInt8>) -> (straight: [FoundMarker], mirrored: [FoundMarker]) {
    let reader = MarkerReader(side: side)
    var straight: [FoundMarker] = []
    var mirrored: [FoundMarker] = []
    for quad in QuadFinder().quads(in: luma) {
      guard let code = reader.code(of: quad, in: luma) else { continue }
      for isMirrored in [false, true] {
        guard let match = index.match(code, isMirrored: isMirrored),
          let marker = FoundMarker(
            id: match.id, corners: match.cornersOfMarker(quad.corners), wrongCells: match.wrongCells)
        else { continue }
        if isMirrored { mirrored.append(marker) } else { straight.append(marker) }
      }
    }
    return (straight, mirrored)
  }

  /// The handedness and layout under which most neighbors agree.
  private func arrangement(
    _ markers: (straight: [FoundMarker], mirrored: [FoundMarker])
  ) -> (Board, MarkerGraph, isMirrored: Bool)? {
    var best: (Board, MarkerGraph, isMirrored: Bool)?
    var second = 0
    for (group, isMirrored) in [(markers.straight, false), (markers.mirrored, true)] {
      for candidate in candidates {
        let graph = MarkerGraph(group) { id in
          candidate.square(ofMarker: id).map { SIMD2($0.column, $0.row) }
        }
        guard graph.markers.count >= 2 else { continue }
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
