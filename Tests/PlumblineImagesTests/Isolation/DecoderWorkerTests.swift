#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc
  import PlumblineModel
  import PlumblineTestSupport
  import Synchronization
  import Testing
  @testable import PlumblineImages
  @testable import PlumblineRecordings
  @testable import PlumblineStreams
  @Suite("Decoder workers")
  struct DecoderWorkerTests {
    @Test("One worker decodes image after image")
    func reused() throws {
      let workers = IsolatedImages.workers(count: 4)
      for _ in 0..<20 { _ = try IsolatedImages.decode(by: workers) }
      #expect(workers.startedCount == 1)
      #expect(workers.idleProcesses.count == 1)
    }

    @Test("Twelve threads share two workers")
    func bounded() throws {
      let workers = IsolatedImages.workers(count: 2)
      let expected = try JPEGFile(IsolatedImages.jpeg()[...]).primary.color().raster
      let wrong = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 12) { _ in
        for _ in 0..<5 {
          let decoded = try? IsolatedImages.decode(by: workers)
          if decoded?.raster != expected { wrong.add(1, ordering: .relaxed) }
        }
      }
      #expect(wrong.load(ordering: .relaxed) == 0)
      #expect((1...2).contains(workers.startedCount))
    }

    @Test("A worker that was ended while it had nothing to do is replaced unseen")
    func endedIdle() throws {
      let workers = IsolatedImages.workers()
      _ = try IsolatedImages.decode(by: workers)
      let process = try #require(workers.idleProcesses.first)
      kill(process, SIGKILL)
      waitUntilEnded(process)
      #expect(try IsolatedImages.decode(by: workers).notes.isEmpty)
      #expect(workers.startedCount == 2)
    }

    @Test("Workers end with the last use of them")
    func lifetime() throws {
      var process: Int32 = 0
      do {
        let workers = IsolatedImages.workers()
        _ = try IsolatedImages.decode(by: workers)
        process = try #require(workers.idleProcesses.first)
        #expect(kill(process, 0) == 0)
      }
      #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("A worker has a filter, no privileges to gain, and limits; it outlives no thread's end")
    func shutIn() throws {
      let workers = IsolatedImages.workers()
      // A thread of its own, which is gone afterwards: the worker must not go with it.
      let thread = Thread { _ = try? IsolatedImages.decode(by: workers) }
      thread.start()
      let end = Date().addingTimeInterval(60)
      while workers.idleProcesses.isEmpty, Date() < end { usleep(10_000) }
      usleep(200_000)
      let process = try #require(workers.idleProcesses.first)
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let words = status.split(separator: "\n").map { $0.split(separator: "\t") }
      #expect(words.contains { $0.first == "Seccomp:" && $0.last == "2" })
      #expect(words.contains { $0.first == "NoNewPrivs:" && $0.last == "1" })
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      func limit(_ name: String) -> Substring? {
        limits.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
          .split(separator: " ").first
      }
      #expect(limit("Max open files") == "4")
      #expect(limit("Max core file size") == "0")
      #expect(limit("Max file size") == "0")
      #expect(limit("Max address space").flatMap { Int($0) }.map { $0 <= 4 << 30 } == true)
      #expect(limit("Max cpu time").flatMap { Int($0) }.map { $0 <= 240 } == true)
      #expect(try IsolatedImages.decode(by: workers).notes.isEmpty)
      #expect(workers.startedCount == 1)
    }

    @Test("A larger image gets larger memory, a smaller one the same")
    func sizes() throws {
      let workers = IsolatedImages.workers()
      let limits = IsolatedImages.limits(workers)
      for side in [16, 700, 30, 1_500, 5_000, 40] {
        let raster = Raster<RGB8>(size: RasterSize(width: side, height: side)) { x, y in
          RGB8(red: UInt8(x & 255), green: UInt8(y & 255), blue: UInt8((x + y) & 255))
        }
        let bytes = try JPEGEncoder(quality: 80).encoded(raster)
        let here = try JPEGFile(bytes[...]).primary.color()
        let there = try JPEGFile(bytes[...]).primary.color(limits: limits)
        #expect(here.raster == there.raster)
      }
      #expect(workers.startedCount == 1)
    }
  }
#endif
