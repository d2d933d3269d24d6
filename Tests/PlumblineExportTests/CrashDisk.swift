import PlumblineTestSupport
import Synchronization

@testable import PlumblineExport
@testable import PlumblineIO

/// A disk in memory that forgets at a crash what was not synchronized, in any order.
///
/// Bytes of a file count from its synchronization on; before it, a crash leaves any prefix of them,
/// or zeros in their place. A name that was made, taken away or moved counts once the folder that
/// it is in was synchronized; before that a crash keeps or forgets each such change by chance,
/// whatever came before or after it. That is weaker than what real file systems promise.
final class CrashDisk: Sendable {
  private struct File {
    var bytes: [UInt8] = []
    var synchronized: [UInt8] = []
    var isFolder = false
  }

  /// A change of names that a crash may forget; moving takes one and gives one at once.
  private struct Change {
    var folder: String
    var removed: String?
    var added: (path: String, file: Int)?
  }

  private struct State {
    var files: [Int: File] = [:]
    /// What names lead to, as processes see it, and as the disk has it.
    var names: [String: Int] = [:]
    var durableNames: [String: Int] = [:]
    var changes: [Change] = []
    var open: [Int32: Int] = [:]
    var next = 3
    /// How many calls may still be made.
    var callsLeft = Int.max
    var calls = 0
  }

  private let state = Mutex(State())

  /// A disk with one empty folder, `d`.
  init() {
    state.withLock { state in
      state.files[1] = File(isFolder: true)
      state.names["d"] = 1
      state.durableNames["d"] = 1
    }
  }

  /// The number of calls.
  var calls: Int { state.withLock { $0.calls } }

  /// Lets every call after so many fail, as if the machine had stopped.
  func stop(after calls: Int) { state.withLock { $0.callsLeft = calls } }

