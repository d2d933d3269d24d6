import PlumblineModel
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Text messages: what is written is read, and what is wrong is named.
@Suite struct StreamMessageTests {
  static let messages: [StreamMessage] = {
    var status = StreamStatus()
    status.framesPerSecond = 29.5
    status.received = 300
    status.skipped = 4
    status.dropped = ["lateData": 2, "outOfBuffers": 1]
    status.thermal = .serious
    status.latencyMilliseconds = 12.25
    status.latencyPlusMinusMilliseconds = 1.5
    status.viewers = 3
    status.recording = StreamStatus.Recording(
      path: "a.mcap", frames: 300, stored: 270, bytes: 1 << 40)
    return [
      .hello(session: "A-z9", name: "Ada’s “phone” <b>"), .hello(session: "a", name: nil),
      .welcome(session: "A-z9", next: 17, stored: 12),
      .welcome(session: "A-z9", next: 0, stored: nil), .received(sequence: 17, stored: nil),
      .clock(id: 5, seconds: nil), .clock(id: 5, seconds: 12.345), .thermal(.critical),
      .dropped(reason: "lateData", count: 1), .bye, .error(code: "busy", message: "try later"),
      .live(source: "simulated room"), .shown(sequence: 17), .status(StreamStatus()),
      .status(status), .scene(["schema": "plumbline.scene/2", "metric": true, "rays": [0.5]]),
      .ended(reason: "finished"),
    ]
  }()

  @Test(arguments: messages)
  func everyMessageComesBack(message: StreamMessage) throws {
    #expect(try StreamMessage(message.encoded) == message)
    #expect(!message.encoded.contains(0x0A))
  }

  @Test func unknownTypesAreLeftAside() throws {
    #expect(try StreamMessage(Array(#"{"type":"later","x":1}"#.utf8)) == nil)
    #expect(try StreamMessage(Array(#"{"type":"bye","x":1}"#.utf8)) == .bye)
    // A state of a newer client.
    #expect(try StreamMessage(Array(#"{"type":"thermal","state":"molten"}"#.utf8)) == nil)
    let status = Array(#"{"type":"status","thermal":"molten"}"#.utf8)
    #expect(try StreamMessage(status) == .status(StreamStatus()))
  }

  @Test(arguments: [
    ("", "message"), ("[]", "message"), ("{}", "type"), (#"{"type":1}"#, "type"),
    (#"{"type":"hello","session":"a"}"#, "schema"),
    (#"{"type":"hello","schema":"plumbline.stream/2","session":"a"}"#, "schema"),
    (#"{"type":"hello","schema":"plumbline.stream/1","session":""}"#, "session"),
    (#"{"type":"hello","schema":"plumbline.stream/1","session":"a/../b"}"#, "session"),
    (#"{"type":"received","sequence":-1}"#, "sequence"),
    (#"{"type":"received","sequence":1e99}"#, "sequence"),
    (#"{"type":"clock","seconds":1}"#, "id"),
    (#"{"type":"clock","id":1,"seconds":"x"}"#, "seconds"),
    (#"{"type":"thermal","state":1}"#, "state"), (#"{"type":"dropped","reason":"x"}"#, "count"),
    (#"{"type":"status","dropped":{"late":-1}}"#, "late"),
  ])
  func whatIsWrongIsNamed(text: String, place: String) {
    do throws(CaptureReadingError) {
      _ = try StreamMessage(Array(text.utf8))
      Issue.record("\(text) was read")
    } catch {
      #expect(error.path.contains(place), "\(error)")
    }
  }

  @Test func longTextsAreRefused() {
    let long = StreamMessage.live(source: String(repeating: "a", count: 2000))
    #expect(throws: CaptureReadingError.self) { try StreamMessage(long.encoded) }
  }

  @Test func aCutMessageIsRefused() {
    for message in Self.messages {
      let bytes = message.encoded
      for count in 0..<bytes.count {
        #expect(throws: CaptureReadingError.self) { try StreamMessage(Array(bytes[..<count])) }
      }
    }
  }
}
