import Foundation
import PlumblineTestSupport
import Testing

@testable import PlumblineIO

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A lock on a file lasts from `lock` to `unlock`.
@Suite struct FileLockTests {
  private let operations = FileOperations.system

  @Test func aSecondLockIsRefusedUntilTheFirstEnds() throws {
    let folder = try TemporaryFolder()
    let first = try operations.lock(folder.path, false)
    #expect { _ = try operations.lock(folder.path, false) } throws: {
      ($0 as? SystemFailure)?.isLocked == true
    }
    operations.unlock(first)
    try operations.unlock(operations.lock(folder.path, false))
  }

  /// A program that is being started has copies of all descriptors for a moment.
  @Test func aCopyOfTheDescriptorDoesNotKeepTheLock() throws {
    let folder = try TemporaryFolder()
    let first = try operations.lock(folder.path, false)
    let copy = dup(first)
    defer { close(copy) }
    operations.unlock(first)
    try operations.unlock(operations.lock(folder.path, false))
  }
}
