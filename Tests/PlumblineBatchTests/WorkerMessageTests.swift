import PlumblineIO
import PlumblineSimulation
import Testing

@testable import PlumblineBatch

/// What is written on the channel of a worker is read back as it was.
@Suite struct WorkerMessageTests {
  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func messagesSurviveTheChannel(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> String {
      let scalars = (0..<Int(generator.next() % 30)).map { _ in
        Unicode.Scalar(UInt32(generator.next() % 0x3000)) ?? "x"
      }
      return String(String.UnicodeScalarView(scalars))
    }
    let request = WorkerRequest(
      id: Int(generator.next() >> 12), arguments: [text(), text(), text()],
      output: generator.next() % 2 == 0 ? text() : nil,
      thumbnail: generator.next() % 2 == 0 ? text() : nil, isPacked: generator.next() % 2 == 0,
      unless: generator.next() % 2 == 0 ? text() : nil)
    #expect(request.line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try WorkerRequest(parsing: request.line.dropLast()) == request)
    let document: JSONValue = [
      "schema": "plumbline.check/1", "file": .string(text()), "findings": [["code": "a.b"]],
      "verdict": "measurable",
    ]
    let packed = PackedResult(document, code: 0, path: text(), bytes: 5, sha256: text())
    var (messages, answers): ([UInt8], [WorkerAnswer]) = ([], [])
    for result in [WorkerAnswer.Result.document(document), .packed(packed), .unchanged] {
      let answer = WorkerAnswer(
        id: Int(generator.next() >> 12), code: 65, seconds: 0.125, processorSeconds: 0.5,
        peakBytes: 1 << 40, bytes: nil, sha256: text(), result: result)
      messages += answer.message
      answers.append(answer)
    }
    // In pieces of any size, as a pipe gives them.
    var received: [UInt8] = []
    var read: [WorkerAnswer] = []
    while !messages.isEmpty {
      let count = min(messages.count, 1 + Int(generator.next() % 200))
      received += messages.prefix(count)
      messages.removeFirst(count)
      for message in try #require(WorkerMessages.take(from: &received, atMost: 1 << 16)) {
        read.append(try WorkerAnswer(message: message))
      }
    }
    #expect(read == answers && received.isEmpty)
  }

  @Test func aBlockThatIsCutOrChangedIsRefusedOrAnotherAnswer() throws {
    let document: JSONValue = ["schema": "plumbline.check/1", "verdict": "relative"]
    var packed = PackedResult(document, code: 1, path: "a", bytes: 7, sha256: nil)
    // An unknown one is a NaN, of which there are many.
    packed.depthSigmaMillimeters = 1.5
    let answer = WorkerAnswer(
      id: 1, code: 1, seconds: 1, processorSeconds: 1, peakBytes: 1, bytes: 7, sha256: nil,
      result: .packed(packed))
    let block = answer.message
    for count in 5..<block.count {
      #expect(throws: CaptureReadingError.self) {
        try WorkerAnswer(message: block.prefix(count))
      }
    }
    for index in 5..<block.count {
      var other = block
      other[index] ^= 0xff
      let read = try? WorkerAnswer(message: other[...])
      #expect(read != answer)
    }
  }

  @Test func longMessagesAreNotWaitedFor() {
    // A block that will have 2³² bytes, and a line that has more than the limit.
    var block: [UInt8] = [1, 0xff, 0xff, 0xff, 0xff, 0]
    #expect(WorkerMessages.take(from: &block, atMost: 1 << 10) == nil)
    var line = [UInt8](repeating: 0x20, count: 2_000)
    #expect(WorkerMessages.take(from: &line, atMost: 1 << 10) == nil)
    var short = Array("{}\n{".utf8)
    #expect(WorkerMessages.take(from: &short, atMost: 1 << 10)?.count == 1)
    #expect(short == Array("{".utf8))
  }

  @Test func aPackedLineHasWhatTheDocumentHadAndTheFile() throws {
    let document: JSONValue = [
      "schema": "plumbline.check/1", "sha256": "before", "path": "before", "verdict": "relative",
    ]
    let packed = PackedResult(document, code: 1, path: "a/ü.heic", bytes: 7, sha256: "after")
    #expect(
      String(decoding: try packed.line(), as: UTF8.self)
        == #"{"schema":"plumbline.check/1","verdict":"relative","path":"a/ü.heic","bytes":7,"#
        + #""sha256":"after"}"#)
    #expect(packed.verdict == "relative" && !packed.isFailed && packed.error == nil)
  }

  @Test(arguments: ["", "{}", "[]", "{\"id\":1}", "{\"id\":\"a\",\"arguments\":[]}", "\u{0}"])
  func whatIsNoRequestIsRefused(text: String) {
    #expect(throws: JSONReadingError.self) { try WorkerRequest(parsing: Array(text.utf8)[...]) }
    #expect(throws: JSONReadingError.self) { try WorkerAnswer(parsing: Array(text.utf8)[...]) }
  }

  /// The row of tables is the same whether it is made of the document or of what the journal keeps.
  @Test(arguments: [
    #"{"schema":"plumbline.error/1","code":65,"message":"broken","place":"byte 3","expected":null}"#,
    #"{"schema":"plumbline.check/1","verdict":"measurable","reason":"ü","source":{"make":"A","#
      + #""model":"B","os":"unknown"},"depth":{"width":4,"height":3,"unit":"m","medianMeters":0.25},"#
      + #""uncertainty":{"zMillimeters":1.5,"lengthPercent":0.125},"findings":[{"code":"a.b","#
      + #""severity":"fault"},{"code":"c.d","severity":"note"}],"outputs":{"report":"x/report.html"}}"#,
    #"{"schema":"plumbline.measure/1","measurements":[{"kind":"distance","value":0.5,"sigma":null,"#
      + #""unit":"m"},{"kind":"box","name":"width","value":null,"sigma":0.1,"unit":"m"}]}"#,
    #"{"schema":"plumbline.batch-files/1","outputs":["a/b.ply"]}"#,
  ])
  func aRowSurvivesTheJournal(text: String) throws {
    let document = try JSONValue(parsing: Array(text.utf8))
    let row = ResultRow(path: "p", bytes: 3, sha256: "s", code: 65, document: document)
    let packed = PackedResult(document, code: 65, path: "p", bytes: 3, sha256: "s")
    let read = ResultRow(
      packed: try JSONValue(parsing: Array(packed.row.utf8)), path: "p", bytes: 3, sha256: "s",
      isFailed: packed.isFailed, code: 65)
    #expect(read == row)
  }
}
