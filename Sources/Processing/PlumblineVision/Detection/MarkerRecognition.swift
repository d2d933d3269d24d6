/// A marker that a code was recognized as.
struct MarkerMatch: Hashable {
  /// The marker's number.
  var id: Int
  /// By how many quarter turns clockwise the cells were turned when read.
  var turns: Int
  /// Whether the cells were read as a mirror shows them.
  var isMirrored: Bool
  /// The number of cells that differ from the marker's code.
  var wrongCells: Int

  /// The quad's corners in the marker's order: top-left, top-right, bottom-right, bottom-left.
  func cornersOfMarker(_ corners: [SIMD2<Double>]) -> [SIMD2<Double>] {
    // A mirror exchanges left and right before the marker is turned.
    let order = isMirrored ? [1, 0, 3, 2] : [0, 1, 2, 3]
    return order.map { corners[($0 + turns) % 4] }
  }
}

/// Recognizes codes of some markers of a dictionary, in four rotations, straight and mirrored.
struct MarkerIndex {
  private var straight = Side()
  private var mirrored = Side()
  private let correction: Int

  /// Indexes the markers of the given numbers; others of the dictionary are not recognized.
  ///
  /// - Parameters:
  ///   - dictionary: The set.
  ///   - ids: Those of them that may be met; numbers that the set does not have are left out.
  ///   - correction: The most wrong cells; those of the set when `nil`.
  init(_ dictionary: MarkerDictionary, ids: Range<Int>? = nil, correction: Int? = nil) {
    self.correction = correction ?? dictionary.maxCorrectionBits
    for id in (ids ?? 0..<dictionary.count).clamped(to: 0..<dictionary.count) {
      let word = dictionary.bits(of: id)
      straight.add(word, id: id, side: dictionary.side)
      mirrored.add(
        MarkerCode.mirrored(word, side: dictionary.side), id: id, side: dictionary.side)
    }
  }

  /// The marker of a code: exact ones at once, else the only nearest within the correction.
  ///
  /// - Complexity: O(1) for exact codes, else O(*n*) of the indexed markers.
  func match(_ code: UInt64, isMirrored: Bool) -> MarkerMatch? {
    let side = isMirrored ? mirrored : straight
    if let tag = side.exact[code] {
      return MarkerMatch(id: tag >> 2, turns: tag & 3, isMirrored: isMirrored, wrongCells: 0)
    }
    guard correction > 0 else { return nil }
    var (best, place, isOnly) = (correction + 1, -1, false)
    for index in side.words.indices {
      let wrong = (side.words[index] ^ code).nonzeroBitCount
      if wrong < best {
        (best, place, isOnly) = (wrong, index, true)
      } else if wrong == best {
        isOnly = false
      }
    }
    guard place >= 0, isOnly else { return nil }
    let tag = side.tags[place]
    return MarkerMatch(id: tag >> 2, turns: tag & 3, isMirrored: isMirrored, wrongCells: best)
  }

  private struct Side {
    var exact: [UInt64: Int] = [:]
    var words: [UInt64] = []
    var tags: [Int] = []

    mutating func add(_ word: UInt64, id: Int, side: Int) {
      var turned = word
      for turns in 0..<4 {
        // A marker that looks alike when turned keeps its first reading.
        if exact[turned] == nil { exact[turned] = id << 2 | turns }
        words.append(turned)
        tags.append(id << 2 | turns)
        turned = MarkerCode.turned(turned, side: side)
      }
    }
  }
}

/// A square of cells as one number: row after row, the first cell in the highest bit.
enum MarkerCode {
  /// The cells turned clockwise by a quarter turn.
  static func turned(_ word: UInt64, side: Int) -> UInt64 {
    moved(word, side: side) { column, row in (row, side - 1 - column) }
  }

  /// The cells with left and right exchanged.
  static func mirrored(_ word: UInt64, side: Int) -> UInt64 {
    moved(word, side: side) { column, row in (side - 1 - column, row) }
  }

