import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("LZFSE")
struct LZFSETests {
  /// The marks of the blocks of a stream, such as `bvx2`.
  private func marks(_ bytes: [UInt8]) throws -> Set<String> {
    Set(
      try LZFSEBlock.blocks(of: bytes[...]).map {
        String(decoding: bytes[$0.offset..<($0.offset + 4)], as: UTF8.self)
      })
  }

  @Test("Returns what was compressed, and the same bytes every time")
  func roundTrip() throws {
    var seen: Set<String> = []
    for (name, bytes) in LZFSESamples.all() {
      let packed = LZFSE.encoded(bytes)
      #expect(packed == LZFSE.encoded(bytes))
      #expect(packed.count <= bytes.count + 12 + 8 * (bytes.count / 40_000))
      #expect(try LZFSE.decoded(packed[...], atMost: bytes.count) == bytes, "\(name)")
      seen.formUnion(try marks(packed))
    }
    #expect(seen == ["bvx-", "bvx2"])
  }

  @Test(
    "Reads what Apple's library writes, and Apple's library reads what is written here",
    .enabled(if: PythonPeer.has("liblzfse"), "\(PythonPeer.absence("pyliblzfse"))"))
  func peer() throws {
    let folder = try TemporaryFolder()
    let samples = LZFSESamples.all()
    for (name, bytes) in samples { try folder.put(bytes, at: "\(name).raw") }
    _ = try PythonPeer.run("lzfse_codec.py", "compress", folder.path)
    var seen: Set<String> = []
    for (name, bytes) in samples {
      // The library gives no stream at all for no bytes.
      guard let packed = folder.bytes("\(name).lzfse"), !packed.isEmpty else {
        #expect(bytes.isEmpty)
        continue
      }
      #expect(try LZFSE.decoded(packed[...], atMost: bytes.count) == bytes, "\(name)")
      seen.formUnion(try marks(packed))
    }
    #expect(seen == ["bvx-", "bvx2", "bvxn"])

    let own = try TemporaryFolder()
    for (name, bytes) in samples where !bytes.isEmpty {
      try own.put(LZFSE.encoded(bytes), at: "\(name).lzfse")
    }
    _ = try PythonPeer.run("lzfse_codec.py", "decompress", own.path)
    for (name, bytes) in samples where !bytes.isEmpty {
      #expect(own.bytes("\(name).out") == bytes, "\(name)")
    }
  }

  /// The stream of one `bvx2` block with its header rewritten as `bvx1`, which no known writer makes.
  private func version1(_ packed: [UInt8]) throws -> [UInt8] {
    let block = try LZFSEBlock.blocks(of: packed[...])[0]
    guard case .entropyCoded(let header) = block.kind else { return [] }
    var bytes: [UInt8] = Array("bvx1".utf8)
    for number in [
      header.rawCount, header.literalSize + header.matchSize, header.literalCount,
      header.matchCount, header.literalSize, header.matchSize, header.literalBits,
    ] { LZFSE.appendNumber(Int32(number), to: &bytes) }
    for state in header.literalStates { LZFSE.appendNumber(UInt16(state), to: &bytes) }
    LZFSE.appendNumber(Int32(header.matchBits), to: &bytes)
    let states = [header.lengthState, header.matchState, header.distanceState]
    for state in states { LZFSE.appendNumber(UInt16(state), to: &bytes) }
    for frequency in header.frequencies.joined() { LZFSE.appendNumber(frequency, to: &bytes) }
    return bytes + [0, 0] + packed[block.payload] + Array("bvx$".utf8)
  }

  @Test(
    "Reads blocks with plain tables as Apple's library does",
    .enabled(if: PythonPeer.has("liblzfse"), "\(PythonPeer.absence("pyliblzfse"))"))
  func version1Blocks() throws {
    let folder = try TemporaryFolder()
    let bytes = LZFSESamples.depthMap(width: 60, height: 60)
    let packed = try version1(LZFSE.encoded(bytes))
    #expect(try LZFSE.decoded(packed[...], atMost: bytes.count) == bytes)
    try folder.put(packed, at: "map.lzfse")
    _ = try PythonPeer.run("lzfse_codec.py", "decompress", folder.path)
    #expect(folder.bytes("map.out") == bytes)
  }

