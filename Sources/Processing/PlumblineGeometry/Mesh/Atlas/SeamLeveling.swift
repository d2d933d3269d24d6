/// Adds one color to each region of the same frame so that regions agree along their seams.
///
/// It minimizes Σ ℓ ‖(c₁ + o₁) − (c₂ + o₂)‖² + μ Σ ‖o‖² over the offsets *o*: a term for each edge of
/// length ℓ between two regions, with the colors that their frames show at its middle. The second sum,
/// with μ a thousandth of a region's seams, keeps the mean brightness where it is.
///
/// - Source: V. Lempitsky and D. Ivanov, *Seamless mosaicing of image-based texture maps*, CVPR 2007,
///   section 4, with one offset for each region instead of one for each vertex: where ``SeamCorrections`` begins.
struct SeamLeveling {
  /// One edge between two regions.
  struct Seam {
    var first: Int
    var second: Int
    var length: Double
    /// The second region's color less the first one's.
    var difference: SIMD3<Double>
  }

  /// Sweeps of Gauss-Seidel at most; each halves what is left in layouts of ordinary scans.
  private static let maximumSweeps = 500
  /// A hundredth of a code changes no pixel.
  private static let toleranceCodes = 0.01

  /// The offset of each region, in codes; at most 64, since more is another light or a wrong pose.
  static func offsets(_ seams: [Seam], regionCount: Int) -> [SIMD3<Double>] {
    var lists = [[(other: Int, length: Double, difference: SIMD3<Double>)]](
      repeating: [], count: regionCount)
    for seam in seams {
      lists[seam.first].append((seam.second, seam.length, seam.difference))
      lists[seam.second].append((seam.first, seam.length, -seam.difference))
    }
    let sums = lists.map { $0.reduce(0) { $0 + $1.length } * 1.001 }
    var offsets = [SIMD3<Double>](repeating: .zero, count: regionCount)
    for _ in 0..<maximumSweeps {
      var change = 0.0
      for region in 0..<regionCount where sums[region] > 0 {
        var sum = SIMD3<Double>.zero
        for (other, length, difference) in lists[region] {
          sum += length * (difference + offsets[other])
        }
        let next = sum / sums[region]
        let step = next - offsets[region]
        change = max(change, max(abs(step.x), max(abs(step.y), abs(step.z))))
        offsets[region] = next
      }
      if change < toleranceCodes { break }
    }
    let limit = SIMD3<Double>(repeating: 64)
    return offsets.map { $0.clamped(lowerBound: -limit, upperBound: limit) }
  }

  /// The number of each triangle's region: neighbors of one label have one; −1 without a label.
  static func regions(
    _ labels: [Int32], _ neighbors: TriangleNeighbors
  ) -> (numbers: [Int32], count: Int) {
    var numbers = [Int32](repeating: -1, count: labels.count)
    var count: Int32 = 0
    for seed in labels.indices where numbers[seed] < 0 && labels[seed] != FrameChoice.none {
      numbers[seed] = count
      var pending = [seed]
      while let triangle = pending.popLast() {
        for edge in 0..<3 {
          guard let other = neighbors.across(triangle, edge: edge), numbers[other] < 0,
            labels[other] == labels[seed]
          else { continue }
          numbers[other] = count
          pending.append(other)
        }
      }
      count += 1
    }
    return (numbers, Int(count))
  }
}
