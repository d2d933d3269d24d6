import Plumbline

extension VerdictHeadline {
  /// The color of the headline as an SGR code of ECMA-48.
  var color: String {
    switch tone {
    case .measurable, .corrected: "32"
    case .relative: "33"
    case .untrusted: "31"
    }
  }
}

extension [ToleranceAnswer] {
  /// What the capture is good for, such as `For 1%: depth yes, lengths no: ± 6.5 %.`; `nil` without
  /// needs.
  var line: String? {
    sentence.map { "For \(map(\.need.text).joined(separator: ", ")): \($0)." }
  }
}
