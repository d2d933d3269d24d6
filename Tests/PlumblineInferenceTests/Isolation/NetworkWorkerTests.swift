#if os(Linux)
  import Foundation
  import Glibc
  import PlumblineImages
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineInference

  @Suite(
    "Network workers", .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
  struct NetworkWorkerTests {
    private func process(of network: any NeuralNetwork) throws -> Int32 {
      try #require((network as? IsolatedNetwork)?.process)
    }

    @Test("One worker serves all threads, one run after the other")
    func shared() async throws {
      let workers = IsolatedNetworks.workers()
      let network = try IsolatedNetworks.small(workers)
      let expected = try network.run([IsolatedNetworks.input()])
      try await withThrowingTaskGroup(of: [Tensor].self) { group in
        for _ in 0..<40 { group.addTask { try network.run([IsolatedNetworks.input()]) } }
        for try await result in group { #expect(result == expected) }
      }
      #expect(workers.startedCount == 1)
    }

    @Test("A worker that was ended while it had nothing to do is replaced unseen")
    func endedIdle() throws {
      let workers = IsolatedNetworks.workers()
      let network = try IsolatedNetworks.small(workers)
      let expected = try network.run([IsolatedNetworks.input()])
      let first = try process(of: network)
      kill(first, SIGKILL)
      waitUntilEnded(first)
      #expect(try network.run([IsolatedNetworks.input()]) == expected)
      #expect(workers.startedCount == 2)
      #expect(try process(of: network) != first)
    }

    @Test("A worker ends with its network")
    func lifetime() throws {
      var process: Int32 = 0
      do {
        let network = try IsolatedNetworks.small(IsolatedNetworks.workers())
        process = try self.process(of: network)
        #expect(kill(process, 0) == 0)
      }
      #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("A worker has a filter on every thread, no privileges to gain, and limits")
    func shutIn() throws {
      let workers = IsolatedNetworks.workers()
      nonisolated(unsafe) var made: (any NeuralNetwork)?
      // A thread of its own, which is gone afterwards: the worker must not go with it.
      let thread = Thread { made = try? IsolatedNetworks.small(workers) }
      thread.start()
      let end = Date().addingTimeInterval(120)
      while !thread.isFinished, Date() < end { usleep(10_000) }
      usleep(200_000)
      let network = try #require(made)
      let process = try process(of: network)
      let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
      #expect(!tasks.isEmpty)
      for task in tasks {
        let path = "/proc/\(process)/task/\(task)/status"
        let status = try String(contentsOfFile: path, encoding: .utf8)
        let words = status.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(words.contains { $0.first == "Seccomp:" && $0.last == "2" })
        #expect(words.contains { $0.first == "NoNewPrivs:" && $0.last == "1" })
      }
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      func limit(_ name: String) -> Int? {
        limits.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
          .split(separator: " ").first.flatMap { Int($0) }
      }
      #expect(limit("Max open files") == 32)
      #expect(limit("Max core file size") == 0)
      #expect(limit("Max file size") == 0)
      #expect(limit("Max address space").map { $0 > 8 << 30 && $0 < 1 << 40 } == true)
      #expect(limit("Max cpu time").map { $0 >= 480 && $0 <= 600 } == true)
      #expect(try network.run([IsolatedNetworks.input()]).count == 1)
      #expect(workers.startedCount == 1)
    }

    @Test("No worker can change or cut the model that the next one gets")
    func sealed() throws {
      let memory = try SealedMemory([1, 2, 3])
      #expect(pwrite(memory.descriptor, [9], 1, 0) == -1 && errno == EPERM)
      #expect(ftruncate(memory.descriptor, 1) == -1 && errno == EPERM)
      let flags = PROT_READ | PROT_WRITE
      #expect(mmap(nil, 3, flags, MAP_SHARED, memory.descriptor, 0) == MAP_FAILED)
      let mapped = try #require(MappedMemory(descriptor: memory.descriptor, byteCount: 3))
      #expect(Array(mapped.bytes) == [1, 2, 3])
    }

    @Test("Whatever is sent as setup, model and answers is taken apart or refused")
    func messages() throws {
      let setup = NetworkSetup(
        SmallNetworks.weighted(), by: .openVINO, folder: "/a/b", isTFLite: true,
        inputShapes: [[1, 2], []],
        threads: 3, isReduced: true, answerSeconds: 10)
      let described = NetworkAnswer.described(
        NetworkDescription(
          inputs: [TensorDescription(name: "a", shape: [1, nil])],
          outputs: [TensorDescription(name: "b", shape: [])]))
      let answers = [
        described, .done([[1, 2], [0]]), .roomNeeded(7),
        .failed(InferenceError(.unsupported, "n", expected: "e", found: "f")),
      ]
      #expect(NetworkSetup(try #require(MessageFields(setup.message[...]))) == setup)
      for answer in answers {
        let message = answer.message
        #expect(NetworkAnswer(message, name: "n") == answer)
        for count in 0..<message.count {
          _ = NetworkAnswer(Array(message.prefix(count)), name: "n")
          var changed = message
          changed[count] ^= 0xFF
          _ = NetworkAnswer(changed, name: "n")
        }
      }
      #expect(NetworkAnswer([], name: "n") == nil)
    }
  }
#endif
