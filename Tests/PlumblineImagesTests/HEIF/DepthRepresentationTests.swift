import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@Suite("Depth representation message")
struct DepthRepresentationTests {
  /// The subtype of an iPhone 13 Pro's depth map.
  private let subtype: [UInt8] = [
    0, 0, 0, 0x11, 0, 0, 0, 0x0D, 0x4E, 0x01, 0xB1, 0x09, 0x35, 0x1F, 0x7B, 0xFC, 0x01, 0x0B, 0xC6,
    0x20, 0x20,
  ]

  @Test("An iPhone's message gives the range of its disparities, exactly as its XMP does")
  func range() throws {
    let found = try #require(try DepthRepresentation.read(auxiliarySubtype: subtype))
    #expect(found.type == 1)
    #expect(found.nearestZ == nil)
    #expect(found.farthestZ == nil)
    // A half-float's digits: 1 + 0x7F80/2^16 and 2^2·(1 + 0x1880/2^16).
    #expect(found.minimumDisparity == 1.498046875)
    #expect(found.maximumDisparity == 4.3828125)
  }

  @Test("Cut at every length, the message is refused; without one there is no range")
  func truncation() throws {
    #expect(try DepthRepresentation.read(auxiliarySubtype: []) == nil)
    for length in 1..<subtype.count {
      #expect(throws: CaptureReadingError.self, "\(length)") {
        try DepthRepresentation.read(auxiliarySubtype: Array(subtype.prefix(length)))
      }
    }
  }

  @Test("Every single-bit error is refused or gives finite numbers, never a crash")
  func bits() {
    for bit in 0..<subtype.count * 8 {
      var damaged = subtype
      damaged[bit / 8] ^= UInt8(0x80 >> (bit % 8))
      guard let found = try? DepthRepresentation.read(auxiliarySubtype: damaged) else { continue }
      for value in [found.minimumDisparity, found.maximumDisparity, found.nearestZ] {
        #expect(value?.isFinite != false)
      }
    }
  }

  @Test("Golomb codes follow the standard's table and stop at 32 bits")
  func golomb() throws {
    // 1 010 011 00100 000011100 and padding: 0, 1, 2, 3, 27.
    var reader = BitReader([0b1010_0110, 0b0100_0000, 0b1110_0000])
    for expected in [0, 1, 2, 3, 27] as [UInt32] {
      #expect(try reader.readGolomb("a code") == expected)
    }
    var long = BitReader(Array(repeating: 0, count: 64))
    #expect(throws: CaptureReadingError.self) { try long.readGolomb("a code") }
    var bounded = BitReader([0b0001_0000, 0])
    #expect(throws: CaptureReadingError.self) { try bounded.readGolomb("a code", atMost: 6) }
    var longest = BitReader([0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try longest.readGolomb("a code", atMost: .max) == 0xFFFF_FFFE)
  }
}
