package import PlumblineIO

/// The folder of what a verb writes about one capture, which appears complete or not at all.
///
/// The verb writes into a folder inside `NAME.….partial`, which becomes `NAME` by one rename.
package struct CaptureOutput: Sendable {
  /// The folder as it will be called.
  package let path: String
  /// What is removed when the work is over: it holds the folder until that.
  ///
  /// Its name is new each time: a worker of a run that was killed may still be writing into its own.
  private let partial: String
  /// Where the verb writes.
  package var unfinished: String { partial + "/" + lastPathPart(path) }

  /// The end of the names of folders that hold unfinished outputs.
  package static let partialEnding = ".partial"

  /// Describes the folder; nothing is made yet.
  package init(path: String) {
    self.path = path
    partial = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 16))\(Self.partialEnding)"
  }

  /// Makes the place where the verb writes.
  ///
  /// - Throws: ``OutputError``.
  package func begin() throws(OutputError) {
    do throws(SystemFailure) { try FileOperations.system.createDirectory(partial) } catch {
      throw OutputError(.cannotCreate, path: partial, detail: error.text)
    }
  }

  /// Gives the folder its name in place of an older one; without a folder that was written the older one
  /// is removed all the same, since it belongs to another result.
  ///
  /// - Parameter isGood: Whether the verb came to its end; else what it wrote is removed.
  /// - Throws: ``OutputError``.
  package func finish(isGood: Bool) throws(OutputError) {
    let operations = FileOperations.system
    defer { operations.removeTree(partial) }
    do throws(SystemFailure) {
      if try operations.kind(path) != .nothing { try operations.replace(path, partial + "/old") }
      guard isGood, try operations.kind(unfinished) == .directory else { return }
      try operations.renameFolder(unfinished, path)
    } catch { throw OutputError(.cannotCreate, path: path, detail: error.text) }
  }

  /// A document in which paths inside the unfinished folder are those of the finished one, from the folder
  /// of the results on: `captures/NAME/…`.
  package func renaming(_ document: JSONValue) -> JSONValue {
    let parts = pathParts(path).filter { !$0.isEmpty }.suffix(2).joined(separator: "/")
    return document.mapStrings { text in
      // By bytes: a path is no text whose accents could be joined.
      guard text.utf8.starts(with: unfinished.utf8) else { return text }
      return parts + String(decoding: text.utf8.dropFirst(unfinished.utf8.count), as: UTF8.self)
    }
  }

  /// The paths of the files in the unfinished folder, in the order of their bytes.
  package var files: [String] { Self.files(in: unfinished) }

  private static func files(in folder: String) -> [String] {
    let operations = FileOperations.system
    var paths: [String] = []
    let names = (try? operations.entries(folder)) ?? []
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let path = "\(folder)/\(name)"
      if (try? operations.kind(path)) == .directory {
        paths += files(in: path)
      } else {
        paths.append(path)
      }
    }
    return paths
  }
}

extension JSONValue {
  /// The same value with each text replaced; keys stay.
  fileprivate func mapStrings(_ change: (String) -> String) -> JSONValue {
    switch content {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(change) })
    case .object(let members):
      .object(members.map { (key: $0.key, value: $0.value.mapStrings(change)) })
    default: self
    }
  }
}
