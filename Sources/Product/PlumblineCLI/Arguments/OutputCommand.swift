import Plumbline

/// A command that writes to the path of `-o`.
protocol OutputCommand {
  /// What the path of `-o` becomes.
  static var outputKind: OutputKind { get }
  /// The path of `-o`; `nil` where it was not given.
  var outputPath: String? { get }
}

/// What a command makes of the path of `-o`.
enum OutputKind {
  /// A folder of several files.
  case folder
  /// One file, whose ending is one of these where it is a known one.
  case file(endings: [String])
  /// One file as by these endings, else a folder.
  case fileOrFolder(endings: [String])
  /// One file that the command itself checks.
  case anyFile
  /// One file that cannot go to standard output, and why.
  case unstreamed(endings: [String], reason: String)
}

extension OutputCommand {
  /// Checks that `-o` does not contradict what is written to it.
  ///
  /// - Parameters:
  ///   - verb: The verb, such as `effect blur`.
  ///   - isDocument: Whether standard output has a document already.
  /// - Throws: ``UsageError``.
  func checkOutput(of verb: String, isDocument: Bool) throws(UsageError) {
    guard let path = outputPath else { return }
    if path == StandardStreams.name {
      return try Self.outputKind.checkStream(of: verb, isDocument: isDocument)
    }
    let ending = pathEnding(path)
    guard !path.hasSuffix("/"), lastPathPart(path).dropFirst().contains("."),
      OutputKind.knownEndings.contains(ending)
    else { return }
    let name = printable(text: path)
    switch Self.outputKind {
    case .folder:
      throw UsageError(
        "\(verb) writes a folder, and “\(name)” has the ending of a file; end it in / if that is "
          + "the folder's name",
        verb: verb)
    case .file(let endings), .fileOrFolder(let endings), .unstreamed(let endings, _):
      guard !endings.isEmpty, !endings.contains(ending) else { return }
      throw UsageError(
        "\(verb) writes \(endings.map { ".\($0)" }.joined(separator: ", ")), and “\(name)” ends in "
          + ".\(ending)",
        verb: verb)
    case .anyFile: return
    }
  }
}

extension OutputKind {
  /// The endings that name a format; another one, such as `.new`, contradicts nothing.
  static let knownEndings: Set<String> = [
    "csv", "dxf", "e57", "gif", "glb", "gltf", "heic", "heif", "htm", "html", "jpeg", "jpg", "json",
    "jsonl", "mcap", "mov", "mp4", "npy", "npz", "obj", "pcd", "pdf", "pgm", "ply", "png", "ppm",
    "r3d", "svg", "tif", "tiff", "txt", "usdz", "webp", "xyz", "yaml", "yml", "zip",
  ]

  /// Checks that one stream can hold what is written.
  fileprivate func checkStream(of verb: String, isDocument: Bool) throws(UsageError) {
    switch self {
    case .folder, .fileOrFolder:
      throw UsageError(
        "\(verb) writes several files, which one stream cannot hold: give a folder with -o",
        verb: verb)
    case .unstreamed(_, let reason):
      throw UsageError(
        "\(verb) cannot write to standard output: \(reason)", verb: verb)
    case .file, .anyFile:
      if isDocument {
        throw UsageError(
          "--json and -o - both write to standard output; give one of them", verb: verb)
      }
      if StandardStreams.outputIsTerminal {
        throw UsageError(
          "standard output is a terminal, which cannot show a file: lead it into a file or a program",
          verb: verb)
      }
    }
  }
}
