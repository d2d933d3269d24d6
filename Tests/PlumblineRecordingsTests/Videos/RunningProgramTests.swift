#if os(Linux) || os(macOS)
  import Foundation
  import PlumblineModel
  import PlumblineTestSupport
  import Testing
  @testable import PlumblineIO
  @testable import PlumblineRecordings

  // One after the other: they watch a clock.
  @Suite("Programs in processes of their own", .serialized)
  struct RunningProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func program(_ script: String) throws -> ProgramFile {
      ProgramFile(name: "ffmpeg", path: try folder.putScript(script, at: "ffmpeg"))
    }

    private func limits(seconds: Int = 20) -> ProgramLimits {
      var limits = ProgramLimits()
      limits.answerSeconds = seconds
      return limits
    }

    private func interruption(_ program: RunningProgram, _ count: Int) -> ProgramFailure? {
      do throws(RunningProgram.Interruption) {
        _ = try program.read(count) { nil }
      } catch {
        if case .program(let failure) = error { return failure }
      }
      return nil
    }

    @Test("Writes and reads at once: more than any pipe holds, both ways")
    func exchange() throws {
      let running = try RunningProgram(program("exec cat"), [], limits: limits())
      let chunk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var left = 40
      let bytes = try running.read(40 * chunk.count + 1) {
        left -= 1
        return left >= 0 ? chunk : nil
      }
      #expect(bytes.count == 40 * chunk.count && bytes.suffix(chunk.count) == chunk[...])
      #expect(running.failure() == nil)
    }

    @Test("Ends what hangs, with all that it started")
    func hang() throws {
      let mark = folder.file("alive")
      let running = try RunningProgram(
        program("(sleep 3; : > '\(mark)') & sleep 600"), [], limits: limits(seconds: 1))
      let failure = try #require(interruption(running, 1))
      #expect(failure == .tooSlow(program: "ffmpeg", seconds: 1))
      #expect(failure.detail.contains("ffmpeg did not answer within 1 s"))
      Thread.sleep(forTimeInterval: 2.5)
      #expect(folder.bytes("alive") == nil)
    }

    @Test("Takes of a flood what was asked for, and ends the rest; complaints without end too")
    func flood() throws {
      let running = try RunningProgram(
        program("yes flood >&2 & exec yes"), [], limits: limits())
      let bytes = try running.read(100_000) { [UInt8](repeating: 7, count: 1000) }
      #expect(bytes.count == 100_000)
      let complaining = try RunningProgram(
        program("yes flood >&2 & exec sleep 600"), [], limits: limits(seconds: 1))
      #expect(interruption(complaining, 1) == .tooSlow(program: "ffmpeg", seconds: 1))
    }

    @Test("Tells the status and the complaint, made safe to print")
    func complaint() throws {
      let running = try RunningProgram(
        program("printf 'bad\\033[31m data\\nmore\\n' >&2; exit 3"), [], limits: limits())
      let answer = try running.read(10) { [1, 2, 3] }
      #expect(answer.isEmpty)
      #expect(
        running.earlyEnd()
          == .ended(
            program: "ffmpeg", status: "status 3", message: "bad\\u{1b}[31m data; more"))
    }

    @Test("Arguments are never read as a script, and nothing of the environment is passed on")
    func arguments() throws {
      let odd = ["$(touch x)", "; exit 9", "a b", "*", "\"'", "-"]
      let running = try RunningProgram(
        program("for word; do printf '%s|' \"$word\"; done; printf '%s' \"$HOME$PWD_NOT_SET\""),
        odd, limits: limits())
      let bytes = try running.read(1000) { nil }
      #expect(String(decoding: bytes, as: UTF8.self) == odd.map { $0 + "|" }.joined())
    }

    @Test("The system ends what uses too much processor time or memory")
    func systemLimits() throws {
      var limits = limits()
      limits.processorSeconds = 1
      let busy = try RunningProgram(program("while :; do :; done"), [], limits: limits)
      let answer = try busy.read(1) { nil }
      #expect(answer.isEmpty)
      guard case .ended(_, let status, _) = busy.earlyEnd() else {
        Issue.record("not ended")
        return
      }
      // 24 is SIGXCPU, 9 SIGKILL at the hard limit.
      #expect(["signal 24", "signal 9"].contains(status))
      limits.memoryMegabytes = 64
      #if os(Linux)
        let greedy = try RunningProgram(
          program("exec dd if=/dev/zero bs=200000000 count=1"), [], limits: limits)
        let nothing = try greedy.read(1) { nil }
        #expect(nothing.isEmpty)
        #expect(greedy.failure() != nil)
      #endif
    }

    @Test("A video whose decoder is absent, hangs or is another program gives errors that say so")
    func decoders() throws {
      let video = try MP4Video(MemoryBytes(SampleMP4.video()))
      func detail(_ decoding: FFmpegDecoding) -> String {
        let reader = VideoReader(video, source: MemoryBytes(SampleMP4.video()), decoding: decoding)
        do throws(VideoReader.Failure) {
          _ = try reader.image(at: 0)
          return "decoded"
        } catch {
          if case .program(let failure) = error { return failure.detail }
          return "\(error)"
        }
      }
      let starts = folder.file("starts")
      let hanging = FFmpegDecoding(
        program: try program("echo >> '\(starts)'; sleep 60"), limits: limits(seconds: 1))
      #expect(detail(hanging).contains("did not answer"))
      // Waiting for it again would cost a video of a thousand images hours.
      #expect(detail(hanging).contains("did not answer"))
      #expect(folder.bytes("starts")?.count == 1)
      let other = FFmpegDecoding(program: try program("exit 127"), limits: limits())
      #expect(detail(other).contains("ended with status 127"))
      #expect(throws: ProgramFailure.absent(program: "no-such-ffmpeg")) {
        try ProgramFile(named: "no-such-ffmpeg")
      }
    }
  }
#endif
