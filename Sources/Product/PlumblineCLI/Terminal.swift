import ArgumentParser
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Standard output, which holds results and nothing else.
enum StandardOutput {
  /// Writes one text, ended by one line feed; a pipe that was closed ends the program quietly, as
  /// `head` expects.
  static func print(_ text: String) {
    write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
  }

  /// Writes a document, which a command that is run by another hands over instead.
  static func print(document: JSONValue, layout: JSONWriter.Layout = .indented) {
    if let captured = CapturedOutput.current {
      captured.take(document)
    } else {
      print(JSONWriter(layout: layout).text(document))
    }
  }

  /// Writes bytes as they are, such as a file that was requested as `-`; nothing in a command that is
  /// run by another.
  static func write(_ whole: [UInt8]) {
    guard CapturedOutput.current == nil else { return }
    var bytes = whole[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { systemWrite(1, $0) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 {
        // A reader that closed a pipe has read enough.
        if errno == EPIPE { exit(CommandExit.inputOutput.rawValue) }
        let reason = String(cString: strerror(errno))
        StandardError.print("plumbline: standard output cannot be written: \(reason)")
        exit(CommandExit.inputOutput.rawValue)
      }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Whether colors help: a terminal that knows them, and no option or `NO_COLOR` forbids them.
  static func usesColor(refused isRefused: Bool) -> Bool {
    !isRefused && TerminalWidth.takesCodes(1) && getenv("NO_COLOR") == nil
  }
}

/// `write` of POSIX, under a name that no method here hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Standard error, which holds messages and progress for people.
enum StandardError {
  /// Writes one line.
  static func print(_ line: String) { append(line + "\n") }

  /// Writes a text as it is; nothing in a command that is run by another.
  static func append(_ text: String) {
    guard CapturedOutput.current == nil else { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { systemWrite(2, $0) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { return }
      bytes = bytes.dropFirst(written)
    }
  }
}

/// The width of the terminal in characters.
enum TerminalWidth {
  /// Whether a descriptor is a terminal that takes the codes of ECMA-48; a dumb one prints them.
  static func takesCodes(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } == true
  }

  /// The columns of the terminal behind a descriptor; `nil` for a pipe, a file, or one that does not
  /// say.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }
}

/// A text for a terminal that may show colors.
protocol PaintedText {
  /// Whether colors are written.
  var usesColor: Bool { get }
}

extension PaintedText {
  /// The word of a severity, padded so that lines align.
  func mark(_ severity: Finding.Severity) -> String {
    switch severity {
    case .fault: painted("fault  ", "31")
    case .caution: painted("caution", "33")
    case .note: dim("note   ")
    }
  }

  /// A number with its name, in two columns.
  func fact(_ fact: (name: String, value: String), columns: Int?) -> String {
    let name = fact.name + String(repeating: " ", count: max(1, 13 - fact.name.count))
    return "  " + name + wrapped(fact.value, indent: 2 + name.count, columns: columns)
  }

  /// Text in dim characters where colors are written, as it matters less.
  func dim(_ text: String) -> String { painted(text, "2") }

  /// Words broken into lines of so many columns, the first of them indented already, those that
  /// follow by `indent`; one line without a terminal, so that programs find whole sentences.
  func wrapped(_ text: String, indent: Int, columns: Int?) -> String {
    guard let columns, columns >= 20 else { return text }
    // Where little room is left beside the indent, the lines that follow start further left.
    let rest = columns >= indent + 30 ? indent : 4
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let start = lines.isEmpty ? indent : rest
      if !line.isEmpty, start + line.count + 1 + word.count > columns {
        lines.append(line)
        line = String(word)
      } else {
        line += line.isEmpty ? String(word) : " \(word)"
      }
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: rest))
  }

  /// Text in one of the terminal's modes, an SGR code of ECMA-48; as it is without colors.
  func painted(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
