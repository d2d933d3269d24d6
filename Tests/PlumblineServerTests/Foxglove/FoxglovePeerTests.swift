import Dispatch
import PlumblineCapture
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineServer
import PlumblineSimulation
import PlumblineTestSupport
import Synchronization
import Testing

@Suite("A client of Foxglove's protocol in Python")
struct FoxglovePeerTests {
  /// What a camera sent, by whole nanoseconds.
  private final class Sent: Sendable {
    let captures = Mutex<[Int: Capture]>([:])
  }

  /// Runs a simulated camera for ever.
  private func run(_ feed: LiveFeed, _ sent: Sent) async throws {
    var settings = LiveCameraSettings()
    settings.size = RasterSize(width: 64, height: 48)
    settings.videoFramesPerSecond = 15
    settings.depthFramesPerSecond = 15
    settings.viewCount = 2
    var sequence = 0
    for try await event in SimulatedDepthCamera(settings).events() {
      guard case .capture(let capture) = event, let seconds = capture.timestampSeconds else {
        continue
      }
      sent.captures.withLock { $0[Int((seconds * 1e9).rounded())] = capture }
      feed.show(capture, sequence: sequence)
      sequence += 1
    }
  }

  /// Waits for a program on a thread that may be held up.
  private func peer(_ arguments: [String]) async throws -> JSONValue {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try JSONValue(parsing: try PythonPeer.run("foxglove_client.py", arguments: arguments))
          })
      }
    }
  }

  /// Depth, or its reciprocal; the camera gives no ranges.
  private static func meters(_ values: DepthRecord.Values) -> Raster<Float>? {
    switch values {
    case .depth(let map): map.meters
    case .disparity(let map): map.inverseMeters.map { 1 / $0 }
    case .range: nil
    }
  }

  private static func floats(hexadecimal text: String) -> [UInt32] {
    let digits = text.utf8.map { UInt32($0 < 0x3a ? $0 - 0x30 : $0 - 0x57) }
    return stride(from: 0, to: digits.count - 7, by: 8).map { start in
      (0..<4).reduce(0) { word, byte in
        word | (digits[start + 2 * byte] << 4 | digits[start + 2 * byte + 1]) << UInt32(8 * byte)
      }
    }
  }

  @Test(
    "Reads every depth and every camera number as it was sent",
    .enabled(
      if: PythonPeer.has("websockets", "rosbags", "mcap_ros2", "numpy"),
      Comment(rawValue: PythonPeer.absence("websockets, rosbags and mcap-ros2-support"))))
  func peer() async throws {
    let hub = LiveHub()
    let feed = hub.begin("simulated camera")
    let sent = Sent()
    try await withServer(endpoints: [FoxgloveEndpoint(hub, settings: ServerSettings())]) { server in
      let camera = Task { try await run(feed, sent) }
      defer { camera.cancel() }
      let heard = try await peer([
        "ws://127.0.0.1:\(server.port)/foxglove", "foxglove.websocket.v1", "4",
      ])
      let captures = sent.captures.withLock { $0 }
      var counts: [String: Int] = [:]
      for entry in try #require(heard["messages"]?.elements) {
        let topic = try #require(entry["topic"]?.string)
        let message = try #require(entry["message"])
        let time = try #require(entry["time"]?.integer)
        let capture = try #require(captures[time])
        counts[topic, default: 0] += 1
        switch topic {
        case "/camera/depth/image_raw":
          let depth = try #require(capture.depth)
          let meters = try #require(Self.meters(depth.values))
          #expect(message["encoding"]?.string == "32FC1")
          #expect(message["width"]?.integer == meters.size.width)
          #expect(message["height"]?.integer == meters.size.height)
          let values = Self.floats(hexadecimal: try #require(message["data"]?.string))
          let isEqual = zip(values, meters.packed.samples).allSatisfy { came, meters in
            meters.isNaN ? Float(bitPattern: came).isNaN : came == meters.bitPattern
          }
          #expect(values.count == meters.size.pixelCount && isEqual)
        case "/camera/depth/camera_info":
          let depth = try #require(capture.depth)
          let camera = try #require(depth.calibration).intrinsics.scaled(to: depth.size)
          let (focal, point) = (camera.focalLength, camera.principalPoint)
          #expect(
            message["k"]?.numbers == [focal.x, 0, point.x, 0, focal.y, point.y, 0, 0, 1])
        case "/camera/color/image_raw/compressed":
          #expect(message["format"]?.string == "jpeg")
          #expect(message["data"]?.string?.hasPrefix("ffd8ff") == true)
        default: break
        }
      }
      for topic in [
        "/camera/depth/image_raw", "/camera/depth/camera_info",
        "/camera/color/image_raw/compressed", "/camera/color/camera_info", "/plumbline/frame",
      ] {
        #expect((counts[topic] ?? 0) >= 4, "\(topic): \(counts)")
      }
      #expect(counts["/tf_static", default: 0] <= 1)
    }
  }
}
