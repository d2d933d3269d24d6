import PlumblineModel

/// The answers to what one asks of many captures: which can be measured, which device is wrong, what failed.
struct ResultAnswers {
  private let tally: ResultTally

  init(_ tally: ResultTally) { self.tally = tally }

  /// How many can be measured, in a sentence.
  var headline: String {
    guard tally.total > 0 else { return "There is no capture." }
    let counts = tally.verdicts
    if let fits = counts["fits"] ?? counts["doesNotFit"].map({ _ in 0 }) {
      return "\(share(fits, of: tally.total)) a calibration that fits."
    }
    let hasVerdict = ["measurable", "corrected", "relative", "untrusted"].contains {
      counts[$0] != nil
    }
    guard hasVerdict else {
      return "\(share(tally.total - tally.failed, of: tally.total)) a result."
    }
    let corrected = counts["corrected", default: 0]
    let measurable = counts["measurable", default: 0] + corrected
    let subject = Self.subject(measurable, of: tally.total)
    let after =
      corrected == 0
      ? ""
      : corrected == measurable
        ? ", after correction"
        : ", \(Self.grouped(corrected)) of them after correction"
    return "\(subject) can be measured\(after)."
  }

  /// What is not measurable and mostly why; `nil` if all the others failed.
  var unmeasurable: String? {
    let counts = tally.verdicts
    let parts = [
      ("relative", "known only up to an unknown scale"), ("untrusted", "not to be measured"),
      ("doesNotFit", "from a device whose calibration does not fit"),
      ("cannotTell", "without an answer"),
    ].compactMap { key, words in
      counts[key].map { "\(Self.grouped($0)) \($0 == 1 ? "is" : "are") \(words)" }
    }
    guard !parts.isEmpty else { return nil }
    let reasons = tally.findings
      .filter { $0.value.severity != "note" && $0.value.unmeasurable > 0 }
      .sorted { ($1.value.unmeasurable, $0.key) < ($0.value.unmeasurable, $1.key) }
      .prefix(3).map { "\($0.key) (\(Self.grouped($0.value.unmeasurable)))" }
    let sentence = parts.joined(separator: ", ") + "."
    return reasons.isEmpty
      ? sentence : "\(sentence) Most frequent there: \(reasons.joined(separator: ", "))."
  }

  /// The devices with a finding that most of their captures have and those of other devices do not have.
  var devices: String {
    guard !tally.devices.isEmpty else { return "No capture names its device." }
    let suspects = tally.devices.compactMap(suspect).sorted {
      ($1.captures, $0.device) < ($0.captures, $1.device)
    }
    guard !suspects.isEmpty else {
      return "None stands out: no caution or fault is in half of the captures of one device and "
        + "rarer in those of the others."
    }
    let words = suspects.prefix(4).map {
      "\($0.device): \($0.code) in \(Self.grouped($0.captures)) of \(Self.grouped($0.all))"
    }
    let rest = suspects.count - words.count
    return words.joined(separator: "; ")
      + (rest > 0 ? "; and \(rest.counting("other device"))." : ".")
  }

  /// How many failed and mostly why.
  var failures: String {
    guard tally.failed > 0 else { return "Nothing: every capture gave a result." }
    let reasons = tally.failures.sorted {
      ($1.value.captures, $0.key) < ($0.value.captures, $1.key)
    }
    .prefix(3).map { "\(Self.lowercased($0.key)) (\(Self.grouped($0.value.captures)))" }
    let kinds = tally.failures.count
    let mostly = kinds > reasons.count ? ", most often" : ""
    return
      "\(Self.grouped(tally.failed)) of \(Self.grouped(tally.total)) could not be used\(mostly): "
      + reasons.joined(separator: "; ") + "."
  }

  /// The finding that speaks against a device.
  private struct Suspect {
    let device: String
    let code: String
    let captures: Int
    let all: Int
  }

  /// A device of at least three captures of which half or more have a caution or fault that is less than half
  /// as frequent with the other devices; where there are no others it must be a fault.
  private func suspect(_ device: String, _ count: ResultTally.DeviceCount) -> Suspect? {
    guard count.captures >= 3 else { return nil }
    let others = tally.devices.filter { $0.key != device }.map(\.value)
    let otherCaptures = others.reduce(0) { $0 + $1.captures }
    let found = count.findings.filter { code, captures in
      guard 2 * captures >= count.captures else { return false }
      guard otherCaptures > 0 else { return tally.findings[code]?.severity == "fault" }
      let elsewhere = others.reduce(0) { $0 + ($1.findings[code] ?? 0) }
      let share = Double(captures) / Double(count.captures)
      return 2 * Double(elsewhere) / Double(otherCaptures) < share
    }
    func weight(_ code: String) -> Int { tally.findings[code]?.severity == "fault" ? 1 : 0 }
    let worst = found.min { first, second in
      (weight(second.key), second.value, first.key) < (weight(first.key), first.value, second.key)
    }
    return worst.map {
      Suspect(device: device, code: $0.key, captures: $0.value, all: count.captures)
    }
  }

  private func share(_ count: Int, of total: Int) -> String {
    "\(Self.subject(count, of: total)) \(count == 1 && total == 1 ? "has" : "have")"
  }

  /// Such as `All 20 captures`, `None of 20 captures`, `1,204 of 1,300 captures`.
  private static func subject(_ count: Int, of total: Int) -> String {
    let noun = total == 1 ? "capture" : "captures"
    if count == total { return total == 1 ? "The capture" : "All \(grouped(total)) \(noun)" }
    return "\(count == 0 ? "None" : grouped(count)) of \(grouped(total)) \(noun)"
  }

  private static func lowercased(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The number with a comma before each three digits.
  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number).utf8)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(UInt8(ascii: ","), at: index)
      index -= 3
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
