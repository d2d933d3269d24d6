import PlumblineCapture
import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineStreams
import PlumblineTestSupport
import Synchronization
import Testing
@testable import PlumblineIO

@Suite("Cameras that send their captures")
struct IngestTests {
  /// The cameras that an endpoint reported.
  private final class Cameras: Sendable {
    let list = Mutex<[RemoteCamera]>([])

    func next(_ count: Int = 1) async throws -> RemoteCamera {
      for _ in 0..<4000 where list.withLock({ $0.count }) < count {
        try await Task.sleep(for: .milliseconds(5))
      }
      return try list.withLock { try #require($0.last) }
    }
  }

  private struct Recorded {
    var captures: [Capture] = []
    var dropped: [DroppedFrame] = []
    var thermal: [ThermalState] = []
  }

  private func endpoint(
    _ hub: LiveHub, _ cameras: Cameras, keepsFrames: Bool = true,
    _ change: (inout ServerSettings) -> Void = { _ in }
  ) -> IngestEndpoint {
    var settings = ServerSettings()
    change(&settings)
    return IngestEndpoint(hub: hub, settings: settings, keepsFrames: keepsFrames) { camera in
      cameras.list.withLock { $0.append(camera) }
    }
  }

  private func greet(_ client: WireClient, _ session: String = "one") async throws -> Int? {
    try await client.send(
      text:
        #"{"type":"hello","schema":"plumbline.stream/1","session":"\#(session)","name":"A phone"}"#)
    return try await client.next("welcome")["next"]?.integer
  }

  private static func message(_ index: Int) -> [UInt8] {
    StreamFrame(sequence: index, capture: SampleCaptures.frame(index)).encoded()
  }

  private func record(_ camera: RemoteCamera, pause: Duration = .zero) async throws -> Recorded {
    var recorded = Recorded()
    for try await event in camera.events() {
      switch event {
      case .capture(let capture): recorded.captures.append(capture)
      case .dropped(let frames): recorded.dropped.append(frames)
      case .thermal(let reading): recorded.thermal.append(reading.state)
      default: break
      }
      if pause > .zero { try await Task.sleep(for: pause) }
    }
    return recorded
  }

  @Test("Broken off and resumed, the recording has every frame once and viewers saw them")
  func resume() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras)
    try await withServer(endpoints: [LiveEndpoint(hub), publish]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      let first = try await WireClient.webSocket(server, "/api/publish")
      #expect(try await greet(first) == 0)
      let camera = try await cameras.next()
      #expect(camera.name == "A phone")
      async let recording = record(camera)
      for index in 0..<10 { try await first.send(binary: Self.message(index)) }
      // The last one breaks off in the middle.
      let cut = WireClient.frame(2, Self.message(10))
      try await first.send(Array(cut[..<(cut.count / 2)]))
      while try await first.next("received")["sequence"]?.integer != 9 {}
      await first.close()

      camera.report(storedFrames: 4)
      let second = try await WireClient.webSocket(server, "/api/publish")
      let next = try #require(try await greet(second))
      #expect(next == 10)
      // What is there already is ignored.
      for index in (next - 3)..<20 { try await second.send(binary: Self.message(index)) }
      try await second.send(text: #"{"type":"thermal","state":"fair"}"#)
      try await second.send(text: #"{"type":"dropped","reason":"lateData","count":2}"#)
      try await second.send(binary: Self.message(23))
      try await second.send(text: #"{"type":"a word of tomorrow","x":[]}"#)
      try await second.send(text: #"{"type":"bye"}"#)
      let receipt = try await second.next("received")
      #expect(receipt["stored"]?.integer == 4)
      try await second.waitForEnd()

      let recorded = try await recording
      let times: [Double?] = (Array(0..<20) + [23]).map { (index: Int) in 100 + Double(index) / 30 }
      #expect(recorded.captures.map(\.timestampSeconds) == times)
      #expect(recorded.thermal == [.fair])
      #expect(recorded.dropped.map(\.reason) == [.lateData, .discontinuity])
      #expect(recorded.dropped.map(\.count) == [2, 3])
      #expect(camera.isOver)
      #expect(try await viewer.nextBinary() == Self.message(0))
      #expect(try await viewer.next("ended")["reason"]?.string == "the camera ended")
      #expect(cameras.list.withLock { $0.count } == 1)
      // The name is free again.
      let third = try await WireClient.webSocket(server, "/api/publish")
      #expect(try await greet(third) == 0)
      publish.stop()
    }
  }

  @Test("A slow recording makes the camera wait and loses nothing; viewers do not wait for it")
  func backPressure() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras)
    try await withServer(endpoints: [LiveEndpoint(hub), publish]) { server in
      let client = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(client)
      let camera = try await cameras.next()
      var capture = SampleCaptures.frame(0)
      // Large enough that the network's buffers do not hold all.
      capture.color = nil
      capture.colorFile = EncodedImage(.jpeg, bytes: [UInt8](repeating: 7, count: 1 << 20))
      let sender = Task { [capture] in
        for index in 0..<40 {
          var one = capture
          one.timestampSeconds = Double(index)
          // A mask of zeros, since taking a mask off or on costs nothing that matters here.
          let message = StreamFrame(sequence: index, capture: one).encoded()
          try await client.send(WireClient.frame(2, message, mask: [0, 0, 0, 0]))
        }
        try await client.send(text: #"{"type":"bye"}"#)
      }
      // No consumer takes frames yet: some wait, and then the camera does.
      for _ in 0..<4000 where camera.frameCount < 8 { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(200))
      #expect(camera.frameCount < 40)
      let recorded = try await record(camera, pause: .milliseconds(2))
      let times: [Double?] = (0..<40).map { Double($0) }
      #expect(recorded.captures.map(\.timestampSeconds) == times)
      #expect(recorded.dropped.isEmpty)
      try await sender.value
      publish.stop()
    }
  }

  @Test("A flood of news makes the camera wait as well, and none is lost")
  func newsPressure() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras) { $0.framesPerSecondLimit = 100_000 }
    try await withServer(endpoints: [publish]) { server in
      let client = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(client)
      let camera = try await cameras.next()
      // More than is read at a time.
      let text = Array(#"{"type":"dropped","reason":"lateData","count":1}"#.utf8)
      let flood = Array(repeatElement(WireClient.frame(1, text), count: 4000).joined())
      try await client.send(flood + WireClient.frame(2, Self.message(0)))
      try await client.send(text: #"{"type":"bye"}"#)
      try await Task.sleep(for: .milliseconds(300))
      #expect(camera.frameCount == 0)
      let recorded = try await record(camera)
      #expect(recorded.captures.count == 1)
      #expect(recorded.dropped.reduce(0) { $0 + $1.count } == 4000)
      publish.stop()
    }
  }

  @Test("Too many frames at once have to wait; all arrive")
  func rate() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras, keepsFrames: false) { $0.framesPerSecondLimit = 60 }
    try await withServer(endpoints: [publish]) { server in
      let client = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(client)
      let camera = try await cameras.next()
      for index in 0..<90 { try await client.send(binary: Self.message(index)) }
      for _ in 0..<4000 where camera.frameCount < 90 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(camera.frameCount == 90)
      #expect(!client.isClosed)
      publish.stop()
    }
  }

