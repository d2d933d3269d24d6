import Foundation
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@testable import PlumblineStreams
/// Mutants must get past the outer checks of their format, else they are no better than blind ones.
@Suite("Mutations of fuzzing")
struct MutationTests {
  /// A change that needs no fuzzer: one byte another.
  private func mutation(_ seed: UInt64) -> Mutation {
    Mutation(seed: seed) { bytes, _ in
      guard !bytes.isEmpty else { return [UInt8(truncatingIfNeeded: seed)] }
      var changed = bytes
      changed[Int(seed % UInt64(bytes.count))] ^= 1 << UInt8(seed % 8)
      return changed
    }
  }

  /// The share of mutants of 400 seeds that a reader takes, and how many differ from the original.
  private func outcome(
    of bytes: [UInt8], mutate: (inout Mutation, [UInt8]) -> [UInt8]?, isRead: ([UInt8]) -> Bool
  ) -> (read: Int, different: Int) {
    var (read, different) = (0, 0)
    for seed in 0..<400 as Range<UInt64> {
      var mutation = mutation(seed)
      guard let mutant = mutate(&mutation, bytes) else { continue }
      different += mutant == bytes ? 0 : 1
      read += isRead(mutant) ? 1 : 0
    }
    return (read, different)
  }

  private func archive() throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a.zip"))
    try writer.add("a/metadata", Array("metadata".utf8), method: .stored, alignment: 1)
    try writer.add(
      "a/0.depth", Array(repeating: 7, count: 300), method: .deflated(level: 6), alignment: 1)
    try writer.add("a/1.depth", (0..<200).map { UInt8($0) }, method: .stored, alignment: 1)
    try writer.finish()
    return try output.folder.bytes(of: "a.zip")
  }

  private func recording() throws -> [UInt8] {
    var options = MCAPWritingOptions()
    options.compression = .none
    options.chunkBytes = 300
    let output = MemoryOutput()
    var writer = try MCAPWriter(
      file: output.makeFile("a"), profile: "p", library: "l", options: options)
    let schema = try writer.addSchema(name: "s", encoding: "e", data: [1, 2, 3])
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "m", schemaID: schema)
    for number in 0..<40 as Range<UInt32> {
      let data = [UInt8](repeating: UInt8(number), count: 30)
      try writer.write(
        MCAPMessage(
          channelID: channel, sequence: number, logTime: UInt64(number),
          publishTime: UInt64(number), data: data[...]))
    }
    try writer.finish()
    return try output.folder.bytes(of: "a")
  }

  @Test("Archives without a lie open, and their files have right checksums")
  func archives() throws {
    let bytes = try archive()
    let parts = try #require(ArchiveParts(bytes))
    #expect(parts.entries.count == 3)
    #expect(parts.entries.map(\.content.count).sorted() == [8, 200, 300])
    let again = try ZIPArchive(MemoryBytes(parts.bytes(telling: nil)))
    #expect(try again.bytes(of: "0.depth") == Array(repeating: 7, count: 300))
    let (read, different) = outcome(of: bytes, mutate: { $0.zip($1) }) { mutant in
      guard let archive = try? ZIPArchive(MemoryBytes(mutant)) else { return false }
      return archive.fileNames.contains { (try? archive.bytes(of: $0)) != nil }
    }
    // One choice in eight lies, one takes awkward names; of the rest nearly all must be read.
    #expect(read >= 260, "\(read) of 400")
    #expect(different >= 330, "\(different) of 400")
  }

  @Test("Recordings keep right checksums and an index that fits, whatever changed in a record")
  func recordings() throws {
    let bytes = try recording()
    let parts = try #require(MCAPParts(bytes))
    for ending in [MCAPParts.Ending.summary, .footerAlone] {
      let same = try MCAPFile(source: MemoryBytes(parts.bytes(ending: ending, checksums: true)))
      var messages = 0
      #expect(try same.forEachMessage { _ in messages += 1 } == [])
      #expect(messages == 40, "\(ending)")
    }
    let (read, different) = outcome(of: bytes, mutate: { $0.mcap($1) }) { mutant in
      guard let file = try? MCAPFile(source: MemoryBytes(mutant)) else { return false }
      var messages = 0
      _ = try? file.forEachMessage { _ in messages += 1 }
      return messages > 0
    }
    // A third of the endings has no end at all, which is read only by recovery.
    #expect(read >= 200, "\(read) of 400")
    #expect(different >= 390, "\(different) of 400")
  }

  /// A bag of two connections and three chunks of eight messages, closed or as a crash left it.
  private func bag(compression: String = "none", isFinished: Bool = true) -> [UInt8] {
    var builder = ROS1BagBuilder()
    builder.compression = compression
    let connections = [
      builder.connect("/a", "std_msgs/String"), builder.connect("/b", "std_msgs/UInt8"),
    ]
    for number in 0..<24 as Range<UInt64> {
      let bytes = [UInt8](repeating: UInt8(number), count: 20)
      builder.add(connections[Int(number % 2)], time: 1_000_000_000 + 10_000_000 * number, bytes)
      if number % 8 == 7, number < 23 { builder.closeChunk() }
    }
    return isFinished ? builder.indexed() : builder.unfinished()
  }

  /// The messages of a bag that can be read; `nil` where it cannot be opened.
  private func messages(of bag: [UInt8]) -> (count: Int, isIndexed: Bool)? {
    guard let file = try? ROS1BagFile(source: MemoryBytes(bag)) else { return nil }
    let places = (try? file.places(ofChannels: Set(file.messageChannels.map(\.id)))) ?? []
    return (places.count { (try? file.payload(at: $0)) != nil }, file.isIndexed)
  }

  @Test("Bags come back byte by byte, and keep lengths and an index that fit")
  func bags() throws {
    // Of a compressed chunk nothing is known but what its index says.
    for compression in ["none", "lz4"] {
      let bytes = bag(compression: compression)
      #expect(try #require(BagParts(bytes)).bytes(ending: .index) == bytes, "\(compression)")
    }
    let unfinished = bag(isFinished: false)
    #expect(try #require(BagParts(unfinished)).bytes(ending: .withoutIndex) == unfinished)
    let parts = try #require(BagParts(bag()))
    #expect(parts.records.count == 3 && parts.records.allSatisfy { $0.inner != nil })
    for ending in BagParts.Ending.allCases {
      let found = try #require(messages(of: parts.bytes(ending: ending)))
      #expect(found.count == 24 && found.isIndexed == (ending == .index), "\(ending)")
    }
    var indexed = 0
    let (read, different) = outcome(of: bag(), mutate: { $0.bag($1) }) { mutant in
      guard let found = messages(of: mutant) else { return false }
      indexed += found.isIndexed ? 1 : 0
      return found.count > 0
    }
    // Some bags say that they are encrypted; a damaged end index leads to a scan.
    #expect(read >= 300, "\(read) of 400")
    #expect(different >= 380, "\(different) of 400")
    #expect(indexed >= 140, "\(indexed) of 400")
  }

  @Test("Boxes keep sizes that nest, and items stay where the file says")
  func boxes() throws {
    let metadata = (0..<90).map { UInt8($0) }
    var builder = HEIFBuilder()
    let size = builder.addSize(16, 16)
    builder.items = [
      HEIFBuilder.Item(1, "hvc1", Array(repeating: 3, count: 200), properties: [size]),
      HEIFBuilder.Item(2, "Exif", metadata),
    ]
    builder.references = [(type: "cdsc", from: 2, to: [1])]
    let sound = builder.bytes
    let tree = try #require(Box.all(in: sound, depth: 0))
    let whole = Box(kind: "", header: [], content: .boxes(tree), tail: [])
    #expect(whole.contentBytes == sound, "taking apart and putting together changes nothing")
    #expect(Box.extents(in: sound).map(\.count) == [200, 90])
    var unmoved = 0
    let (read, different) = outcome(of: sound, mutate: { $0.boxes($1) }) { mutant in
      guard let file = try? HEIFFile(bytes: mutant) else { return false }
      if (try? file.data(of: 2)) == metadata[...] { unmoved += 1 }
      return true
    }
    #expect(read >= 150, "\(read) of 400")
    #expect(different >= 330, "\(different) of 400")
    // Items themselves are changed in a third of the mutants.
    #expect(unmoved >= 80, "\(unmoved) of 400")
  }

  @Test("JSON stays JSON")
  func json() {
    let text = #"{"a":[1,-2.5e3,{"b":"AQIDBAUGBwg=","c":null}],"schema":"x/1","d":{"e":[true,[]]}}"#
    let (read, different) = outcome(of: Array(text.utf8), mutate: { $0.json($1) }) { mutant in
      // Foundation's own reader, which knows nothing of ours.
      (try? JSONSerialization.jsonObject(with: Data(mutant))) != nil
    }
    // Numbers beyond any type are refused there, and deep nesting.
    #expect(read >= 340, "\(read) of 400")
    #expect(different >= 330, "\(different) of 400")
  }

  @Test("Base64 comes back", arguments: 0..<40)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89) }
    let text = Base64Text.text(of: bytes)
    #expect(text == Data(bytes).base64EncodedString())
    #expect(Base64Text.bytes(of: text) == bytes)
  }

  @Test("The checksum is that of zlib")
  func checksum() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
    #expect(crc32(bytes) == UInt64(ZlibStream.crc32(bytes[...])))
  }
}
