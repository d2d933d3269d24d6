import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineTestSupport
import Testing
@testable import PlumblineIO

@Suite("Watching with Foxglove")
struct FoxgloveTests {
  private typealias Channel = FoxgloveChannel

  private func withFoxglove(
    _ change: (inout ServerSettings) -> Void = { _ in },
    _ body: (ViewServer, LiveHub) async throws -> Void
  ) async throws {
    var settings = ServerSettings()
    change(&settings)
    let hub = LiveHub()
    try await withServer(
      change, endpoints: [FoxgloveEndpoint(hub, settings: settings), LiveEndpoint(hub)]
    ) { try await body($0, hub) }
  }

  @Test("Says first what it is and what there is, and agrees on either name of the protocol")
  func greeting() async throws {
    try await withFoxglove { server, _ in
      for name in ["foxglove.websocket.v1", "foxglove.sdk.v1"] {
        let client = try await WireClient.connect(server)
        let answer = try await client.upgrade(
          "/foxglove", headers: ["Sec-WebSocket-Protocol: other, \(name)"])
        #expect(answer.status == 101)
        #expect(answer.headers["sec-websocket-protocol"] == name)
        let info = try #require(try await client.nextFrame().json)
        #expect(info["op"]?.string == "serverInfo")
        #expect(info["capabilities"]?.elements?.compactMap(\.string) == ["time"])
        let channels = try #require(
          try await client.nextOperation("advertise")["channels"]?.elements)
        #expect(channels.compactMap { $0["id"]?.integer } == Array(1...channels.count))
        #expect(Set(channels.compactMap { $0["topic"]?.string }).count == channels.count)
        for channel in channels {
          #expect(channel["encoding"]?.string == "cdr")
          #expect(channel["schemaEncoding"]?.string == "ros2msg")
        }
        let kinds = channels.compactMap { $0["schemaName"]?.string }
        #expect(kinds.contains("sensor_msgs/msg/Image") && kinds.contains("tf2_msgs/msg/TFMessage"))
      }
      for headers in [[], ["Sec-WebSocket-Protocol: other"]] {
        let client = try await WireClient.connect(server)
        #expect(try await client.upgrade("/foxglove", headers: headers).status == 400)
      }
    }
  }

  @Test("Every message is the one that a recording holds, at the same time")
  func sameAsRecorded() async throws {
    try await withFoxglove { server, hub in
      let feed = hub.begin("camera")
      let client = try await WireClient.foxglove(server)
      try await client.subscribe(ROSTopic.ofCaptures.indices.map { (100 + $0, $0 + 1) })
      var clock = ROSFrameClock()
      for (index, capture) in SampleCaptures.frames(3).enumerated() {
        feed.show(capture, sequence: index)
        let moment = clock.next(timestampSeconds: capture.timestampSeconds)
        #expect(try await client.nextFoxglove() == .time(moment.logTime))
        // A stream does not say which way is up.
        let expected = try ROSFrameMessages(
          capture, name: "\(index)", moment: moment, worldAxes: .unknown,
          color: MCAPRecordingOptions().color)
        let messages = expected.messages.filter { index == 0 || !$0.topic.isStatic }
        #expect(messages.count == (index == 0 ? 7 : 6))
        for message in messages {
          let came = try await client.nextFoxglove()
          let id = 99 + FoxgloveChannel.number(message.topic.name)
          #expect(
            came == .data(subscription: id, time: moment.logTime, payload: message.bytes),
            "\(message.topic.name) of frame \(index)")
        }
      }
    }
  }

  @Test("Only what is subscribed to comes, from the newest frame on, until it is unsubscribed")
  func subscriptions() async throws {
    try await withFoxglove { server, hub in
      let feed = hub.begin("camera")
      let client = try await WireClient.foxglove(server)
      feed.show(SampleCaptures.frame(0), sequence: 0)
      try await client.subscribe([(7, Channel.depthInfo)])
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 7)
      // A later second topic is sent for the same frame; the first is not sent again.
      try await client.subscribe([(0, Channel.transforms)])
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 0)
      try await client.send(text: #"{"op":"unsubscribe","subscriptionIds":[7]}"#)
      try await client.subscribe([(7, Channel.frame)])
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 7)
      feed.show(SampleCaptures.frame(1), sequence: 1)
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 0)
      #expect(try await client.nextFoxglove().subscription == 7)
    }
  }

  @Test("A new source is named, its clock starts anew, and what lasts is sent again")
  func sources() async throws {
    try await withFoxglove { server, hub in
      let client = try await WireClient.foxglove(server)
      try await client.subscribe([(1, Channel.staticTransforms)])
      let first = hub.begin("first")
      #expect(
        try await client.nextOperation("status")["message"]?.string?.contains("first") == true)
      first.show(SampleCaptures.frame(5), sequence: 0)
      let late = try await client.nextFoxglove()
      _ = try await client.nextFoxglove()
      let second = hub.begin("second")
      #expect(
        try await client.nextOperation("status")["message"]?.string?.contains("second") == true)
      second.show(SampleCaptures.frame(0), sequence: 0)
      let early = try await client.nextFoxglove()
      guard case (.time(let before), .time(let after)) = (late, early) else {
        Issue.record("\(late) \(early)")
        return
      }
      #expect(after < before)
      #expect(try await client.nextFoxglove().subscription == 1)
      second.end(reason: "over")
      #expect(try await client.nextOperation("status")["message"]?.string?.contains("over") == true)
    }
  }

  @Test("A frame that cannot be read is told of, and the next one comes")
  func unreadable() async throws {
    try await withFoxglove { server, hub in
      let feed = hub.begin("camera")
      let client = try await WireClient.foxglove(server)
      try await client.subscribe([(1, Channel.depth)])
      feed.show(frame: [1, 2, 3], sequence: 0, moment: nil)
      let status = try await client.nextOperation("status")
      #expect(status["level"]?.integer == 1)
      #expect(status["message"]?.string?.contains("frame 0 cannot be read") == true)
      feed.show(SampleCaptures.frame(0), sequence: 1)
      _ = try await client.nextFoxglove()
      #expect(try await client.nextFoxglove().subscription == 1)
    }
  }

  @Test("A client that does not read gets the newest frame later; others get all meanwhile")
  func slow() async throws {
    try await withFoxglove({ $0.stallSeconds = 1 }) { server, hub in
      let feed = hub.begin("camera")
      let stalled = try await WireClient.foxglove(server)
      let witness = try await WireClient.foxglove(server)
      var big = SampleCaptures.frame(0)
      big.depth = DepthRecord(
        values: .depth(
          DepthMap(meters: Raster(size: RasterSize(width: 512, height: 512), repeating: 1))),
        storedType: "fdep", accuracy: .absolute)
      try await stalled.subscribe([(1, Channel.depth)])
      try await witness.subscribe([(1, Channel.transforms)])
      try await stalled.stopReading()
      var number = 0
      while hub.viewerCount == 2, number < 2000 {
        big.timestampSeconds = Double(number)
        feed.show(big, sequence: number)
        // Each frame, and none twice, whatever the other client does.
        #expect(try await witness.nextFoxglove() == .time(UInt64(number) * 1_000_000_000))
        #expect(try await witness.nextFoxglove().subscription == 1)
        number += 1
      }
      #expect(hub.viewerCount == 1)
    }
  }
}
