import Foundation
import Plumbline
import PlumblineModel
import PlumblineSimulation
import PlumblineVerification
import PlumblineVision

/// The ± and the verdicts of `verify` on parts of real sequences.
struct RealStudy {
  let folder: String

  func print() throws {
    guard case .recording(let sequence, _) = try CaptureInput(path: folder) else { return }
    let side = sequence.boardSquareMeters ?? 0.03
    let recording = try BoardRecordingReader(.search(squareMeters: side), threads: 2)
      .read(sequence)
    let all = recording.frames.filter {
      $0.view.corners.count >= CalibrationVerification.minimumCorners
    }
    Swift.print("\n\(folder): \(all.count) frames with a board")
    let whole = try CalibrationVerification(all, frameCount: all.count)
    // What moved is left out once, by all frames.
    let kept = whole.frames
    var parts: [(name: String, sets: [[BoardFrame]])] = []
    let half = kept.count / 2
    parts.append(("contiguous halves", [Array(kept[..<half]), Array(kept[half...])]))
    for count in 3...5 {
      parts.append(
        (
          "contiguous \(count)ths",
          (0..<count).map { Array(kept[$0 * kept.count / count..<($0 + 1) * kept.count / count]) }
        ))
    }
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<10 {
      let order = kept.indices.map { ($0, generator.next()) }.sorted { $0.1 < $1.1 }.map(\.0)
      parts.append(
        (
          "random halves",
          [order[..<half].sorted(), order[half...].sorted()].map { $0.map { kept[$0] } }
        ))
    }
    try compare(parts)
    for length in [5, 10, 20] where length <= kept.count {
      try windows(kept, length)
    }
  }

  /// Parts of one sequence against each other: their differences hold no truth, only their scatter.
  private func compare(_ parts: [(name: String, sets: [[BoardFrame]])]) throws {
    var tallies: [String: CoverageTally] = [:]
    var chi: [String: (sum: Double, freedom: Int)] = [:]
    for (name, sets) in parts {
      let measured = try sets.compactMap {
        try CalibrationVerification($0, frameCount: $0.count).measured
      }
      for (index, first) in measured.enumerated() {
        for second in measured[(index + 1)...] {
          let (a, b) = (first.sigma, second.sigma)
          let one = (a.plusMinus * a.plusMinus + b.plusMinus * b.plusMinus).squareRoot()
          let (a2, b2) = (a.plusMinus(normal: 2), b.plusMinus(normal: 2))
          let kind = name.hasPrefix("contiguous") ? "contiguous parts, all" : "random parts, all"
          for group in [name, kind] {
            tallies[group, default: CoverageTally()].add(
              first.focal - second.focal, one: one, two: (a2 * a2 + b2 * b2).squareRoot())
          }
        }
      }
      guard measured.count > 1 else { continue }
      let weights = measured.map { 1 / ($0.sigma.plusMinus * $0.sigma.plusMinus) }
      let mean =
        zip(weights, measured).reduce(0) { $0 + $1.0 * $1.1.focal } / weights.reduce(0, +)
      let sum = zip(weights, measured).reduce(0) {
        $0 + $1.0 * ($1.1.focal - mean) * ($1.1.focal - mean)
      }
      let before = chi[name] ?? (0, 0)
      chi[name] = (before.sum + sum, before.freedom + measured.count - 1)
    }
    for name in tallies.keys.sorted() {
      let ratio = chi[name].map { sum, freedom in
        String(format: ", χ²/dof %.2f", sum / Double(max(freedom, 1)))
      }
      Swift.print("  \(name): \(tallies[name]?.text ?? "–")\(ratio ?? "")")
    }
  }

  /// Verdicts over windows of consecutive frames, as claimed and with the claim scaled.
  private func windows(_ frames: [BoardFrame], _ length: Int) throws {
    for scale in [1.0, 1.02, 0.98] {
      var verdicts: [String: Int] = [:]
      var worst = 0.0
      for start in stride(from: 0, through: frames.count - length, by: max(1, length / 5)) {
        let window = frames[start..<start + length].map { frame in
          var frame = frame
          frame.factory?.intrinsics.focalLength *= scale
          return frame
        }
        let verification = try CalibrationVerification(Array(window), frameCount: length)
        verdicts[verification.verdict.rawValue, default: 0] += 1
        if let share = verification.factoryDepth?.length?.share { worst = max(worst, abs(share)) }
      }
      let texts = verdicts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      Swift.print(
        "  windows of \(length), claim × \(scale): \(texts.joined(separator: ", ")); "
          + String(format: "lengths by the claim at most %.1f %% off", 100 * worst))
    }
  }
}