  @Test("What is no greeting, no frame or too much is answered with a code, and then it is over")
  func refusals() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras) { $0.remoteCameraLimit = 2 }
    let hello = #"{"type":"hello","schema":"plumbline.stream/1","session":"#
    let sound = Self.message(0)
    // There is no number after it.
    let header = #"{"type":"frame","sequence":\#(Int.max),"parts":[]}"#
    let farthest = Array("PLS1".utf8) + [UInt8(header.utf8.count), 0, 0, 0] + Array(header.utf8)
    let cases: [(greets: Bool, bytes: [UInt8], code: String)] = [
      (false, WireClient.frame(2, sound), "hello"),
      (false, WireClient.frame(1, Array(#"{"type":"bye"}"#.utf8)), "hello"),
      (false, WireClient.frame(1, Array("[]".utf8)), "text"),
      (false, WireClient.frame(1, Array("{".utf8)), "text"),
      (false, WireClient.frame(1, Array((hello + "\"\"}").utf8)), "session"),
      (false, WireClient.frame(1, Array((hello + "\"../x\"}").utf8)), "session"),
      (
        false,
        WireClient.frame(
          1, Array(#"{"type":"hello","schema":"plumbline.stream/9","session":"a"}"#.utf8)), "schema"
      ),
      (true, WireClient.frame(2, []), "frame"),
      (true, WireClient.frame(2, Array(sound.dropLast())), "frame"),
      (true, WireClient.frame(2, sound + [0]), "frame"),
      (true, WireClient.frame(2, [0x50, 0x4c, 0x53, 0x31, 255, 255, 255, 255]), "frame"),
      (true, WireClient.frame(2, farthest), "frame"),
      (true, WireClient.frame(1, Array("null".utf8)), "text"),
    ]
    try await withServer(endpoints: [publish]) { server in
      for one in cases {
        let client = try await WireClient.webSocket(server, "/api/publish")
        if one.greets { _ = try await greet(client) }
        await client.trySend(one.bytes)
        #expect(try await client.next("error")["code"]?.string == one.code, "\(one.code)")
        #expect(try await client.farewell() == 1008)
      }
      // The first session still waits for its camera.
      let second = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(second, "two")
      let third = try await WireClient.webSocket(server, "/api/publish")
      try await third.send(text: hello + "\"three\"}")
      #expect(try await third.next("error")["code"]?.string == "busy")
      // A session that goes on elsewhere leaves its old connection.
      let again = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(again, "two")
      #expect(try await second.farewell() == 1000)
      publish.stop()
    }
  }

  @Test("Who stays away too long has ended; a broken part is a lost frame and not the end")
  func absence() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras) { $0.resumeSeconds = 0.3 }
    try await withServer(endpoints: [publish]) { server in
      let client = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(client)
      let camera = try await cameras.next()
      async let recording = record(camera)
      var broken = Self.message(0)
      // Depth that claims an unknown kind of samples, in a message that is whole.
      let samples = Array(#""samples":"uint16""#.utf8)
      if let place = broken.indices.first(where: { broken[$0...].starts(with: samples) }) {
        broken.replaceSubrange(
          place..<(place + samples.count), with: Array(#""samples":"uint77""#.utf8))
      }
      try await client.send(binary: broken)
      try await client.send(binary: Self.message(1))
      await client.close()
      let recorded = try await recording
      #expect(recorded.captures.count + recorded.dropped.count >= 2)
      #expect(recorded.captures.last?.timestampSeconds == 100 + 1 / 30.0)
      #expect(camera.isOver)
    }
  }

  @Test("Latency is told once clocks compare, with its uncertainty")
  func clocks() async throws {
    let (hub, cameras) = (LiveHub(), Cameras())
    let publish = endpoint(hub, cameras, keepsFrames: false)
    try await withServer(endpoints: [LiveEndpoint(hub), publish]) { server in
      let viewer = try await WireClient.webSocket(server, "/api/live")
      let client = try await WireClient.webSocket(server, "/api/publish")
      _ = try await greet(client)
      let clock = try await client.next("clock")
      let id = try #require(clock["id"]?.integer)
      try await client.send(text: #"{"type":"clock","id":\#(id),"seconds":100}"#)
      try await client.send(text: #"{"type":"clock","id":999,"seconds":1e300}"#)
      try await client.send(binary: Self.message(0))
      _ = try await viewer.nextBinary()
      var status = try await viewer.next("status")
      // The median is of the last second; a slow machine may be late with the news.
      while status["latencyMilliseconds"]?.number == nil {
        try await client.send(binary: Self.message(status["received"]?.integer ?? 1))
        try await viewer.send(
          text: #"{"type":"shown","sequence":\#((status["received"]?.integer ?? 1) - 1)}"#)
        status = try await viewer.next("status")
      }
      #expect((status["latencyPlusMinusMilliseconds"]?.number ?? 0) > 0)
      publish.stop()
    }
  }
}
