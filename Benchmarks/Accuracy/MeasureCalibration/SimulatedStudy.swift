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
  /// The factory's focal length over the true one, minus 1: 0 for sound devices.
  var faults = [0.0, 0.02, -0.02, 0.06]
  static let counts = [5, 10, 20, 40]
  static let correlations = [0.0, 3, 8]

  /// How far images of the harder world are from any radial lens at the border, in pixels: a third of
  /// what left-out corners of real devices miss by there.
  static let bendPixels = 0.1

  /// The counts of one group of runs.
  struct Group: Sendable {
    var tallies: [String: CoverageTally] = [:]
    var verdicts: [String: Int] = [:]
    /// What sound devices were wrongly accused by.
    var accusations: [String] = []

    mutating func add(_ other: Group) {
      accusations += other.accusations
      for (name, tally) in other.tallies { tallies[name, default: CoverageTally()].add(tally) }
      verdicts.merge(other.verdicts) { $0 + $1 }
    }
  }

  /// Runs everything on two threads and prints the tables.
  func print() {
    let groups = Mutex<[String: Group]>([:])
    let seeds = Array(self.seeds)
    DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
      let found = Self.run(seed: UInt64(seeds[index]), faults)
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
      for text in group.accusations.sorted() { Swift.print("  \(text)") }
    }
  }

  /// One seed: one device kind, one length and one memory of the sequence, by turns; each fault.
  private static func run(seed: UInt64, _ faults: [Double]) -> [String: Group] {
    var result: [String: Group] = [:]
    let kinds = SimulatedDevice.Kind.allCases
    let kind = kinds[Int(seed) % kinds.count]
    let count = counts[Int(seed) / kinds.count % counts.count]
    let correlation = correlations[Int(seed) / (kinds.count * counts.count) % correlations.count]
    // Every second round of all combinations is of the harder world.
    let isHarder = Int(seed) / (kinds.count * counts.count * correlations.count) % 2 == 1
    for fault in faults {
      var generator = SeededGenerator(seed: seed &* 977 &+ 5)
      let device = SimulatedDevice(
        kind, fault: fault, bendPixels: isHarder ? bendPixels : 0, &generator)
      let plain = HandheldSequence(count: count, correlation: correlation)
      let sequence = isHarder ? plain.harder : plain
      let frames = sequence.frames(of: device, &generator)
      guard let verification = try? CalibrationVerification(frames, frameCount: count) else {
        continue
      }
      var group = Group()
      group.verdicts[verification.verdict.rawValue] = 1
      if fault == 0, verification.verdict == .doesNotFit {
        group.accusations = [accusation(seed, verification, device)]
      }
      let name = fault == 0 ? "sound" : String(format: "fault %+.0f %%", 100 * fault)
      result["verdict, \(name), \(count) frames", default: Group()].add(group)
      let world = isHarder ? "harder" : "plain"
      result["verdict, \(name), \(world) world", default: Group()].add(group)
      result["verdict, \(name), all", default: Group()].add(group)
      if fault != 0 { continue }
      var coverage = Group()
      coverage.tallies = tallies(verification, device)
      for name in [
        "all", "frames \(count), \(world)", "memory \(Int(correlation)), \(world)",
        "lens \(kind.rawValue), \(world)", "world \(world)",
      ] {
        result[name, default: Group()].add(coverage)
      }
    }
    return result
  }

  /// A wrong accusation beside the truth.
  private static func accusation(
    _ seed: UInt64, _ verification: CalibrationVerification, _ device: SimulatedDevice
  ) -> String {
    let claimed = device.factory.intrinsics.focalLength.x
    let length = verification.factoryDepth?.length
    return String(
      format: "seed %d: true %+.2f %%, measured %+.2f ± %.2f %%, lengths %+.2f ± %.2f %%, "
        + "sensor %+.2f %%",
      Int(seed), 100 * (device.truth.intrinsics.focalLength.x / claimed - 1),
      100 * ((verification.measured?.focal ?? 0) / claimed - 1),
      100 * (verification.measured?.sigma.plusMinus ?? 0) / claimed,
      100 * (length?.share ?? 0), 100 * (length?.sigmaShare ?? 0), 100 * (device.depthScale - 1))
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
    // A lens that the user requests although it is not the images'.
    if device.kind == .table,
      let asked = try? CameraMeasurer(lens: .polynomial).measure(verification),
      let one = asked.uncertainty.focalLengthPixels?.x
    {
      tallies["focal length, --lens polynomial", default: CoverageTally()].add(
        asked.camera.intrinsics.focalLength.x - truth.focalLength.x, one: one, two: 2 * one)
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
      let field = ProjectionError(measured.camera, of: device)
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