  @Test("Repeats bytes at every distance and length across the steps in which they are copied")
  func distances() throws {
    for distance in 1...40 {
      let start: [UInt8] = (0..<distance).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
      var bytes: [UInt8] = (0..<300).map { start[$0 % distance] }
      bytes += [9, 8, 7, 6, 5]
      #expect(try LZFSE.decoded(LZFSE.encoded(bytes)[...], atMost: 305) == bytes, "\(distance)")
    }
  }

  @Test("Takes no more than it may, and says so before it takes anything")
  func limits() throws {
    let packed = LZFSE.encoded(Array(repeating: 3, count: 5_000))
    let error = #expect(throws: CaptureReadingError.self) {
      try LZFSE.decoded(packed[...], atMost: 4_999)
    }
    #expect(error?.reason == .limitExceeded)
    // A block of no literals and matches that promises 4 GB.
    var lie = packed
    lie.replaceSubrange(4..<8, with: [255, 255, 255, 255])
    #expect(throws: CaptureReadingError.self) { try LZFSE.decoded(lie[...], atMost: 1 << 40) }
    var lzvn: [UInt8] = Array("bvxn".utf8)
    lzvn += [255, 255, 255, 255, 8, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
    lzvn += "bvx$".utf8
    #expect(throws: CaptureReadingError.self) { try LZFSE.decoded(lzvn[...], atMost: 1 << 40) }
  }

  @Test("Refuses every cut, with the place")
  func truncation() throws {
    let packed = LZFSE.encoded(LZFSESamples.depthMap(width: 40, height: 30))
    for count in ByteDamage.truncations(of: packed.count, steps: 300) {
      let error = #expect(throws: CaptureReadingError.self) {
        try LZFSE.decoded(packed[..<count], atMost: 4_800)
      }
      #expect(error?.reason == .malformed && error?.offset != nil)
    }
  }

  @Test("Ends with the promised number of bytes or an error, whatever is damaged")
  func corruption() throws {
    let samples = [
      LZFSE.encoded(LZFSESamples.depthMap(width: 40, height: 30)),
      try version1(LZFSE.encoded(LZFSESamples.depthMap(width: 40, height: 30))),
      Self.lzvnStream,
    ]
    var refused = 0
    for (index, packed) in samples.enumerated() {
      for seed in 0..<400 {
        // Half of the damage hits headers and tables.
        let damaged = ByteDamage.flipped(
          packed, seed: UInt64(seed), within: seed.isMultiple(of: 2) ? 120 : packed.count)
        do {
          let blocks = try LZFSEBlock.blocks(of: damaged[...])
          let bytes = try LZFSE.decoded(damaged[...], atMost: 1 << 20)
          #expect(bytes.count == blocks.reduce(0) { $0 + $1.rawCount }, "\(index), \(seed)")
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > 400)
  }

  /// One LZVN block with each kind of opcode.
  private static let lzvnStream: [UInt8] = {
    var payload: [UInt8] = [0xE0, 0x04]
    payload += (10..<30).map { UInt8($0) }
    payload += [0xE3, 1, 2, 3]
    payload += [0x48, 0x05, 99]  // 1 literal, 4 bytes from 5 back
    payload += [0x0E]  // nothing
    payload += [0xA9, 0x29, 0x00, 77]  // 1 literal, 8 bytes from 10 back
    payload += [0x4E, 55]  // 1 literal, 4 bytes from as far back
    payload += [0x0F, 0x07, 0x00]  // 4 bytes from 7 back
    payload += [0xF2, 0xF0, 0x01]  // 2 and 17 bytes more from as far back
    payload += [0x06, 0, 0, 0, 0, 0, 0, 0]
    var bytes = Array("bvxn".utf8)
    LZFSE.appendNumber(UInt32(65), to: &bytes)
    LZFSE.appendNumber(UInt32(payload.count), to: &bytes)
    return bytes + payload + Array("bvx$".utf8)
  }()

  @Test(
    "Reads each opcode of LZVN as Apple's library does",
    .enabled(if: PythonPeer.has("liblzfse"), "\(PythonPeer.absence("pyliblzfse"))"))
  func opcodes() throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.lzvnStream, at: "opcodes.lzfse")
    _ = try PythonPeer.run("lzfse_codec.py", "decompress", folder.path)
    #expect(try LZFSE.decoded(Self.lzvnStream[...], atMost: 65) == folder.bytes("opcodes.out"))
  }
}
