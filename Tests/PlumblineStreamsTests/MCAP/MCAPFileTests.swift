import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams
struct MCAPFileTests {
  /// Three channels with jumbled times in small chunks.
  static func sample(
    _ compression: MCAPWritingOptions.Compression = .none, messages: Int = 60
  ) throws -> (bytes: [UInt8], messages: [MCAPMessage]) {
    var options = MCAPWritingOptions()
    options.compression = compression
    options.chunkBytes = 2_000
    options.chunkNanoseconds = .max
    let output = MemoryOutput()
    var writer = try MCAPWriter(
      file: output.makeFile("a"), profile: "p", library: "l", options: options)
    let schema = try writer.addSchema(name: "s", encoding: "e", data: [1, 2, 3])
    for topic in ["/a", "/b", "/c"] {
      _ = try writer.addChannel(
        topic: topic, messageEncoding: "m", schemaID: schema, metadata: ["k": topic])
    }
    try writer.addMetadata("settings", ["one": "1", "two": "2"])
    try writer.addAttachment(
      MCAPAttachment(name: "n", mediaType: "t", logTime: 3, createTime: 4, data: [9, 8, 7]))
    var generator = SeededGenerator(seed: 11)
    var all: [MCAPMessage] = []
    for number in 0..<messages {
      let data = (0..<Int(generator.next() % 300)).map { UInt8(truncatingIfNeeded: $0 / 4) }
      let message = MCAPMessage(
        channelID: UInt16(1 + generator.next() % 3), sequence: UInt32(number),
        logTime: UInt64(number) * 10 + generator.next() % 35, publishTime: UInt64(number),
        data: data[...])
      all.append(message)
      try writer.write(message)
    }
    try writer.finish()
    return (try output.folder.bytes(of: "a"), all)
  }

  private func inTime(_ messages: [MCAPMessage]) -> [MCAPMessage] {
    messages.enumerated().sorted {
      ($0.element.logTime, $0.offset) < ($1.element.logTime, $1.offset)
    }.map(\.element)
  }

