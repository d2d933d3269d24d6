import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `-`, which stands for standard input or output where one stream makes sense.
enum StandardStreams {
  /// The path that stands for a stream; a file of that name is `./-`.
  static let name = "-"

  /// Whether a path stands for a stream.
  static func isStream(_ path: String) -> Bool { path == name }

  /// Whether standard output is a terminal.
  static var outputIsTerminal: Bool { isatty(1) == 1 }

  /// The verbs that read one capture of one file, which may come through a pipe, or a list.
  private static let readers: Set<String> = [
    "align", "batch", "batch run", "check", "cloud", "correct", "effect background", "effect blur",
    "effect fog",
    "effect isolate", "effect mattes", "effect relight", "effect stereo", "effect wiggle",
    "estimate", "extract", "face", "filter", "inspect", "measure", "write",
  ]

  /// Why other verbs do not read standard input.
  private static let reasons: [String: String] = [
    "calibrate": "it takes a folder of frames", "compare": "it takes two inputs",
    "compare-surface": "it takes two inputs", "evaluate": "it takes two inputs",
    "serve": "the server reads captures again when asked",
    "stereo": "it takes two inputs", "verify": "it takes a folder of frames",
    "view": "the server reads captures again when asked",
  ]

  /// Refuses `-` as the input of verbs that cannot read a stream, and a terminal as the stream.
  ///
  /// - Throws: ``UsageError``.
  static func refuseInput(in path: VerbPath) throws(UsageError) {
    let arguments = path.rest.prefix { $0 != "--" }
    let isInput = arguments.indices.contains { index in
      arguments[index] == name
        && (index == 0 || !["-o", "--output", "--record"].contains(arguments[index - 1]))
    }
    guard isInput else { return }
    guard readers.contains(path.text) else {
      let reason = reasons[path.text] ?? "what it reads is read from several places of a file"
      throw UsageError("\(path.text) does not read standard input: \(reason)", verb: path.text)
    }
    if isatty(0) == 1 {
      throw UsageError(
        "standard input is a terminal: lead a file or a program into it, as in "
          + "plumbline \(path.text) - < photo.heic",
        verb: path.text)
    }
  }
}

extension CaptureInput {
  /// Opens what an argument names: standard input for `-`, which is one capture in one file, else as
  /// ``init(path:limits:links:)``.
  init(argument path: String) throws {
    if path == StandardStreams.name {
      self = .file(try InputFile(argument: path))
    } else {
      try self.init(path: path)
    }
  }
}

extension InputFile {
  /// Reads the file that an argument names: standard input for `-`.
  init(argument path: String) throws(InputError) {
    if path == StandardStreams.name {
      self = try .standardInput()
    } else {
      try self.init(path: path)
    }
  }
}
