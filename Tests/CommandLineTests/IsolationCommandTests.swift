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

    @Test("view decodes in a worker that ends with it, and goes on when the worker is killed")
    func view() throws {
      let server = try ServedCommand([
        "view", ViewCommandTests.demo + "/healthy-truedepth.jpg", "--no-open",
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

    /// Whether a process is gone, or waits for somebody to ask how it ended.
    private static func isDead(_ process: Int32) -> Bool {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return true
      }
      return text.contains(") Z ")
    }

    @Test("Started by hand it says nothing and ends")
    func byHand() throws {
      let run = try CommandRun(DecoderWorker.argument)
      #expect(run.status == 1 && run.output.isEmpty && !run.wasLate)
    }
  }
#endif
