#if os(Linux)
  import Dispatch
  import Synchronization

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// A thread that does nothing but start processes, and lives until its last use.
  ///
  /// Linux ends a process that requested it (`PR_SET_PDEATHSIG`) with the *thread* that started it,
  /// and threads of Dispatch come and go.
  package final class LauncherThread: Sendable {
    private let queue = WorkQueue()

    /// Starts the thread; without one (no memory) work is done on the caller's.
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

    /// Does something on the thread and waits for it.
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

  /// What waits for the thread; nothing at the end.
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
