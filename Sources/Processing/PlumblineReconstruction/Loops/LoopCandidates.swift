internal import PlumblineModel

/// Which pairs of keyframes are likely to see the same surface after the camera went away and came back.
struct LoopCandidates: Sendable {
  /// A pair of keyframes by their places.
  struct Pair: Hashable, Sendable {
    /// The earlier one.
    var a: Int
    /// The later one.
    var b: Int
  }

  /// The way between two keyframes of a pair, at least: 1 m, or a turn of a radian.
  static let minimumLength = 1.0
  /// The share of the points of each that the other one sees where it is expected.
  static let minimumOverlap = 0.35
  /// Pairs are looked for with the poses off by as many standard deviations.
  static let reachSigmas = 3.0
  /// Within this share of its depth a point meets the surface of the other frame.
  static let depthShare = 0.05

  private let keyframes: [Keyframe]
  /// Some points of each keyframe, in the axes of its camera.
  private let points: [[SIMD3<Double>]]

  /// Takes some points of each keyframe; O(keyframes).
  init(_ keyframes: [Keyframe]) {
    self.keyframes = keyframes
    points = keyframes.map { $0.frame.somePoints }
  }

  /// The best pairs of each scale of the way between them.
  ///
  /// The way between both counts in octaves: 1 to 2 m, 2 to 4 m and so on, a radian as a meter. In each octave the pairs
  /// of most overlap are taken, their later keyframes 1/32 of the octave apart. So any place on the path is
  /// spanned by at most some 32 pairs of each octave, and the cost of the graph stays linear in the path.
  ///
  /// - Parameters:
  ///   - poses: The present poses of the keyframes.
  ///   - groups: Pairs have keyframes of one group, in whose world the poses are.
  ///   - known: Pairs that are not tried again.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: Pairs, ascending. Cost: O(keyframes²) distances, O(points) for those that are near.
  func pairs(
    poses: [RigidTransform], groups: [Int], known: Set<Pair>, threads: Int
  ) -> [Pair] {
    var found = [[(pair: Pair, octave: Int, overlap: Double)]](
      repeating: [], count: keyframes.count)
    found.withUnsafeMutableBufferPointer { found in
      forEachConcurrently(keyframes.count, threads: threads) { b in
        for a in 0..<b where groups[a] == groups[b] {
          let length = PoseDrift.between(keyframes[a], keyframes[b]).length
          guard length >= Self.minimumLength,
            let overlap = overlap(a, b, poses[a].inverse * poses[b]),
            overlap >= Self.minimumOverlap
          else { continue }
          found[b].append((Pair(a: a, b: b), Int(length / Self.minimumLength).octave, overlap))
        }
      }
    }
    return chosen(found.flatMap { $0 }, known: known)
  }

  /// The pairs of most overlap in each octave, apart.
  private func chosen(
    _ found: [(pair: Pair, octave: Int, overlap: Double)], known: Set<Pair>
  ) -> [Pair] {
    var pairs: [Pair] = []
    let octaves = Dictionary(grouping: found, by: \.octave)
    for (octave, candidates) in octaves.sorted(by: { $0.key < $1.key }) {
      let apart = Self.minimumLength * Double(1 << octave) / 32
      var places: [Double] = []
      let sorted = candidates.sorted {
        ($1.overlap, $0.pair.b, $0.pair.a) < ($0.overlap, $1.pair.b, $1.pair.a)
      }
      for candidate in sorted {
        let keyframe = keyframes[candidate.pair.b]
        let place = keyframe.passedMeters + keyframe.passedRadians
        guard places.allSatisfy({ abs($0 - place) >= apart }) else { continue }
        places.append(place)
        if !known.contains(candidate.pair) { pairs.append(candidate.pair) }
      }
    }
    return pairs.sorted { ($0.b, $0.a) < ($1.b, $1.a) }
  }

  /// The share of the points of each frame that the other sees, the smaller one; `nil` where they look away.
  private func overlap(_ a: Int, _ b: Int, _ aFromB: RigidTransform) -> Double? {
    // Surfaces that are seen at more than 75° from two sides have no common normal to speak of.
    guard aFromB.rotation.z.z > 0.26 else { return nil }
    let drift = PoseDrift.between(keyframes[a], keyframes[b])
    let slack = Self.reachSigmas * drift.sigmaMeters
    // The drift of the rotation moves pixels, and depths by as much where surfaces lean by 45°.
    let turn = Self.reachSigmas * drift.sigmaRadians
    let there = share(of: b, in: a, aFromB, slack, turn)
    guard there >= Self.minimumOverlap else { return nil }
    return min(there, share(of: a, in: b, aFromB.inverse, slack, turn))
  }

  private func share(
    of b: Int, in a: Int, _ aFromB: RigidTransform, _ slack: Double, _ turn: Double
  ) -> Double {
    let frame = keyframes[a].frame
    let (width, height) = (Double(frame.depth.size.width), Double(frame.depth.size.height))
    var seen = 0
    for point in points[b] {
      let pointInA = aFromB * point
      guard pointInA.z > 0 else { continue }
      let pixel = frame.camera.project(pointInA)
      guard pixel.x >= 0, pixel.y >= 0, pixel.x < width, pixel.y < height else { continue }
      let depth = Double(frame.depth.meters[Int(pixel.x), Int(pixel.y)])
      let limit = slack + (Self.depthShare + turn) * pointInA.z
      if depth > 0, abs(depth - pointInA.z) <= limit { seen += 1 }
    }
    return points[b].isEmpty ? 0 : Double(seen) / Double(points[b].count)
  }
}

extension Int {
  /// The whole part of the logarithm to the base of 2 of a number above 0.
  fileprivate var octave: Int { bitWidth - 1 - leadingZeroBitCount }
}

extension ScanFrame {
  /// The measured points of a grid of 16 columns, in the axes of the camera.
  fileprivate var somePoints: [SIMD3<Double>] {
    let step = max(1, depth.size.width / 16)
    var points: [SIMD3<Double>] = []
    for y in stride(from: step / 2, to: depth.size.height, by: step) {
      for x in stride(from: step / 2, to: depth.size.width, by: step) {
        let z = Double(depth.meters[x, y])
        let noise = noiseMeters[x, y]
        guard z > 0, z.isFinite, noise > 0, noise.isFinite else { continue }
        points.append(camera.unproject([Double(x), Double(y)], depth: z))
      }
    }
    return points
  }
}
