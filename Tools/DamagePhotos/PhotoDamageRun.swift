import Plumbline
import PlumblineTestSupport

/// Reads one photo cut and flipped in many ways, in this process, and counts the results.
///
/// A crash ends the process, which is what the run is there to find; `isVerbose` names each case
/// before it starts, and the same case comes again from the same file.
struct PhotoDamageRun {
  /// Lengths to which the photo is cut.
  static let truncations = 200
  /// Seeds of flips; the odd ones stay within the first 16 KiB, where the structure is.
  static let flips: UInt64 = 2_000
  /// Color is decoded in one case of this many.
  static let colorInterval = 40

  let bytes: [UInt8]
  let isVerbose: Bool
  private(set) var outcomes: [String: Int] = [:]
  private(set) var slowest: (milliseconds: Double, name: String) = (0, "none")
  private(set) var faults: [String] = []
  private(set) var count = 0

  init(_ bytes: [UInt8], isVerbose: Bool) {
    self.bytes = bytes
    self.isVerbose = isVerbose
  }

  mutating func run() {
    for length in ByteDamage.truncations(of: bytes.count, steps: Self.truncations) {
      run(Array(bytes.prefix(length)), "first \(length) bytes")
    }
    for seed in 0..<Self.flips {
      let within = seed % 2 == 0 ? bytes.count : 16 << 10
      run(
        ByteDamage.flipped(bytes, seed: seed, within: within), "flips of seed \(seed) in \(within)")
    }
  }

  private mutating func run(_ damaged: [UInt8], _ name: String) {
    let color: CaptureReader.ColorRequest = count % Self.colorInterval == 0 ? .full : .none
    let name = color == .none ? name : name + " with color"
    count += 1
    if isVerbose { print(name) }
    let start = ProcessorTime.milliseconds
    let outcome = outcome(of: damaged, color, name)
    let duration = ProcessorTime.milliseconds - start
    outcomes[outcome, default: 0] += 1
    if duration > slowest.milliseconds { slowest = (duration, name) }
    if duration > 2_000 { faults.append("\(name): took \(duration) ms") }
  }

  private mutating func outcome(
    of damaged: [UInt8], _ color: CaptureReader.ColorRequest, _ name: String
  ) -> String {
    var analyzer = CaptureAnalyzer(color: color, threads: 1)
    analyzer.readsCompanions = color != .none
    do {
      let check = try analyzer.analyze(damaged, fileName: "damaged")
      return check.assessment.verdict.rawValue
    } catch let error as CaptureReadingError {
      if error.expected.isEmpty || error.found.isEmpty { faults.append("\(name): \(error)") }
      return error.reason.rawValue
    } catch {
      faults.append("\(name): \(error)")
      return "other"
    }
  }
}
