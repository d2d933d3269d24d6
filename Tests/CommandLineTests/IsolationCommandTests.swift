#if os(Linux)
  import Foundation
  import Glibc
  import Plumbline
  import PlumblineTestSupport
  import Testing

  /// The program as its own decoder.
  @Suite("plumbline: decoder workers")
  struct IsolationCommandTests {
    /// The processes that a process has started.
    private static func children(of process: Int32) -> [Int32] {
      let tasks = "/proc/\(process)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      return threads.flatMap { thread in
        let file = "\(tasks)/\(thread)/children"
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return (text ?? "").split(separator: " ").compactMap { Int32($0) }
      }
    }

    @Test(
      "A server decodes in a worker that ends with it, and goes on when the worker is killed",
      arguments: ["view", "serve"])
    func decodes(verb: String) throws {
      let server = try ServedCommand([
        verb, ViewCommandTests.demo + "/healthy-truedepth.jpg", "--no-open",
      ])
      #expect(try server.get("/api/items/0/thumbnail").body.starts(with: [0xFF, 0xD8]))
      let workers = Self.children(of: server.processIdentifier)
      let worker = try #require(workers.first)
      let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
      #expect(status.contains("Seccomp:\t2"))
      for worker in workers { kill(worker, SIGKILL) }
      usleep(50_000)
      #expect(try server.get("/api/items/0/frames/0").status == 200)
      let last = try #require(Self.children(of: server.processIdentifier).first)
      // Not even a killed server leaves one behind.
      _ = server.terminate(by: SIGKILL)
      let end = Date().addingTimeInterval(10)
      while kill(last, 0) == 0, !Self.isDead(last), Date() < end { usleep(10_000) }
      #expect(Self.isDead(last))
    }

    /// A store with a made-up head and the networks that find faces.
    private static func store(in folder: TemporaryFolder) throws -> [String: String] {
      let variables = [
        "PLUMBLINE_MODELS": folder.file("store"),
        "PLUMBLINE_OPENVINO": try #require(RealModels.openVINO),
      ]
      try FaceCommandTests.putFace(in: folder, at: "face")
      for arguments in [
        ["models", "import", folder.file("face")],
        ["models", "install", "face", "--from", try #require(RealFaceModel.path)],
      ] {
        let run = try CommandRun(arguments, environment: variables)
        #expect(run.status == 0, "\(run.message)")
      }
      return variables
    }

    @Test(
      "A server looks for faces in workers that end with it, and goes on when they are killed",
      .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
      .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
      arguments: ["view", "serve"])
    func findsFaces(verb: String) throws {
      let folder = try TemporaryFolder()
      let server = try ServedCommand(
        [verb, ViewCommandTests.demo, "--no-open"], environment: try Self.store(in: folder))
      let paths = (0..<2).map { "/api/items/\($0)/frames/0/faces" }
      let before = Set(Self.children(of: server.processIdentifier))
      let first = try server.get(paths[0])
      #expect(first.status == 200, "\(String(decoding: first.body, as: UTF8.self))")
      #expect(String(decoding: first.body, as: UTF8.self).contains("plumbline.faces/1"))
      let workers = Self.children(of: server.processIdentifier).filter { process in
        let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        return !before.contains(process) && words?.contains(NetworkWorker.argument) == true
      }
      #expect(workers.count == 3)
      for worker in workers {
        let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
        #expect(status.contains("Seccomp:\t2"))
        kill(worker, SIGKILL)
      }
      // Nothing of the runtime is in the server itself.
      let maps = try String(
        contentsOfFile: "/proc/\(server.processIdentifier)/maps", encoding: .utf8)
      #expect(!maps.contains("libopenvino"))
      usleep(50_000)
      #expect(try server.get(paths[1]).status == 200)
      let last = Self.children(of: server.processIdentifier)
      #expect(!last.isEmpty)
      _ = server.terminate(by: SIGKILL)
      let end = Date().addingTimeInterval(10)
      while !last.allSatisfy(Self.isDead), Date() < end { usleep(10_000) }
      #expect(last.allSatisfy(Self.isDead))
    }

    /// Whether a process is gone, or waits for its parent to read how it ended.
    private static func isDead(_ process: Int32) -> Bool {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return true
      }
      return text.contains(") Z ")
    }

    @Test(
      "Started by hand it says nothing and ends",
      arguments: [DecoderWorker.argument, NetworkWorker.argument])
    func byHand(argument: String) throws {
      let run = try CommandRun(argument)
      #expect(run.status == 1 && run.output.isEmpty && !run.wasLate)
    }
  }
#endif
