import Plumbline
import Synchronization

/// What a command prints while another one runs it in its own process.
///
/// Inside `CapturedOutput.$current.withValue(…)` the document goes here, and all other text nowhere.
final class CapturedOutput: Sendable {
  /// The output of the command that runs in this task; `nil` for one that prints to its own streams.
  @TaskLocal static var current: CapturedOutput?

  private let last = Mutex<JSONValue?>(nil)

  /// The document that was printed last; `nil` for none.
  var document: JSONValue? { last.withLock { $0 } }

  /// Keeps a document in place of one that was printed before.
  func take(_ document: JSONValue) { last.withLock { $0 = document } }
}
