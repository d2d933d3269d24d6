import Synchronization

/// The function as C has it: its context, the stage, how many are done of how many; false ends the work.
package typealias ProgressFunction =
  @convention(c) @Sendable (
    UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int64, Int64
  ) -> Bool

/// The progress function of a caller: called from any thread, never from two at once, and never again once it
/// ended the work.
final class ProgressReport: Sendable {
  private let function: ProgressFunction?
  /// The caller's pointer as a number, since pointers are not `Sendable`; it is only handed back.
  private let context: Int
  private let isCancelled = Mutex(false)

  /// Keeps a function with its context; without one nothing is reported.
  init(_ function: ProgressFunction?, context: UnsafeMutableRawPointer?) {
    self.function = function
    self.context = Int(bitPattern: context)
  }

  /// Reports how far the work is.
  ///
  /// - Returns: Whether it goes on.
  @discardableResult
  func report(_ stage: String, _ done: Int, of total: Int) -> Bool {
    isCancelled.withLock { isCancelled in
      guard !isCancelled, let function else { return !isCancelled }
      isCancelled = !stage.withCString {
        function(UnsafeMutableRawPointer(bitPattern: context), $0, Int64(done), Int64(total))
      }
      return !isCancelled
    }
  }

  /// Reports how far the work is, and ends it where the caller wants that.
  func step(_ stage: String, _ done: Int, of total: Int) throws(CancelledError) {
    guard report(stage, done, of: total) else { throw CancelledError() }
  }

  /// Ends the work where the caller wanted that meanwhile.
  func check() throws(CancelledError) {
    if isCancelled.withLock({ $0 }) { throw CancelledError() }
  }
}
