import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
@Suite("Messages of a frame")
struct ROSFrameMessagesTests {
  private static let captures =
    SampleCaptures.frames(2) + (0..<6).map { MCAPSamples.full(UInt64($0)) }
  private static let color = MCAPRecordingOptions().color

  private func messages(
    _ capture: Capture, at moment: ROSFrameClock.Moment, name: String = "frame",
    topics: Set<String>? = nil
  ) throws -> [ROSFrameMessages.Message] {
    try ROSFrameMessages(
      capture, name: name, moment: moment, worldAxes: .yUp, color: Self.color, topics: topics
    ).messages
  }

  @Test("A recording holds these messages and no others, what is static but once")
  func recorded() throws {
    let file = try MCAPFile(source: MemoryBytes(MCAPSamples.file(Self.captures)))
    var clock = ROSFrameClock()
    var expected: [String] = []
    for (index, capture) in Self.captures.enumerated() {
      let moment = clock.next(timestampSeconds: capture.timestampSeconds)
      for message in try messages(capture, at: moment, name: "frame-\(index)")
      where index == 0 || !message.topic.isStatic {
        expected.append("\(moment.logTime) \(message.topic.name) \(message.bytes)")
      }
    }
    var found: [String] = []
    let gaps = try file.forEachMessage { message in
      let topic = file.channels[message.channelID]?.topic ?? ""
      found.append("\(message.logTime) \(topic) \(Array(message.data))")
    }
    #expect(gaps.isEmpty)
    #expect(found == expected)
  }

  @Test("Topics that are asked for come as if all were; nothing else does")
  func filter() throws {
    for capture in Self.captures {
      var clock = ROSFrameClock()
      let moment = clock.next(timestampSeconds: capture.timestampSeconds)
      let all = try messages(capture, at: moment)
      #expect(all.last?.topic.name == MCAPTopic.frame)
      #expect(Set(all.map(\.topic)).isSubset(of: ROSTopic.ofCaptures))
      #expect(
        all.map(\.topic) == ROSTopic.ofCaptures.filter { all.map(\.topic).contains($0) },
        "the order of the list")
      #expect(try messages(capture, at: moment, topics: []).isEmpty)
      for topic in ROSTopic.ofCaptures {
        let one = try messages(capture, at: moment, topics: [topic.name])
        #expect(one.map(\.bytes) == all.filter { $0.topic == topic }.map(\.bytes), "\(topic.name)")
      }
    }
  }

  @Test("The clock of frames takes their times, and goes on by a nanosecond where it cannot")
  func clock() {
    var clock = ROSFrameClock()
    let times: [Double?] = [nil, nil, 2.5, 2.5, 1, nil, .nan, -1, 1e300, 3]
    let expected: [UInt64] = [
      0, 1, 2_500_000_000, 2_500_000_001, 2_500_000_002, 2_500_000_003, 2_500_000_004,
      2_500_000_005, 2_500_000_006, 3_000_000_000,
    ]
    #expect(times.map { clock.next(timestampSeconds: $0).logTime } == expected)
  }
}
