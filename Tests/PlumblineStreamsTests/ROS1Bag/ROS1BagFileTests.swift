import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
@Suite("Bags of ROS 1")
struct ROS1BagFileTests {
  /// A message as the bag has it.
  struct Message: Hashable {
    var topic: String
    var time: UInt64
    var bytes: [UInt8]
  }

  /// A bag of three chunks with two topics, of which one has two connections.
  struct Sample {
    var builder = ROS1BagBuilder()
    var messages: [Message] = []

    init(lz4: Bool = false, seed: UInt64 = 1, isLastOpen: Bool = false) {
      var generator = SeededGenerator(seed: seed)
      if lz4 {
        builder.compression = "lz4"
        builder.compress = { MCAPCompression.compressed($0[...], by: .lz4) }
      }
      var connections: [(UInt32, String)] = []
      for chunk in 0..<3 {
        for number in 0..<5 {
          // Connections are declared where their first message is.
          if connections.count < 3 {
            let topic = connections.count == 1 ? "/b" : "/a"
            connections.append((builder.connect(topic, topic == "/b" ? "p/B" : "p/A"), topic))
          }
          let (connection, topic) = connections[Int(generator.next() % UInt64(connections.count))]
          let time = UInt64(2_000_000_000 * chunk + 100 * number) + generator.next() % 90
          let payload = (0..<(20 + generator.next() % 40)).map { _ in
            UInt8(truncatingIfNeeded: generator.next())
          }
          builder.add(connection, time: time, payload)
          messages.append(Message(topic: topic, time: time, bytes: payload))
        }
        if chunk < 2 || !isLastOpen { builder.closeChunk() }
      }
    }
  }

  static func messages(
    _ bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> (file: ROS1BagFile, messages: [Message]) {
    let file = try ROS1BagFile(source: MemoryBytes(bytes), limits: limits)
    var messages: [Message] = []
    for place in try file.places(ofChannels: Set(file.messageChannels.map(\.id))) {
      guard let payload = try? file.payload(at: place) else { continue }
      #expect(payload.serialization == .ros1)
      messages.append(
        Message(
          topic: file.topic(of: place.channelID), time: place.logTime, bytes: Array(payload.bytes)))
    }
    return (file, messages)
  }

  @Test("An indexed bag gives every message by time", arguments: [false, true])
  func indexed(lz4: Bool) throws {
    var sample = Sample(lz4: lz4)
    let (file, messages) = try Self.messages(sample.builder.indexed())
    #expect(file.isIndexed && file.findings.isEmpty)
    #expect(messages == sample.messages.sorted { $0.time < $1.time })
    #expect(
      file.messageChannels == [
        ROSChannel(id: 0, topic: "/a", type: "p/msg/A"),
        ROSChannel(id: 1, topic: "/b", type: "p/msg/B"),
      ])
    let places = try file.places(ofChannels: [1])
    #expect(places.count == sample.messages.count { $0.topic == "/b" })
  }

  @Test("A bag without an index is scanned, with what stands in its open chunk")
  func unfinished() throws {
    for isLastOpen in [false, true] {
      let sample = Sample(isLastOpen: isLastOpen)
      let (file, messages) = try Self.messages(sample.builder.unfinished())
      #expect(!file.isIndexed)
      #expect(file.findings.map(\.code) == [.sequenceWithoutIndex])
      #expect(messages == sample.messages.sorted { $0.time < $1.time })
    }
  }

  @Test("Cut at every length, a bag gives whole messages of the sound one or a typed error")
  func truncated() throws {
    for lz4 in [false, true] {
      var sample = Sample(lz4: lz4)
      let bytes = sample.builder.indexed()
      let all = Set(sample.messages)
      var last = 0
      // The padding of the bag header is the same at every length.
      let lengths = stride(from: 4000, to: bytes.count, by: lz4 ? 5 : 1)
      for length in Array(0..<100) + Array(lengths) + [bytes.count - 1] {
        do throws(CaptureReadingError) {
          let (file, messages) = try Self.messages(Array(bytes[..<length]))
          #expect(all.isSuperset(of: messages) && !file.isIndexed)
          #expect(messages.count >= last, "\(length)")
          last = messages.count
        } catch {
          #expect(length < 13 && error.reason == .malformed, "\(length): \(error)")
        }
      }
      #expect(last == all.count)
    }
  }

  @Test("Flipped bytes end in messages or typed errors")
  func flipped() throws {
    for lz4 in [false, true] {
      var sample = Sample(lz4: lz4)
      let sound = [sample.builder.indexed(), sample.builder.unfinished()]
      for (number, bytes) in sound.enumerated() {
        for seed in 0..<300 as Range<UInt64> {
          // Behind the padding of the bag header.
          let damaged =
            Array(bytes[..<4100])
            + ByteDamage.flipped(Array(bytes[4100...]), seed: seed + 1000 * UInt64(number))
          do throws(CaptureReadingError) {
            _ = try Self.messages(damaged)
          } catch {
            #expect(!error.expected.isEmpty && !error.found.isEmpty)
          }
        }
      }
    }
  }

