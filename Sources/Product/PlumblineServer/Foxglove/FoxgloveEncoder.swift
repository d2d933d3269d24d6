import NIOCore
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// A frame of a source, identified by numbers that only grow.
struct FoxgloveSourceFrame: Sendable {
  let frame: LiveFrame
  let number: Int
  /// Which source it is of.
  let source: Int
}

/// The messages of a frame, by channel.
struct FoxgloveFrame: Sendable {
  let number: Int
  let source: Int
  /// Nanoseconds of the source's clock.
  var nanoseconds: UInt64 = 0
  /// The channels that were requested; not all have a message.
  var channels: Set<Int> = []
  var payloads: [Int: [UInt8]] = [:]
  /// Why there are none; `nil` where all is well.
  var problem: String?
}

/// Makes messages of frames, each only once for all clients.
actor FoxgloveEncoder {
  private struct Decoded {
    let capture: Capture
    let name: String
    let moment: ROSFrameClock.Moment
  }

  private let limits: ReadingLimits
  private var clock = ROSFrameClock()
  private var decoded: Decoded?
  private var made: FoxgloveFrame?

  init(limits: ReadingLimits) { self.limits = limits }

  /// The messages of some channels, and those that were requested of the same frame before.
  func frame(_ source: FoxgloveSourceFrame, channels: Set<Int>) -> FoxgloveFrame {
    var frame = made ?? FoxgloveFrame(number: -1, source: -1)
    if frame.number != source.number {
      if frame.source != source.source { clock = ROSFrameClock() }
      frame = FoxgloveFrame(number: source.number, source: source.source)
      decode(source, &frame)
    }
    let lacking = channels.subtracting(frame.channels)
    frame.channels.formUnion(channels)
    if !lacking.isEmpty { encode(lacking, &frame) }
    made = frame
    return frame
  }

  private func decode(_ source: FoxgloveSourceFrame, _ frame: inout FoxgloveFrame) {
    decoded = nil
    do throws(CaptureReadingError) {
      let read = try StreamFrame(
        Array(source.frame.message.buffer.readableBytesView), limits: limits)
      let moment = clock.next(timestampSeconds: read.capture.timestampSeconds)
      frame.nanoseconds = moment.logTime
      decoded = Decoded(
        capture: read.capture, name: read.name ?? "\(read.sequence)", moment: moment)
    } catch {
      frame.problem = "frame \(source.frame.sequence) cannot be read: \(error)"
    }
  }

  private func encode(_ channels: Set<Int>, _ frame: inout FoxgloveFrame) {
    guard let decoded else { return }
    do throws(RecordingWritingError) {
      let made = try ROSFrameMessages(
        decoded.capture, name: decoded.name, moment: decoded.moment,
        // A stream does not say which axis of its world is up.
        worldAxes: .unknown, color: MCAPRecordingOptions().color,
        topics: Set(channels.map { FoxgloveChannels.topic($0).name }),
        limits: limits)
      for message in made.messages {
        if let number = FoxgloveChannels.number(message.topic) {
          frame.payloads[number] = message.bytes
        }
      }
    } catch {
      frame.problem = "\(error)"
    }
  }
}
