package import Plumbline
import PlumblineIO

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Where the paths of captures come from.
package enum CaptureSource: Sendable, Hashable {
  /// A file, or a folder with all folders in it.
  case path(String)
  /// A file that holds a path a line, or paths with a zero byte between them.
  case list(String)
  /// The same from standard input.
  case standardInput

  /// Reads an argument: `-`, `@list.txt`, or a path.
  package init(argument: String) {
    if argument == "-" {
      self = .standardInput
    } else if argument.hasPrefix("@"), argument.utf8.count > 1 {
      self = .list(String(argument.dropFirst()))
    } else {
      self = .path(argument)
    }
  }
}

/// Finds the captures of sources one after another.
///
/// No more is in memory than the names of one folder and a piece of a list.
package struct CaptureSearch: Sendable {
  /// What is searched, in this order.
  package let sources: [CaptureSource]
  /// Whether a folder of photos is one capture, as for `verify`.
  package let takesFolders: Bool
  /// The part of the captures that is wanted.
  package let shard: Shard
  private let limits: ReadingLimits

  /// Describes a search; nothing is opened yet.
  package init(_ sources: [CaptureSource], takesFolders: Bool = false, shard: Shard = .all) {
    self.sources = sources
    self.takesFolders = takesFolders
    self.shard = shard
    var limits = ReadingLimits()
    limits.folderFiles = 2_000_000
    self.limits = limits
  }

  /// Passes the path of each capture, in the order of the sources, and in folders in natural order.
  ///
  /// A path at which there is nothing is passed too: its error is a result. So is a folder that cannot
  /// be listed.
  ///
  /// - Parameter take: Takes a path, and ends the search by `false`.
  /// - Throws: ``InputError`` for a list that cannot be read.
  package func run(_ take: (String) -> Bool) throws(InputError) {
    var goesOn = true
    for source in sources where goesOn {
      switch source {
      case .path(let path): goesOn = visit(path, take)
      case .list(let path):
        let file = try opened(path)
        defer { close(file) }
        goesOn = try read(file, path: path, take)
      case .standardInput: goesOn = try read(0, path: "-", take)
      }
    }
  }

  private func visit(_ path: String, _ take: (String) -> Bool) -> Bool {
    guard (try? FileOperations.system.kind(path)) == .directory else { return offer(path, take) }
    let folders = CaptureFolders(isRecursive: true, limits: limits)
    var hasCapture = false
    var goesOn = true
    folders.visit(path) { visited in
      switch visited {
      case .recording(let path):
        hasCapture = true
        goesOn = offer(path, take)
      case .files(let folder, let names):
        guard takesFolders else {
          for name in names where goesOn {
            hasCapture = true
            goesOn = offer(folder + name, take)
          }
          break
        }
        guard !names.isEmpty else { break }
        hasCapture = true
        goesOn = offer(folder.hasSuffix("/") ? String(folder.dropLast()) : folder, take)
      case .failure(let path, _):
        hasCapture = true
        goesOn = offer(path, take)
      }
      return goesOn
    }
    // What is missing in it is said by the verb.
    return hasCapture || !goesOn ? goesOn : offer(path, take)
  }

  private func offer(_ path: String, _ take: (String) -> Bool) -> Bool {
    shard.contains(path: path) ? take(path) : true
  }

  private func opened(_ path: String) throws(InputError) -> CInt {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file >= 0 { return file }
    if errno == ENOENT { throw .notFound(path: path) }
    throw .unreadable(
      path: path, reason: String(cString: strerror(errno)), isPermission: errno == EACCES)
  }

  /// Reads paths from a descriptor, separated by zero bytes where the first piece has one.
  ///
  /// Else they are separated by line feeds; empty lines are none.
  private func read(
    _ file: CInt, path: String, _ take: (String) -> Bool
  ) throws(InputError) -> Bool {
    var pending: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var separator: UInt8?
    func pass(_ line: ArraySlice<UInt8>) -> Bool {
      guard !line.isEmpty else { return true }
      let text = String(validating: line, as: UTF8.self)
      // Names in other encodings cannot be opened: the escaped name is a capture that is not there.
      return visit(text ?? printable(line), take)
    }
    while true {
      let count = systemRead(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .unreadable(
          path: path, reason: String(cString: strerror(errno)), isPermission: false)
      }
      if separator == nil, count > 0 { separator = piece[..<count].contains(0) ? 0 : 10 }
      pending += piece[..<count]
      var start = pending.startIndex
      while let end = pending[start...].firstIndex(of: separator ?? 10) {
        var line = pending[start..<end]
        if separator == 10, line.last == 13 { line.removeLast() }
        guard pass(line) else { return false }
        start = end + 1
      }
      pending.removeSubrange(..<start)
      if count == 0 { return pass(pending[...]) }
      guard pending.count <= Self.maximumPathBytes else {
        throw .tooLarge(path: path, bytes: pending.count, limit: Self.maximumPathBytes)
      }
    }
  }

  /// Longer than any system's paths.
  private static let maximumPathBytes = 1 << 16
}

private func systemRead(_ file: CInt, _ bytes: inout [UInt8], _ count: Int) -> Int {
  read(file, &bytes, count)
}
