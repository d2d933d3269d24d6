import Synchronization

/// A cache of the result for the last frame that a viewer requested, since it asks repeatedly.
final class KeptFrame<Value: Sendable>: Sendable {
  private struct Kept {
    var item: Int
    var frame: Int
    var value: Value
  }

  private let kept = Mutex<Kept?>(nil)

  /// What is kept of a frame, or what `make` gives, which is kept from then on.
  ///
  /// Two callers at a time may both make it: none waits for the other.
  func value(item: Int, frame: Int, _ make: () throws -> Value) rethrows -> Value {
    if let found = kept.withLock({ $0 }), found.item == item, found.frame == frame {
      return found.value
    }
    let value = try make()
    kept.withLock { $0 = Kept(item: item, frame: frame, value: value) }
    return value
  }
}
