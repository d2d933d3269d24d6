#if os(Linux)
  import Foundation
  import Glibc
  import PlumblineModel
  import PlumblineTestSupport
  import Testing
  @testable import PlumblineImages
  @testable import PlumblineIO
  @testable import PlumblineStreams
  /// What a decoder does that was taken over by an image, or that fails, costs that image alone.
  @Suite("Decoder workers: faults")
  struct DecoderWorkerFaultTests {
    @Test(
      "What decoding does not need ends the worker, and the next image gets a new one",
      arguments: [
        "open", "openForWriting", "stat", "unlink", "socket", "localSocket", "connect", "exec",
        "fork", "kill", "runnableMemory", "runnableLater", "limits",
      ])
    func forbidden(fault: String) throws {
      let workers = IsolatedImages.workers()
      let error = try #require(try IsolatedImages.failure(of: fault, by: workers))
      // SIGSYS, which the filter sends and nothing else here.
      #expect(error.found == "the decoder ended with signal 31")
      #expect(error.reason == .malformed)
      #expect(try IsolatedImages.decode(by: workers).raster.size == IsolatedImages.color.size)
      #expect(workers.startedCount == 2)
    }

    @Test(
      "A worker that ends is told by how it ended",
      arguments: [("abort", "signal 6"), ("exit", "status 7"), ("memory", "status 42")])
    func ends(fault: String, how: String) throws {
      let workers = IsolatedImages.workers()
      let error = try #require(try IsolatedImages.failure(of: fault, by: workers))
      #expect(error.found == "the decoder ended with \(how)")
      #expect(try IsolatedImages.decode(by: workers).notes.isEmpty)
    }

    @Test("A trap of the language is an end as any other, though its report cannot be written")
    func trap() throws {
      let workers = IsolatedImages.workers()
      let error = try #require(try IsolatedImages.failure(of: "trap", by: workers))
      // SIGILL or SIGTRAP, as the processor has it.
      #expect(["4", "5"].map { "the decoder ended with signal \($0)" }.contains(error.found))
    }

    @Test("A worker that hangs is ended at the deadline; a waiting thread gets the next one")
    func hangs() throws {
      let workers = IsolatedImages.workers(answerSeconds: 0.5)
      let error = try #require(try IsolatedImages.failure(of: "hang", by: workers))
      #expect(error.found == "no answer within 500 ms, after which the decoder was ended")
      let patient = IsolatedImages.workers()
      #expect(try IsolatedImages.decode(by: patient).notes.isEmpty)
      #expect(workers.idleProcesses.isEmpty)
    }

    @Test(
      "An answer that is none is not believed",
      arguments: ["garbage", "long", "bigField"])
    func garbled(fault: String) throws {
      let workers = IsolatedImages.workers()
      let error = try #require(try IsolatedImages.failure(of: fault, by: workers))
      #expect(error.found == "an answer that is none")
      #expect(workers.idleProcesses.isEmpty)
      #expect(try IsolatedImages.decode(by: workers).notes.isEmpty)
    }

    @Test("Pixels that were never written are pixels of the announced size; unknown fields pass")
    func silent() throws {
      for fault in ["silentSuccess", "unknownField"] {
        let decoded = try IsolatedImages.decode(fault: fault, by: IsolatedImages.workers())
        #expect(decoded.raster.samples.count == IsolatedImages.color.samples.count)
      }
    }

    @Test("Samples over their bit depth are refused")
    func samples() throws {
      let luma = Raster<UInt16>(size: RasterSize(width: 16, height: 16)) { x, y in
        UInt16(x * 60 + y)
      }
      let image = RawHEVCImage(luma: luma, bitDepth: 10)
      var builder = HEIFBuilder()
      let properties = [
        builder.addProperty("hvcC", image.configuration), builder.addSize(16, 16),
      ]
      builder.items = [HEIFBuilder.Item(1, "hvc1", image.data, properties: properties)]
      let file = try HEIFFile(bytes: builder.bytes)
      let sound = try HEIFComposition(of: 1, in: file, maximumPixels: 1 << 20).tiles[0].image
      let decoder = IsolatedHEVCDecoder(workers: IsolatedImages.workers())
      var calls = 0
      try decoder.decode(sound, path: []) { _ in calls += 1 }
      #expect(calls == 1)
      let marker = Array("plumbline-fault:largeSamples;".utf8)
      let hostile = try HEVCStillImage(checkedUnits: sound.units + [marker[...]])
      let error = #expect(throws: CaptureReadingError.self) {
        try decoder.decode(hostile, path: ["item 1"]) { _ in calls += 1 }
      }
      #expect(error?.found == "an answer that is none" && error?.path == ["item 1"])
      #expect(calls == 1)
    }

    @Test("A program that is no worker, or is not there, is an error of every image")
    func strangers() throws {
      for (program, found) in [
        ("/bin/true", "it ended with status 0 before its first message"),
        ("/nowhere/decoder", "/nowhere/decoder could not be started"),
      ] {
        let workers = DecoderWorkers(program: program, arguments: [], count: 1)
        let error = #expect(throws: CaptureReadingError.self) {
          try IsolatedImages.decode(by: workers)
        }
        #expect(error?.reason == .unsupported)
        #expect(error?.found.hasPrefix(found) == true, "\(error?.found ?? "")")
      }
    }

    @Test("A photo keeps its depth when the decoder of its color ends")
    func photo() throws {
      let path = PackageRoot.url.appending(path: "Fixtures/demo/healthy-truedepth.jpg").path
      var bytes = try #require(FileManager.default.contents(atPath: path)).map { $0 }
      // The comment moves all that follows, so the index of images goes; they are found without.
      let comment = Array("plumbline-fault:abort;".utf8)
      bytes.insert(contentsOf: [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment, at: 2)
      let workers = IsolatedImages.workers()
      let reader = CaptureReader(limits: IsolatedImages.limits(workers))
      let capture = try reader.capture(from: bytes)
      #expect(capture.depth != nil && capture.color == nil)
      let finding = try #require(capture.findings.first { $0.code == .fileDamagedImage })
      #expect("\(finding)".contains("the decoder ended with signal 6"))
    }
  }
#endif
