import PlumblineIO
package import PlumblineModel

extension Recording {
  /// What is odd about the times of frames in the order of their numbers.
  package static func findings(ofTimes times: [Double?], names: [String]) -> [Finding] {
    let untimed = zip(times, names).filter { $0.0 == nil }.map(\.1)
    if !untimed.isEmpty {
      return [
        Finding(
          .sequenceTimeUnknown, .note,
          "\(untimed.count) of \(names.count) frames have no readable time; frames are in the order "
            + "of their names", evidence: list(untimed))
      ]
    }
    var backwards: [String] = []
    var repeated: [String] = []
    for index in times.indices.dropFirst() {
      guard let before = times[index - 1], let time = times[index] else { continue }
      if time < before { backwards.append(names[index]) }
      if time == before { repeated.append(names[index]) }
    }
    var findings: [Finding] = []
    if !backwards.isEmpty {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock goes backwards at \(backwards.count) of \(names.count) frames",
          evidence: list(backwards)))
    }
    if !repeated.isEmpty {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution,
          "a time is repeated at \(repeated.count.counting("frame"))",
          evidence: list(repeated)))
    }
    return findings
  }

  /// A finding about frames that lack something; `nil` when there are none.
  package static func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ names: [String], of count: Int,
    lack what: String
  ) -> Finding? {
    guard !names.isEmpty else { return nil }
    return Finding(
      code, severity, "\(names.count) of \(count) frames \(what)",
      evidence: list(names))
  }

  /// The first few of many names, for the evidence of a finding.
  package static func list(_ names: [String]) -> String {
    let first = names.prefix(5).map { printable(text: $0) }.joined(separator: ", ")
    return names.count > 5 ? "\(first), …" : first
  }
}
