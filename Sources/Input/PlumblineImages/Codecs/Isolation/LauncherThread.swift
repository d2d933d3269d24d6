#if os(Linux)
  import Dispatch
  import Synchronization

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// A thread only for starting processes; it ends when this object is released.
  ///
  /// On Linux a process with `PR_SET_PDEATHSIG` is killed when the *thread* that started it ends,
  /// and threads of Dispatch are created and ended at any time.
  package final class LauncherThread: Sendable {
    private let queue = WorkQueue()

    /// Starts the thread; if that fails (no memory), work runs on the caller's thread.
    package init() {
      let box = Unmanaged.passRetained(queue)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { raw in
          if let raw { Unmanaged<WorkQueue>.fromOpaque(raw).takeRetainedValue().run() }
          return nil
        }, box.toOpaque())
      if code == 0 {
        pthread_detach(thread)
      } else {
        box.release()
        queue.isMissing.store(true, ordering: .relaxed)
      }
    }

    deinit { queue.add(nil) }

    /// Runs a closure on the thread and waits for it.
    package func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
      if queue.isMissing.load(ordering: .relaxed) { return body() }
      let answer = Answer<Result>()
      queue.add {
        answer.value.withLock { $0 = body() }
        answer.isThere.signal()
      }
      answer.isThere.wait()
      return answer.value.withLock { $0 }
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// The queue of waiting work; `nil` marks the end.
  private final class WorkQueue: Sendable {
    let isMissing = Atomic<Bool>(false)
    private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ work: (@Sendable () -> Void)?) {
      waiting.withLock { $0.append(work) }
      count.signal()
    }

    func run() {
      while true {
        count.wait()
        guard let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        work()
      }
    }
  }
#endif
