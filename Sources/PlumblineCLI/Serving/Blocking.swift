import Dispatch
import Synchronization

/// Runs asynchronous work for a command, whose main thread waits for it.
func blocking<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () async throws(Failure) -> Value
) throws(Failure) -> Value {
  let result = Mutex<Result<Value, Failure>?>(nil)
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    let outcome: Result<Value, Failure>
    do throws(Failure) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    end.signal()
  }
  end.wait()
  guard let outcome = result.withLock({ $0 }) else {
    preconditionFailure("work ended without an outcome")
  }
  return try outcome.get()
}
