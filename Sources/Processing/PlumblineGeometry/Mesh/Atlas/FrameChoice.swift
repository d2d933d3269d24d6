/// Which frame each triangle takes its color from.
struct FrameChoice {
  /// The frame of a triangle that no frame shows.
  static let none: Int32 = -1
  /// The best frames of a triangle that are remembered, so that memory does not grow with frames.
  private static let candidateCount = 4
  /// How much better a frame counts for each neighbor that has it.
  ///
  /// With 0.3 a frame of two thirds of the best score wins when all three neighbors have it: seams cost
  /// more than some resolution.
  private static let neighborShare: Float = 0.3
  /// Rounds of smoothing; most triangles settle in the first three.
  private static let rounds = 8

  private var frames: [Int32]
  private var scores: [Float]

  init(triangleCount: Int) {
    frames = Array(repeating: Self.none, count: triangleCount * Self.candidateCount)
    scores = Array(repeating: 0, count: triangleCount * Self.candidateCount)
  }

  /// Remembers a frame if it is among the best of the triangle; of equal ones the earlier.
  mutating func offer(_ frame: Int, score: Float, to triangle: Int) {
    var place = (triangle + 1) * Self.candidateCount - 1
    let first = triangle * Self.candidateCount
    guard score > scores[place] else { return }
    while place > first, score > scores[place - 1] {
      scores[place] = scores[place - 1]
      frames[place] = frames[place - 1]
      place -= 1
    }
    scores[place] = score
    frames[place] = Int32(frame)
  }

  /// The frame of each triangle: the best score, raised where neighbors have the same frame.
  ///
  /// Triangles are visited in their order until nothing changes (iterated conditional modes).
  ///
  /// - Source: J. Besag, *Journal of the Royal Statistical Society B* 48, 1986; the idea of a label for
  ///   each face is that of V. Lempitsky and D. Ivanov, *Seamless mosaicing of image-based texture
  ///   maps*, CVPR 2007.
  func labels(_ neighbors: TriangleNeighbors) -> [Int32] {
    let triangleCount = frames.count / Self.candidateCount
    var labels = (0..<triangleCount).map { frames[$0 * Self.candidateCount] }
    for _ in 0..<Self.rounds {
      var hasChanged = false
      for triangle in 0..<triangleCount where labels[triangle] != Self.none {
        var best = (label: labels[triangle], value: -Float.infinity)
        for candidate in triangle * Self.candidateCount..<(triangle + 1) * Self.candidateCount {
          guard frames[candidate] != Self.none else { break }
          var value = scores[candidate]
          for edge in 0..<3 {
            if let other = neighbors.across(triangle, edge: edge),
              labels[other] == frames[candidate]
            {
              value += Self.neighborShare * scores[candidate]
            }
          }
          if value > best.value { best = (frames[candidate], value) }
        }
        if best.label != labels[triangle] {
          labels[triangle] = best.label
          hasChanged = true
        }
      }
      if !hasChanged { break }
    }
    return labels
  }
}