  /// The bytes under a path; `nil` for none.
  func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].flatMap { state.files[$0]?.bytes } }
  }

  /// All paths, ascending.
  var paths: [String] { state.withLock { $0.names.keys.sorted() } }

  /// Puts a file that is on the disk for good.
  func put(_ bytes: [UInt8], at path: String) {
    state.withLock { state in
      state.next += 1
      state.files[state.next] = File(bytes: bytes, synchronized: bytes)
      state.names[path] = state.next
      state.durableNames[path] = state.next
    }
  }

  /// Loses the power and comes back with what the disk has; the next calls succeed again.
  func crash(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    state.withLock { state in
      var names = state.durableNames
      for change in state.changes where generator.next() % 2 == 0 {
        if let removed = change.removed { names[removed] = nil }
        if let added = change.added { names[added.path] = added.file }
      }
      // What lies in a folder that does not exist cannot be reached.
      names = names.filter { path, _ in
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
          folder = String(folder[..<slash])
          if names[folder] == nil { return false }
        }
        return true
      }
      for (number, file) in state.files where file.bytes != file.synchronized {
        // Files only grow here: what was synchronized is the start of what was written.
        let more = UInt64(file.bytes.count - min(file.bytes.count, file.synchronized.count))
        let kept = file.bytes.count - Int(more) + Int(generator.next() % (more + 1))
        let tail = generator.next() % 2 == 0 ? file.bytes.count - kept : 0
        let bytes = file.bytes[..<kept] + [UInt8](repeating: 0, count: tail)
        state.files[number]?.bytes = Array(bytes)
        state.files[number]?.synchronized = Array(bytes)
      }
      state.names = names
      state.durableNames = names
      state.changes = []
      state.open = [:]
      state.callsLeft = .max
    }
  }

  private func call<Result: Sendable>(
    _ body: (inout State) throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> Result {
    var outcome: Swift.Result<Result, SystemFailure> = .failure(.inputOutput)
    state.withLock { state in
      state.calls += 1
      guard state.callsLeft > 0 else { return }
      state.callsLeft -= 1
      do throws(SystemFailure) { outcome = .success(try body(&state)) } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func make(
    _ path: String, isFolder: Bool, _ state: inout State
  ) throws(SystemFailure) -> Int {
    guard state.names[path] == nil else { throw SystemFailure(code: 17) }
    guard folder(path) == "." || state.names[folder(path)] != nil else {
      throw SystemFailure(code: 2)
    }
    state.next += 1
    state.files[state.next] = File(isFolder: isFolder)
    state.names[path] = state.next
    state.changes.append(Change(folder: folder(path), added: (path, state.next)))
    return state.next
  }

  private static func move(_ path: String, _ new: String, _ state: inout State)
    throws(SystemFailure)
  {
    guard let file = state.names[path] else { throw SystemFailure(code: 2) }
    state.names[path] = nil
    state.names[new] = file
    state.changes.append(Change(folder: folder(new), removed: path, added: (new, file)))
    guard state.files[file]?.isFolder == true else { return }
    // Names inside go along; on a real disk they belong to the folder and not to its path.
    for (inside, number) in state.names where inside.hasPrefix(path + "/") {
      state.names[inside] = nil
      state.names[new + inside.dropFirst(path.count)] = number
    }
    for (inside, number) in state.durableNames where inside.hasPrefix(path + "/") {
      state.durableNames[new + inside.dropFirst(path.count)] = number
    }
  }

  /// The calls on this disk.
  var operations: FileOperations {
    FileOperations(
      create: { path throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          let file = try Self.make(path, isFolder: false, &state)
          state.next += 1
          state.open[Int32(state.next)] = file
          return Int32(state.next)
        }
      },
      write: { descriptor, bytes throws(SystemFailure) in
        let copy = Array(bytes.prefix(5))
        return try self.call { state throws(SystemFailure) in
          guard let file = state.open[descriptor] else { throw .inputOutput }
          state.files[file]?.bytes += copy
          return copy.count
        }
      },
      synchronize: { descriptor throws(SystemFailure) in try self.synchronize(descriptor) },
      synchronizeData: { descriptor throws(SystemFailure) in try self.synchronize(descriptor) },
      truncate: { descriptor, count throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard let file = state.open[descriptor], let bytes = state.files[file]?.bytes else {
            throw .inputOutput
          }
          state.files[file]?.bytes = Array(bytes.prefix(count))
        }
      },
      reserve: { _, _ throws(SystemFailure) in throw .noSpace },
      close: { descriptor throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in state.open[descriptor] = nil }
      },
      rename: { path, new throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard state.names[new] == nil else { throw SystemFailure(code: 17) }
          try Self.move(path, new, &state)
        }
      },
      replace: { path, new throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in try Self.move(path, new, &state) }
      },
      remove: { path throws(SystemFailure) in try self.remove(path, isFolder: false) },
      synchronizeDirectory: { path throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          for change in state.changes where change.folder == path {
            if let removed = change.removed { state.durableNames[removed] = nil }
            if let added = change.added { state.durableNames[added.path] = added.file }
          }
          state.changes.removeAll { $0.folder == path }
        }
      },
      createDirectory: { path throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          _ = try Self.make(path, isFolder: true, &state)
        }
      },
      removeDirectory: { path throws(SystemFailure) in try self.remove(path, isFolder: true) },
      kind: { path throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard let file = state.names[path] else { return .nothing }
          return state.files[file]?.isFolder == true ? .directory : .file
        }
      },
      renameFolder: { path, new throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard state.names[new] == nil else { throw SystemFailure(code: 17) }
          try Self.move(path, new, &state)
        }
      },
      link: { path, new throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard let file = state.names[path] else { throw SystemFailure(code: 2) }
          guard state.names[new] == nil else { throw SystemFailure(code: 17) }
          state.names[new] = file
          state.changes.append(Change(folder: Self.folder(new), added: (new, file)))
        }
      },
      entries: { path throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          state.names.keys.filter { Self.folder($0) == path }
            .map { String($0.dropFirst(path.count + 1)) }
        }
      },
      lock: { path, _ throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard let file = state.names[path] else { throw SystemFailure(code: 2) }
          // The only process holds the lock of what it has open.
          guard !state.open.values.contains(file) else { throw SystemFailure(code: 11) }
          state.next += 1
          state.open[Int32(state.next)] = file
          return Int32(state.next)
        }
      },
      unlock: { descriptor in
        try? self.call { state throws(SystemFailure) in state.open[descriptor] = nil }
      },
      isSame: { path, other in
        self.state.withLock { $0.names[path] != nil && $0.names[path] == $0.names[other] }
      },
      read: { path, _ throws(SystemFailure) in
        try self.call { state throws(SystemFailure) in
          guard let file = state.names[path] else { throw SystemFailure(code: 2) }
          return state.files[file]?.bytes ?? []
        }
      })
  }

  private func synchronize(_ descriptor: Int32) throws(SystemFailure) {
    try call { state throws(SystemFailure) in
      guard let file = state.open[descriptor], let bytes = state.files[file]?.bytes else {
        throw .inputOutput
      }
      state.files[file]?.synchronized = bytes
    }
  }

  private func remove(_ path: String, isFolder: Bool) throws(SystemFailure) {
    try call { state throws(SystemFailure) in
      guard let file = state.names[path] else { throw SystemFailure(code: 2) }
      guard state.files[file]?.isFolder == isFolder,
        !state.names.keys.contains(where: { $0.hasPrefix(path + "/") })
      else { throw SystemFailure(code: isFolder ? 39 : 21) }
      state.names[path] = nil
      state.changes.append(Change(folder: Self.folder(path), removed: path))
    }
  }
}