  /// The word whose cell (column, row) is the given one's cell `from(column, row)`.
  private static func moved(
    _ word: UInt64, side: Int, from: (_ column: Int, _ row: Int) -> (column: Int, row: Int)
  ) -> UInt64 {
    let last = side * side - 1
    var result: UInt64 = 0
    for row in 0..<side {
      for column in 0..<side {
        let source = from(column, row)
        result = result << 1 | (word >> UInt64(last - (source.row * side + source.column))) & 1
      }
    }
    return result
  }
}

/// How blurred markers look, to compare levels with instead of cells with cells.
struct MarkerProfiles {
  /// The number of levels of a profile: all cells of a marker and its border.
  private let length: Int
  private var levels: [Float] = []
  private var matches: [MarkerMatch] = []

  /// The part of a neighboring cell's light that blur brings: that of a Gaussian of 0.6 cells.
  private static let spill: Float = 0.2
  /// The least correlation of a blurred marker with its own profile.
  private static let leastCorrelation: Float = 0.7
  /// How much less than the best another one may correlate to stay a candidate.
  private static let spread: Float = 0.1
  /// The candidates for one quad and one handedness.
  private static let mostCandidates = 4

  /// Blurs some markers of a dictionary, in four rotations, straight and mirrored.
  init(_ dictionary: MarkerDictionary, ids: Range<Int>) {
    let side = dictionary.side
    length = (side + 2) * (side + 2)
    for id in ids.clamped(to: 0..<dictionary.count) {
      for isMirrored in [false, true] {
        var word = dictionary.bits(of: id)
        if isMirrored { word = MarkerCode.mirrored(word, side: side) }
        for turns in 0..<4 {
          guard let profile = Self.normalized(Self.blurred(word, side: side)) else { continue }
          levels += profile
          matches.append(
            MarkerMatch(id: id, turns: turns, isMirrored: isMirrored, wrongCells: side * side))
          word = MarkerCode.turned(word, side: side)
        }
      }
    }
  }

  /// The markers whose profiles correlate best, a few for each handedness.
  ///
  /// - Precondition: The profile has as many levels as a marker has cells with its border.
  func nearest(to profile: [Float]) -> [MarkerMatch] {
    precondition(profile.count == length, "\(profile.count) levels instead of \(length)")
    var scores = [Float](repeating: 0, count: matches.count)
    levels.withUnsafeBufferPointer { levels in
      profile.withUnsafeBufferPointer { profile in
        for index in scores.indices {
          var sum: Float = 0
          for cell in 0..<length { sum += levels[index &* length &+ cell] * profile[cell] }
          scores[index] = sum
        }
      }
    }
    var result: [MarkerMatch] = []
    for isMirrored in [false, true] {
      let ranked = matches.indices.filter {
        matches[$0].isMirrored == isMirrored && scores[$0] >= Self.leastCorrelation
      }.sorted { (scores[$1], $0) < (scores[$0], $1) }
      guard let best = ranked.first else { continue }
      result += ranked.prefix(Self.mostCandidates)
        .filter { scores[$0] >= scores[best] - Self.spread }.map { matches[$0] }
    }
    return result
  }

  /// Levels without their mean and of unit length; `nil` when all are equal.
  static func normalized(_ levels: [Float]) -> [Float]? {
    let mean = levels.reduce(0, +) / Float(levels.count)
    let squared = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard squared > 0 else { return nil }
    let scale = 1 / squared.squareRoot()
    return levels.map { ($0 - mean) * scale }
  }

  /// The cells of a marker in its black border and white surroundings after blur along both axes.
  private static func blurred(_ word: UInt64, side: Int) -> [Float] {
    let cells = side + 2
    func level(_ column: Int, _ row: Int) -> Float {
      if min(column, row) < 0 || max(column, row) >= cells { return 1 }
      let inner = 1...side
      guard inner.contains(column), inner.contains(row) else { return 0 }
      return Float(word >> UInt64(side * side - 1 - ((row - 1) * side + column - 1)) & 1)
    }
    func along(_ column: Int, _ row: Int) -> Float {
      (1 - 2 * spill) * level(column, row)
        + spill * (level(column - 1, row) + level(column + 1, row))
    }
    return (0..<cells * cells).map { cell in
      let (column, row) = (cell % cells, cell / cells)
      return (1 - 2 * spill) * along(column, row)
        + spill * (along(column, row - 1) + along(column, row + 1))
    }
  }
}
