import PlumblineCapture
import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineStreams
import Testing
@testable import PlumblineIO

@Suite("Watching")
struct LiveTests {
  private func waitUntil(_ condition: () -> Bool) async throws {
    for _ in 0..<4000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(condition())
  }

  @Test("A viewer gets the source, the scene before its first frame, frames by credit, and the end")
  func order() async throws {
    let hub = LiveHub()
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      #expect(try await viewer.next("live")["source"]?.string == "")
      let feed = hub.begin("first")
      #expect(try await viewer.next("live")["source"]?.string == "first")
      feed.show(scene: Array(#"{"type":"scene","number":1}"#.utf8))
      feed.show(frame: [0], sequence: 0, moment: LiveMoment())
      #expect(try await viewer.nextContent().json?["number"]?.integer == 1)
      #expect(try await viewer.nextContent().payload == [0])
      feed.show(frame: [1], sequence: 1, moment: LiveMoment())
      #expect(try await viewer.nextBinary() == [1])
      // Two are not yet shown: the newest of those to come waits for its turn.
      for number in UInt8(2)..<10 {
        feed.show(frame: [number], sequence: Int(number), moment: LiveMoment())
      }
      // The status is sent twice a second, so the first ones may be older.
      var status = try await viewer.next("status")
      while status["received"]?.integer != 10 { status = try await viewer.next("status") }
      #expect(status["skipped"]?.integer == 7)
      #expect(status["viewers"]?.integer == 1)
      #expect(status["recording"]?.isNull == true)
      try await viewer.send(text: #"{"type":"shown","sequence":1}"#)
      #expect(try await viewer.nextBinary() == [9])

      // A scene holds until the next one; a newer source takes its place until it ends.
      feed.show(scene: Array(#"{"type":"scene","number":2}"#.utf8))
      let second = hub.begin("second")
      #expect(try await viewer.next("live")["source"]?.string == "second")
      feed.show(frame: [99], sequence: 10, moment: nil)
      second.show(frame: [50], sequence: 0, moment: nil)
      #expect(try await viewer.nextBinary() == [50])
      second.set(thermal: .serious)
      second.add(DroppedFrame(timestampSeconds: nil, reason: .lateData, count: 3))
      second.set(recording: StreamStatus.Recording(path: "a.mcap", frames: 5, stored: 4, bytes: 9))
      var warm = try await viewer.next("status")
      while warm["recording"]?.isNull != false { warm = try await viewer.next("status") }
      #expect(warm["thermal"]?.string == "serious")
      #expect(warm["dropped"]?["lateData"]?.integer == 3)
      #expect(warm["recording"]?["stored"]?.integer == 4)
      #expect(warm["latencyMilliseconds"]?.isNull == true)
      second.end(reason: "over")
      #expect(try await viewer.next("ended")["reason"]?.string == "over")
      #expect(try await viewer.next("live")["source"]?.string == "first")
      #expect(try await viewer.next("scene")["number"]?.integer == 2)
      #expect(try await viewer.nextBinary() == [99])
    }
  }

  @Test("Who comes when the last source is over sees its last frame and why, until another begins")
  func late() async throws {
    let hub = LiveHub()
    let feed = hub.begin("replay")
    feed.show(scene: Array(#"{"type":"scene","number":1}"#.utf8))
    feed.show(frame: [7], sequence: 0, moment: nil)
    feed.show(frame: [8], sequence: 1, moment: nil)
    feed.end(reason: "played to its end")
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      #expect(try await viewer.next("live")["source"]?.string == "replay")
      #expect(try await viewer.nextContent().json?["number"]?.integer == 1)
      #expect(try await viewer.nextContent().payload == [8])
      #expect(try await viewer.next("ended")["reason"]?.string == "played to its end")
      let next = hub.begin("next")
      #expect(try await viewer.next("live")["source"]?.string == "next")
      next.show(frame: [9], sequence: 0, moment: nil)
      #expect(try await viewer.nextBinary() == [9])
      let another = try await WireClient.webSocket(server, "/api/live")
      #expect(try await another.next("live")["source"]?.string == "next")
    }
  }

  @Test("Of two viewers the fast one gets every frame, whatever the slow one does")
  func slowAndFast() async throws {
    let hub = LiveHub()
    let feed = hub.begin("camera")
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let slow = try await WireClient.webSocket(server, "/api/live")
      let fast = try await WireClient.webSocket(server, "/api/live")
      for viewer in [slow, fast] { _ = try await viewer.next("live") }
      for number in 0..<60 {
        let frame = [UInt8](repeating: UInt8(number), count: 20_000)
        feed.show(frame: frame, sequence: number, moment: nil)
        #expect(try await fast.nextBinary() == frame)
        try await fast.send(text: #"{"type":"shown","sequence":\#(number)}"#)
      }
      #expect(try await slow.nextBinary().first == 0)
      #expect(try await slow.nextBinary().first == 1)
      try await slow.send(text: #"{"type":"shown","sequence":1}"#)
      #expect(try await slow.nextBinary().first == 59)
      var status = try await slow.next("status")
      while status["skipped"]?.integer != 57 { status = try await slow.next("status") }
      #expect(try await fast.next("status")["skipped"]?.integer == 0)
    }
  }

  @Test("A viewer that stops reading is dropped; the source goes on and nothing piles up")
  func stalled() async throws {
    let hub = LiveHub()
    let feed = hub.begin("camera")
    try await withServer({ $0.stallSeconds = 2 }, endpoints: [LiveEndpoint(hub)]) { server in
      let stalled = try await WireClient.webSocket(server, "/api/live")
      _ = try await stalled.next("live")
      let witness = try await WireClient.webSocket(server, "/api/live")
      _ = try await witness.next("live")
      try await stalled.stopReading()
      // It goes on saying that it showed everything, and takes nothing.
      let frame = [UInt8](repeating: 1, count: 1 << 20)
      var number = 0
      while hub.viewerCount == 2, number < 2000 {
        feed.show(frame: frame, sequence: number, moment: nil)
        _ = try await witness.nextBinary()
        try await witness.send(text: #"{"type":"shown","sequence":\#(number)}"#)
        await stalled.trySend(
          WireClient.frame(1, Array(#"{"type":"shown","sequence":\#(number)}"#.utf8)))
        number += 1
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(hub.viewerCount == 1)
      #expect(!witness.isClosed)
      #expect(try await witness.next("status")["skipped"]?.integer == 0)
    }
  }

  @Test("Five hundred idle connections, and a viewer still gets its frames")
  func idleCrowd() async throws {
    let hub = LiveHub()
    let feed = hub.begin("camera")
    try await withServer(endpoints: [LiveEndpoint(hub)]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      _ = try await viewer.next("live")
      var crowd: [WireClient] = []
      for _ in 0..<500 { crowd.append(try await WireClient.connect(server)) }
      try await waitUntil { server.connectionCount == 501 }
      for number in 0..<30 {
        feed.show(frame: [UInt8(number)], sequence: number, moment: nil)
        #expect(try await viewer.nextBinary() == [UInt8(number)])
        try await viewer.send(text: #"{"type":"shown","sequence":\#(number)}"#)
      }
      let late = try await WireClient.webSocket(server, "/api/live")
      _ = try await late.next("live")
      #expect(try await late.nextBinary() == [29])
      #expect(crowd.allSatisfy { !$0.isClosed })
    }
  }

  @Test("When the server ends, viewers are told good-bye")
  func goodBye() async throws {
    var settings = ServerSettings()
    settings.host = "localhost"
    let server = try await ViewServer.start(
      settings, content: EchoContent(), endpoints: [LiveEndpoint(LiveHub())])
    let viewer = try await WireClient.webSocket(server, "/api/live")
    _ = try await viewer.next("live")
    let waiting = try await WireClient.connect(server)
    async let stopped: Void = server.stop()
    #expect(try await viewer.farewell() == 1001)
    await viewer.trySend(WireClient.frame(8, [0x03, 0xe9]))
    await stopped
    try await viewer.waitForEnd()
    try await waiting.waitForEnd()
    #expect(server.connectionCount == 0)
  }
}
