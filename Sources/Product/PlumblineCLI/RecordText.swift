import Plumbline
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The result of a recording, in a few lines.
struct RecordText {
  let outcome: RecordingOutcome
  let output: String

  var text: String {
    let statistics = outcome.statistics
    // A recording that could not be finished may hold fewer frames than came.
    let isCut = statistics.storedFrames < statistics.writtenFrames
    var lines = [
      (isCut ? "\(statistics.storedFrames) of " : "")
        + "\(statistics.writtenFrames.counting("frame")) in \(Self.rounded(statistics.seconds)) s"
        + (statistics.meanFramesPerSecond.map { ", \(Self.rounded($0)) fps" } ?? "")
        + ", \(Self.megabytes(statistics.byteCount)) MB in \(printable(text: output))",
      "  \(Self.drops(statistics))",
    ]
    if statistics.motionSamples > 0 {
      lines.append("  " + statistics.motionSamples.counting("motion sample"))
    }
    if statistics.refusedFrames > 0 {
      let reason = outcome.firstRefusal.map { printable(text: ": \($0)") } ?? ""
      lines.append("  \(statistics.refusedFrames.counting("frame")) could not be stored\(reason)")
    }
    if statistics.warmest > .nominal { lines.append("  at the warmest \(statistics.warmest)") }
    if let message = outcome.ending.message { lines.append("  ended: \(printable(text: message))") }
    return lines.joined(separator: "\n")
  }

  /// The losses by reason, the most frequent first.
  static func drops(_ statistics: RecordingStatistics) -> String {
    guard statistics.droppedFrames > 0 else { return "0 dropped" }
    let reasons = statistics.drops.sorted {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }
    .map { "\($0.key.rawValue) \($0.value)" }
    return "\(statistics.droppedFrames) dropped (\(reasons.joined(separator: ", ")))"
  }

  static func megabytes(_ bytes: Int) -> String { rounded(Double(bytes) / 1e6) }

  static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

/// One line on a terminal that says how a recording goes, four times a second.
final class RecordLine: Sendable {
  private let isShown: Bool
  private let start = ContinuousClock.now
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(isQuiet: Bool) { isShown = !isQuiet && TerminalWidth.takesCodes(2) }

  /// Says that frames are on their way, which a simulated camera draws first.
  func begin() {
    if isShown { StandardError.append("waiting for the first frame …") }
  }

  /// Shows the statistics if a quarter of a second has passed.
  func show(_ statistics: RecordingStatistics) {
    guard isShown else { return }
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      if let last, now - last < .milliseconds(250) { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let elapsed = (now - start) / .seconds(1)
    let rate = elapsed > 0 ? Double(statistics.byteCount) / elapsed : 0
    func line(drops: String) -> String {
      var parts = [
        "\(RecordText.rounded(statistics.seconds)) s", statistics.writtenFrames.counting("frame"),
        statistics.framesPerSecond.map { "\(RecordText.rounded($0)) fps" } ?? "– fps", drops,
        "\(RecordText.megabytes(statistics.byteCount)) MB, \(RecordText.megabytes(Int(rate))) MB/s",
        statistics.thermal.rawValue,
      ]
      if let change = statistics.depthRate { parts.append("\(change)") }
      return parts.joined(separator: " · ")
    }
    // A line that wraps cannot be taken back; reasons are reported again at the end.
    let columns = max(20, (TerminalWidth.columns(of: 2) ?? 80) - 1)
    var text = line(drops: RecordText.drops(statistics))
    if text.count > columns { text = line(drops: "\(statistics.droppedFrames) dropped") }
    StandardError.append("\r\u{1B}[K" + String(text.prefix(columns)))
  }

  /// Erases the line, so that what is printed next begins on an empty one.
  func end() {
    if isShown { StandardError.append("\r\u{1B}[K") }
  }
}
