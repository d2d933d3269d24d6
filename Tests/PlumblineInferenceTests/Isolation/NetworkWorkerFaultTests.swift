#if os(Linux)
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineInference

  /// What a runtime does that was taken over by a model, or that fails, costs that run alone.
  @Suite(
    "Network workers: faults",
    .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
  struct NetworkWorkerFaultTests {
    /// Runs a fault, then a sound input, which a new worker answers.
    private func failure(of fault: String, answerSeconds: Double = 120) throws -> InferenceError {
      let workers = IsolatedNetworks.workers(answerSeconds: answerSeconds)
      let network = try IsolatedNetworks.small(workers)
      let expected = try network.run([IsolatedNetworks.input()])
      let error = try #require(
        #expect(throws: InferenceError.self) {
          try network.run([IsolatedNetworks.input(fault: fault)])
        })
      #expect(error.reason == .failed && error.subject == "small.onnx")
      if answerSeconds > 10 {
        #expect(try network.run([IsolatedNetworks.input()]) == expected)
        #expect(workers.startedCount >= 2)
      }
      return error
    }

    @Test(
      "What a network does not need ends the worker, and the next run gets a new one",
      arguments: [
        "open", "openForWriting", "openProgram", "stat", "unlink", "socket", "localSocket",
        "connect", "exec", "fork", "kill", "limits",
      ])
    func forbidden(fault: String) throws {
      // SIGSYS, which the filter sends and nothing else here.
      #expect(try failure(of: fault).found == "its worker ended with signal 31")
    }

    @Test(
      "A worker that ends is told by how it ended",
      arguments: [
        ("abort", "signal 6"), ("exit", "status 7"), ("memory", "status 42"),
        ("systemFile", "status 45"),
      ])
    func ends(fault: String, how: String) throws {
      #expect(try failure(of: fault).found == "its worker ended with \(how)")
    }

    @Test("A worker that hangs is ended at the deadline")
    func hangs() throws {
      let error = try failure(of: "hang", answerSeconds: 5)
      #expect(error.found == "no answer within 5000 ms, after which its worker was ended")
    }

    @Test(
      "An answer that is none is not believed",
      arguments: [
        "garbage", "long", "bigField", "silentSuccess", "otherShape", "largeShape",
        "negativeShape", "moreRoom", "littleRoom",
      ])
    func garbled(fault: String) throws {
      #expect(try failure(of: fault).found == "an answer that is none")
    }

    @Test(
      "A model that crashes the runtime while it is loaded is an error of that model",
      arguments: [
        ("abort", "its worker ended with signal 6"), ("open", "its worker ended with signal 31"),
        ("garbage", "an answer that is none"), ("silentSuccess", "an answer that is none"),
        ("openInput", "an answer that is none"),
      ])
    func loading(fault: String, found: String) throws {
      let runtime = try IsolatedNetworks.runtime(IsolatedNetworks.workers())
      let error = #expect(throws: InferenceError.self) {
        try runtime.network(
          IsolatedNetworks.model(fault: fault), inputShapes: [], threads: 1)
      }
      #expect(error?.found == found && error?.subject == "fault.onnx")
    }

    @Test("A model that hangs the runtime while it is loaded is ended at the deadline")
    func loadingHangs() throws {
      let runtime = try IsolatedNetworks.runtime(IsolatedNetworks.workers(startSeconds: 30))
      let error = #expect(throws: InferenceError.self) {
        try runtime.network(
          IsolatedNetworks.model(fault: "hang"), inputShapes: [], threads: 1)
      }
      #expect(error?.found == "no answer within 30000 ms, after which its worker was ended")
    }

    @Test("A program that is no worker, or is not there, is an error of every network")
    func strangers() throws {
      for (program, found) in [
        ("/bin/true", "it ended with status 0 before its first message"),
        ("/nowhere/worker", "/nowhere/worker could not be started"),
      ] {
        let workers = NetworkWorkers(program: program, arguments: [])
        let error = #expect(throws: InferenceError.self) { try IsolatedNetworks.small(workers) }
        #expect(error?.reason == .failed)
        #expect(error?.found.hasPrefix(found) == true, "\(error?.found ?? "")")
      }
    }
  }
#endif
