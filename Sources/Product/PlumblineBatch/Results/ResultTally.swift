/// How many captures of a batch have which result.
///
/// Memory is bounded, whatever the captures say: past ``maximumKinds`` devices or reasons, further ones are
/// counted together.
public struct ResultTally: Sendable {
  /// A finding, and the captures that have it.
  struct FindingCount: Sendable {
    /// The captures with it, each counted once.
    var captures = 0
    /// Those of them that cannot be measured.
    var unmeasurable = 0
    /// `fault`, `caution` or `note`: the gravest of all captures.
    var severity = "note"
  }

  /// A reason for failure, and the captures that have it.
  struct FailureCount: Sendable {
    var captures = 0
    /// The first one, in a sentence with its path.
    var example: String
  }

  /// The captures of a device, and how many of them have a caution or fault.
  struct DeviceCount: Sendable {
    /// The captures that gave a result.
    var captures = 0
    /// By code, each capture counted once.
    var findings: [String: Int] = [:]
  }

  /// The number of devices, and of reasons, that are counted by themselves.
  static let maximumKinds = 2000

  /// All captures.
  public private(set) var total = 0
  /// Those that could not be used.
  public var failed: Int { verdicts["failed", default: 0] }
  /// Captures by verdict; `failed` and, for verbs without a verdict, `done` are among the keys.
  public private(set) var verdicts: [String: Int] = [:]
  private(set) var findings: [String: FindingCount] = [:]
  private(set) var failures: [String: FailureCount] = [:]
  /// By the words of ``ResultRow/device``.
  private(set) var devices: [String: DeviceCount] = [:]

  /// Counts nothing yet.
  public init() {}

  /// Counts a capture; O(*n*) in its findings.
  public mutating func add(_ row: ResultRow) {
    total += 1
    verdicts[row.verdictKey, default: 0] += 1
    if let reason = row.failureReason { addFailure(reason, of: row) }
    guard row.state == .done else { return }
    let isMeasurable = row.verdict == "measurable" || row.verdict == "corrected"
    var gravest: [String: String] = [:]
    for finding in row.findings {
      gravest[finding.code] = Self.graver(gravest[finding.code], finding.severity)
    }
    for (code, severity) in gravest {
      var count = findings[code] ?? FindingCount()
      count.captures += 1
      count.unmeasurable += isMeasurable ? 0 : 1
      count.severity = Self.graver(count.severity, severity)
      findings[code] = count
    }
    guard let device = key(row.device, in: devices, rest: "other devices") else { return }
    devices[device, default: DeviceCount()].captures += 1
    for (code, severity) in gravest where severity != "note" {
      devices[device]?.findings[code, default: 0] += 1
    }
  }

  private mutating func addFailure(_ reason: String, of row: ResultRow) {
    let reason = key(reason, in: failures, rest: "Other reasons") ?? reason
    let message = row.error?.message ?? reason
    let example = message.contains(row.path) ? message : "\(row.path): \(message)"
    failures[reason, default: FailureCount(example: String(example.prefix(600)))].captures += 1
  }

  private func key<Count>(_ key: String?, in counts: [String: Count], rest: String) -> String? {
    guard let key, counts[key] == nil, counts.count >= Self.maximumKinds else { return key }
    return rest
  }

  private static func graver(_ first: String?, _ second: String) -> String {
    let ranks = ["note": 0, "caution": 1, "fault": 2]
    guard let first, ranks[first, default: 0] >= ranks[second, default: 0] else { return second }
    return first
  }
}
