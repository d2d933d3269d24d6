import Synchronization

@testable import PlumblineExport
@testable import PlumblineIO

/// Counts system calls and lets one of them fail.
final class FaultInjector: Sendable {
  private let count = Mutex(0)
  private let failingCall: Int?
  private let failure: SystemFailure

  init(failingCall: Int?, failure: SystemFailure = .noSpace) {
    self.failingCall = failingCall
    self.failure = failure
  }

  /// The number of calls so far.
  var calls: Int { count.withLock { $0 } }

  private func step() throws(SystemFailure) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number == failingCall { throw failure }
  }

  /// The real calls, each counted, which write three bytes at most.
  ///
  /// Removing never fails, or else nothing could be promised.
  var operations: FileOperations {
    let real = FileOperations.system
    var faulty = real
    faulty.create = { path throws(SystemFailure) in
      try self.step()
      return try real.create(path)
    }
    faulty.write = { file, bytes throws(SystemFailure) in
      try self.step()
      return try real.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(3)))
    }
    faulty.synchronize = { file throws(SystemFailure) in
      try self.step()
      try real.synchronize(file)
    }
    faulty.synchronizeData = { file throws(SystemFailure) in
      try self.step()
      try real.synchronizeData(file)
    }
    faulty.close = { file throws(SystemFailure) in
      try real.close(file)
      try self.step()
    }
    faulty.rename = { path, new throws(SystemFailure) in
      try self.step()
      try real.rename(path, new)
    }
    faulty.replace = { path, new throws(SystemFailure) in
      try self.step()
      try real.replace(path, new)
    }
    faulty.renameFolder = { path, new throws(SystemFailure) in
      try self.step()
      try real.renameFolder(path, new)
    }
    faulty.synchronizeDirectory = { path throws(SystemFailure) in
      try self.step()
      try real.synchronizeDirectory(path)
    }
    faulty.createDirectory = { path throws(SystemFailure) in
      try self.step()
      try real.createDirectory(path)
    }
    faulty.kind = { path throws(SystemFailure) in
      try self.step()
      return try real.kind(path)
    }
    return faulty
  }
}