  @Test("Where an index is damaged the chunk's records are read; where both are, others remain")
  func damagedIndex() throws {
    var sample = Sample()
    let sound = sample.builder.indexed()
    let mark = Array("op=\u{4}".utf8)
    let first = try #require(
      sound.indices.first { sound[$0...].starts(with: mark) }, "there is an index record")
    var damaged = sound
    damaged[first + 3] = 0x09
    let (file, messages) = try Self.messages(damaged)
    #expect(file.isIndexed && messages == sample.messages.sorted { $0.time < $1.time })
    // The first connection record of the first chunk.
    damaged[4109 + 50] = 0xFF
    damaged[4109 + 51] = 0xFF
    let rest = try Self.messages(damaged).messages
    #expect(Set(rest) == Set(sample.messages.filter { $0.time >= 2_000_000_000 }))
  }

  @Test("A scan goes on behind damage, at the next chunk that can be read")
  func resumed() throws {
    for lz4 in [false, true] {
      let sample = Sample(lz4: lz4)
      var bytes = sample.builder.unfinished()
      // The length of the first chunk's header.
      bytes[4109 + 2] = 0x77
      // Connections of the first chunk are lost with it, so only a bag that declares all in the
      // second could give the rest: here nothing is declared, and nothing invented.
      let (file, messages) = try Self.messages(bytes)
      #expect(Set(sample.messages).isSuperset(of: messages))
      #expect(file.findings.map(\.code).contains(.sequenceDamagedBytes))
    }
    var builder = ROS1BagBuilder()
    let connection = builder.connect("/a", "p/A")
    for time in 1...3 as ClosedRange<UInt64> {
      builder.add(connection, time: time, [UInt8](repeating: UInt8(time), count: 9))
      builder.closeChunk()
    }
    var bytes = builder.unfinished()
    let chunks = bytes.indices.filter { bytes[$0...].starts(with: Array("op=\u{5}".utf8)) }
    // The name of the second chunk's first field.
    bytes[chunks[1]] = 0x58
    let (file, messages) = try Self.messages(bytes)
    #expect(messages.map(\.time) == [1, 3])
    #expect(file.findings.map(\.code) == [.sequenceWithoutIndex, .sequenceDamagedBytes])
  }

  @Test("Refuses by name what is not read")
  func refused() throws {
    func error(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) -> CaptureReadingError?
    {
      #expect(throws: CaptureReadingError.self) { try Self.messages(bytes, limits: limits) }
    }
    var bz2 = Sample()
    bz2.builder.compression = "bz2"
    bz2.builder.add(0, time: 9_000_000_000, [1])
    let compressed = error(bz2.builder.indexed())
    #expect(compressed?.reason == .unsupported)
    #expect(compressed?.found.contains("bz2") == true)
    #expect(compressed?.expected.contains("rosbag decompress") == true)
    var encrypted = Sample()
    encrypted.builder.headerFields = [("encryptor", Array("rosbag/AesCbcEncryptor".utf8))]
    #expect(error(encrypted.builder.indexed())?.found == "rosbag/AesCbcEncryptor")
    for old in ["#ROSBAG V1.2\n", "#ROSRECORD V1.2\n", "#ROSLOG V1.1\n"] {
      let bytes = Array(old.utf8) + [UInt8](repeating: 0, count: 100)
      #expect(ROS1BagFile.recognizes(bytes) && error(bytes)?.reason == .unsupported)
    }
    #expect(error([0x50, 0x4B])?.reason == .malformed)
    var sound = Sample()
    let bytes = sound.builder.indexed()
    var limits = ReadingLimits()
    limits.mcapMessages = 10
    #expect(error(bytes, limits)?.reason == .limitExceeded)
    #expect(error(sound.builder.unfinished(), limits)?.reason == .limitExceeded)
    limits = ReadingLimits()
    limits.mcapSummaryBytes = 20
    #expect(error(bytes, limits)?.reason == .limitExceeded)
  }

  @Test("A chunk that claims more than its bytes can hold is refused before any memory")
  func claims() throws {
    var builder = ROS1BagBuilder()
    builder.compression = "lz4"
    builder.compress = { _ in [4, 0x22, 0x4D, 0x18] }
    let connection = builder.connect("/a", "p/A")
    builder.add(connection, time: 1, [UInt8](repeating: 0, count: 5000))
    let bytes = builder.indexed()
    let file = try ROS1BagFile(source: MemoryBytes(bytes))
    let place = try #require(try file.places(ofChannels: [0]).first)
    let error = #expect(throws: CaptureReadingError.self) { try file.payload(at: place) }
    #expect(error?.reason == .malformed)
    var limits = ReadingLimits()
    limits.fileBytes = 4000
    let strict = try ROS1BagFile(source: MemoryBytes(bytes), limits: limits)
    let refused = #expect(throws: CaptureReadingError.self) { try strict.payload(at: place) }
    #expect(refused?.reason == .limitExceeded)
  }
}
