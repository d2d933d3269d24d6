internal import Synchronization

/// A way to end a recording from elsewhere, such as a button or a signal; it ends well.
public final class RecordingStop: Sendable {
  private let state = Mutex<(isRequested: Bool, action: (@Sendable () -> Void)?)>((false, nil))

  /// The end is not yet requested.
  public init() {}

  /// Whether an end was requested.
  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Requests the end; O(1), and without effect the second time.
  public func request() {
    let action = state.withLock { state in
      state.isRequested = true
      defer { state.action = nil }
      return state.action
    }
    action?()
  }

  /// Calls the action once at the request; at once if that was made already.
  func onRequest(_ action: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      if !state.isRequested { state.action = action }
      return state.isRequested
    }
    if isRequested { action() }
  }
}
