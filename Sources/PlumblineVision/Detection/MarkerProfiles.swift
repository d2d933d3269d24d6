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
