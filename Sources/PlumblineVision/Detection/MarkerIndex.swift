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
