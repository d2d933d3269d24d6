import Dispatch
package import PlumblineIO
import Synchronization

/// Runs a closure for every element on at most `threadCount` threads, in order of starting.
///
/// After an error no further element starts. The error of the first failing element is thrown,
/// whichever thread came upon it first, so failures do not depend on the number of threads.
package func forEachConcurrently<Element: Sendable>(
  _ elements: [Element], threadCount: Int,
  _ body: @Sendable (Element) throws(CaptureReadingError) -> Void
) throws(CaptureReadingError) {
  let workers = min(threadCount, elements.count)
  if workers <= 1 {
    for element in elements { try body(element) }
    return
  }
  let next = Atomic<Int>(0)
  let failure = Mutex<(index: Int, error: CaptureReadingError)?>(nil)
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while failure.withLock({ $0 == nil }) {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < elements.count else { return }
      do throws(CaptureReadingError) { try body(elements[index]) } catch {
        failure.withLock { if index < $0?.index ?? .max { $0 = (index, error) } }
      }
    }
  }
  if let failure = failure.withLock({ $0 }) { throw failure.error }
}