  @Test(arguments: MCAPWritingOptions.Compression.allCases)
  func everyCompressionReadsBack(_ compression: MCAPWritingOptions.Compression) throws {
    let (bytes, messages) = try Self.sample(compression)
    let file = try MCAPFile(source: MemoryBytes(bytes))
    #expect(file.isIndexed && file.chunks.count > 3)
    #expect(file.profile == "p" && file.library == "l")
    #expect(file.channels.values.map(\.topic).sorted() == ["/a", "/b", "/c"])
    #expect(file.metadata == [MCAPMetadata(name: "settings", values: ["one": "1", "two": "2"])])
    #expect(try file.attachment(file.attachments[0]).data == [9, 8, 7])
    var found: [MCAPMessage] = []
    #expect(try file.forEachMessage { found.append($0) } == [])
    #expect(found == inTime(messages))
    found = []
    _ = try file.forEachMessage(channels: [2], logTimes: 100...400) { found.append($0) }
    #expect(
      found == inTime(messages.filter { $0.channelID == 2 && (100...400).contains($0.logTime) }))
    let places = try file.messagePlaces(channels: [3])
    let third = inTime(messages.filter { $0.channelID == 3 })
    #expect(places.count == third.count)
    for index in places.indices.reversed() {
      #expect(try file.message(at: places[index]) == third[index])
    }
  }

  @Test func aFileCutAnywhereHoldsItsWholeChunks() throws {
    let (bytes, messages) = try Self.sample()
    let whole = try MCAPFile(source: MemoryBytes(bytes))
    let sizes = try whole.chunks.indices.map { number in
      try whole.messagePlaces().filter { $0.chunk == number }.count
    }
    // Around every border of chunk and index, and everywhere in between.
    let borders = whole.chunks.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
    let lengths = Set(borders.flatMap { ($0 - 2)...($0 + 2) })
      .union(stride(from: 8, to: bytes.count, by: 97)).union([bytes.count - 1])
    for length in lengths.sorted() {
      let file = try MCAPFile(source: MemoryBytes(Array(bytes.prefix(length))))
      let chunks = whole.chunks.prefix { $0.range.upperBound <= length }.count
      var found: [MCAPMessage] = []
      #expect(try file.forEachMessage { found.append($0) } == [])
      let expected = inTime(Array(messages.prefix(sizes.prefix(chunks).reduce(0, +))))
      #expect(found == expected, "cut at \(length)")
      #expect(!file.isIndexed && !file.findings.isEmpty, "cut at \(length)")
      #expect(file.gaps.allSatisfy { $0.range.upperBound == length })
    }
  }

  @Test func aFlippedByteInAChunkCostsThatChunkOnly() throws {
    let (bytes, messages) = try Self.sample()
    let whole = try MCAPFile(source: MemoryBytes(bytes))
    let places = try whole.messagePlaces()
    for (number, chunk) in whole.chunks.enumerated() {
      var damaged = bytes
      damaged[chunk.range.upperBound - 9] ^= 0x40
      let lost = Set(places.filter { $0.chunk == number }.map(\.offset))
      let rest = try places.filter { $0.chunk != number }.map { try whole.message(at: $0) }
      for isCut in [false, true] {
        let source = MemoryBytes(isCut ? Array(damaged.dropLast(8)) : damaged)
        let file = try MCAPFile(source: source)
        #expect(file.isIndexed == !isCut)
        var found: [MCAPMessage] = []
        let gaps = try file.forEachMessage { found.append($0) } + file.gaps
        #expect(found == rest, "chunk \(number)")
        #expect(gaps.map(\.range) == [chunk.range], "chunk \(number)")
        if !isCut { #expect(gaps[0].messages == lost.count) }
      }
      let output = MemoryOutput()
      let recovery = try MCAPRecovery(from: MemoryBytes(damaged), to: output.makeFile("b"))
      #expect(recovery.chunksDropped == 1 && recovery.gaps.map(\.range) == [chunk.range])
      let again = try MCAPFile(source: MemoryBytes(output.folder.bytes(of: "b")))
      var found: [MCAPMessage] = []
      #expect(try again.forEachMessage { found.append($0) } == [])
      #expect(found == rest && again.isIndexed)
      #expect(again.metadata == whole.metadata && again.attachments.count == 1)
    }
    #expect(messages.count == places.count)
  }

  @Test func aDamagedLengthIsPassedByTheNextChunkThatProvesItself() throws {
    let (bytes, _) = try Self.sample()
    let whole = try MCAPFile(source: MemoryBytes(bytes))
    var damaged = Array(bytes.prefix(whole.chunks[5].range.upperBound))
    let chunk = whole.chunks[2].range
    damaged[chunk.lowerBound + 3] = 0x7F
    let file = try MCAPFile(source: MemoryBytes(damaged))
    #expect(file.chunks.map(\.range) == [0, 1, 3, 4, 5].map { whole.chunks[$0].range })
    #expect(file.gaps.count == 1 && file.gaps[0].range.lowerBound == chunk.lowerBound)
    #expect(file.gaps[0].range.upperBound == whole.chunks[3].range.lowerBound)
  }

  @Test func damageNeverTrapsNorReturnsOtherMessages() throws {
    for compression in MCAPWritingOptions.Compression.allCases {
      let (bytes, messages) = try Self.sample(compression, messages: 30)
      let sound = Set(messages.map(\.data))
      for seed in UInt64(0)..<300 {
        let damaged = ByteDamage.flipped(bytes, seed: seed)
        guard let file = try? MCAPFile(source: MemoryBytes(damaged)) else { continue }
        _ = try? file.forEachMessage { #expect(sound.contains($0.data), "seed \(seed)") }
        _ = try? MCAPRecovery(from: MemoryBytes(damaged), to: MemoryOutput().makeFile("b"))
      }
    }
  }

  @Test func aChunkIsNeverOlderThanAQuarterOfASecond() throws {
    let output = MemoryOutput()
    var writer = try MCAPWriter(file: output.makeFile("a"), library: "")
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "", schemaID: 0)
    for number in 0..<100 {
      let time = UInt64(number) * 33_333_333
      try writer.write(
        MCAPMessage(
          channelID: channel, sequence: 0, logTime: time, publishTime: time, data: [1]))
    }
    #expect(writer.storedMessageCount == 0)
    try writer.flush()
    #expect(writer.storedMessageCount == 100)
    try writer.finish()
    let file = try MCAPFile(source: MemoryBytes(output.folder.bytes(of: "a")))
    #expect(file.chunks.count == 13)
    #expect(file.chunks.allSatisfy { $0.messageEndTime - $0.messageStartTime < 250_000_000 })
  }

  @Test func aFullOutputKeepsWhatWaits() throws {
    let output = MemoryOutput(capacity: 900)
    var writer = try MCAPWriter(file: output.makeFile("a"), library: "")
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "", schemaID: 0)
    try writer.write(
      MCAPMessage(channelID: channel, sequence: 0, logTime: 0, publishTime: 0, data: [1]))
    try writer.flush()
    try writer.write(
      MCAPMessage(
        channelID: channel, sequence: 1, logTime: 1, publishTime: 1,
        data: Array(repeating: 0, count: 2_000)[...]))
    #expect(throws: RecordingWritingError.self) { try writer.flush() }
    #expect(throws: RecordingWritingError.self) { try writer.finish() }
    #expect(writer.storedMessageCount == 1 && writer.messageCount == 2)
    let file = try MCAPFile(source: MemoryBytes(output.folder.bytes(of: "a")))
    #expect(try file.messagePlaces().count == 1)
  }

  @Test(.enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func theCraftedLengthIsAGap() throws {
    let bytes = try RealData.bytes("bad/crafted/mcap_len.mcap")
    let file = try MCAPFile(source: MemoryBytes(bytes))
    #expect(file.chunks.isEmpty && file.gaps.count == 1 && !file.findings.isEmpty)
  }

  @Test(.enabled(if: PythonPeer.has("mcap"), "\(PythonPeer.absence("mcap"))"))
  func theFormatsOwnPackageReadsTheSame() throws {
    for compression in MCAPWritingOptions.Compression.allCases {
      let (bytes, messages) = try Self.sample(compression)
      let folder = try TemporaryFolder()
      try folder.put(bytes, at: "a.mcap")
      let text = String(
        decoding: try PythonPeer.run("mcap_values.py", folder.file("a.mcap")), as: UTF8.self)
      let lines = inTime(messages).map { message in
        "\(message.channelID) \(message.sequence) \(message.logTime) \(message.publishTime) "
          + SHA256Digest.hexadecimal(of: message.data)
      }
      let streamed = messages.map { message in
        "\(message.channelID) \(message.sequence) \(message.logTime) \(message.publishTime) "
          + SHA256Digest.hexadecimal(of: message.data)
      }
      let head = [
        "p l", "schema 1 s e 010203", "channel 1 1 /a m {'k': '/a'}",
        "channel 2 1 /b m {'k': '/b'}", "channel 3 1 /c m {'k': '/c'}",
        "metadata settings {'one': '1', 'two': '2'}", "attachment n t 3 4 090807",
        "statistics 60 1 3 1 1",
      ]
      #expect(
        text.split(separator: "\n").map(String.init)
          == head + ["indexed"] + lines + ["streamed"] + streamed, "\(compression)")
    }
  }
}
