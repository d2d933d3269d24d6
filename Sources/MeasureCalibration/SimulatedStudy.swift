import Dispatch
import Foundation
import PlumblineModel
import PlumblineSimulation
import PlumblineVerification
import PlumblineVision
import Synchronization

/// The ± and the verdicts of `verify` on devices of which everything is known.
struct SimulatedStudy: Sendable {
  var seeds: Range<Int>
  static let counts = [5, 10, 20, 40]
  static let correlations = [0.0, 3, 8]
  /// The factory's focal length over the true one, minus 1: sound devices and two faults.
  static let faults = [0.0, 0.02, -0.02, 0.06]

  /// What one group of runs came to.
  struct Group: Sendable {
    var tallies: [String: CoverageTally] = [:]
    var verdicts: [String: Int] = [:]

    mutating func add(_ other: Group) {
      for (name, tally) in other.tallies { tallies[name, default: CoverageTally()].add(tally) }
      verdicts.merge(other.verdicts) { $0 + $1 }
    }
  }

  /// Runs everything on two threads and prints the tables.
  func print() {
    let groups = Mutex<[String: Group]>([:])
    let seeds = Array(self.seeds)
    DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
      let found = Self.run(seed: UInt64(seeds[index]))
      groups.withLock { groups in
        for (name, group) in found { groups[name, default: Group()].add(group) }
      }
    }
    let all = groups.withLock { $0 }
    Swift.print("\nshare within ± / within the 95.4 % width (values; median error in ±)")
    for name in all.keys.sorted() {
      guard let group = all[name], !group.tallies.isEmpty else { continue }
      Swift.print("\(name)")
      for quantity in group.tallies.keys.sorted() {
        Swift.print("  \(quantity): \(group.tallies[quantity]?.text ?? "–")")
      }
    }
    Swift.print("\nverdicts")
    for name in all.keys.sorted() {
      guard let group = all[name], !group.verdicts.isEmpty else { continue }
      let texts = group.verdicts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      Swift.print("\(name): \(texts.joined(separator: ", "))")
    }
  }

  /// One seed: one device kind, one length and one memory of the sequence, by turns; each fault.
  private static func run(seed: UInt64) -> [String: Group] {
    var result: [String: Group] = [:]
    let kinds = SimulatedDevice.Kind.allCases
    let kind = kinds[Int(seed) % kinds.count]
    let count = counts[Int(seed) / kinds.count % counts.count]
    let correlation = correlations[Int(seed) / (kinds.count * counts.count) % correlations.count]
    for fault in faults {
      var generator = SeededGenerator(seed: seed &* 977 &+ 5)
      let device = SimulatedDevice(kind, fault: fault, &generator)
      let sequence = HandheldSequence(count: count, correlation: correlation)
      let frames = sequence.frames(of: device, &generator)
      guard let verification = try? CalibrationVerification(frames, frameCount: count) else {
        continue
      }
      var group = Group()
      group.verdicts[verification.verdict.rawValue] = 1
      let name = fault == 0 ? "sound" : String(format: "fault %+.0f %%", 100 * fault)
      result["verdict, \(name), \(count) frames", default: Group()].add(group)
      result["verdict, \(name), all", default: Group()].add(group)
      if fault != 0 { continue }
      var coverage = Group()
      coverage.tallies = tallies(verification, device)
      for name in ["all", "frames \(count)", "memory \(Int(correlation))", "lens \(kind.rawValue)"]
      {
        result[name, default: Group()].add(coverage)
      }
    }
    return result
  }

  private static func tallies(
    _ verification: CalibrationVerification, _ device: SimulatedDevice
  ) -> [String: CoverageTally] {
    var tallies: [String: CoverageTally] = [:]
    guard let measured = verification.measured else { return [:] }
    let sigma = measured.sigma
    let truth = device.truth.intrinsics
    tallies["focal length", default: CoverageTally()].add(
      measured.focal - truth.focalLength.x, one: sigma.plusMinus,
      two: sigma.plusMinus(normal: 2))
    if let center = measured.fit.centerSigma {
      let away = measured.camera.intrinsics.principalPoint - truth.principalPoint
      for axis in 0..<2 {
        tallies["principal point", default: CoverageTally()].add(
          away[axis], one: center[axis], two: 2 * center[axis])
      }
    }
    if let length = verification.measuredDepth?.length {
      tallies["lengths", default: CoverageTally()].add(
        length.share, one: length.sigmaShare, two: 2 * length.sigmaShare)
    }
    if let depth = verification.measuredDepth {
      // What is left once the sensor's own scale is known; the board's own is not.
      let error = depth.differences.median - (device.depthScale - 1) * depth.distanceMeters
      tallies["sensor − board", default: CoverageTally()].add(
        error, one: depth.differenceSigmaMeters, two: 2 * depth.differenceSigmaMeters)
    }
    if let projection = verification.projection {
      let field = ProjectionError(measured.camera, truth: device.truth)
      for (name, share) in [("pixel at half radius", 0.5), ("pixel at the border", 0.9)] {
        for step in 0..<4 {
          guard let (error, one) = field.radial(share, step, projection) else { continue }
          tallies[name, default: CoverageTally()].add(error, one: one, two: 2 * one)
        }
      }
    }
    return tallies
  }
}
