import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams
@Suite("CDR messages")
struct CDRTests {
  @Test("Gives back what was written, each number at its alignment")
  func roundTrip() throws {
    for seed in 0..<50 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var writer = CDRWriter()
      let kinds = (0..<40).map { _ in Int(generator.next() % 8) }
      let values = (0..<40).map { _ in generator.next() }
      let floats = values.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
      let text = String(repeating: "ü", count: Int(generator.next() % 5))
      for (kind, value) in zip(kinds, values) {
        switch kind {
        case 0: writer.write(UInt8(truncatingIfNeeded: value))
        case 1: writer.write(UInt16(truncatingIfNeeded: value))
        case 2: writer.write(Int32(truncatingIfNeeded: value))
        case 3: writer.write(Int64(bitPattern: value))
        case 4: writer.write(Double(bitPattern: value))
        case 5: writer.write(text)
        case 6: writer.write(floats)
        default: writer.write([UInt16(truncatingIfNeeded: value)])
        }
      }
      var reader = try CDRReader(writer.bytes[...], path: [])
      for (kind, value) in zip(kinds, values) {
        switch kind {
        case 0: #expect(try reader.readUInt8("") == UInt8(truncatingIfNeeded: value))
        case 1: #expect(try reader.readUInt16("") == UInt16(truncatingIfNeeded: value))
        case 2: #expect(try reader.readInt32("") == Int32(truncatingIfNeeded: value))
        case 3: #expect(try reader.readInt64("") == Int64(bitPattern: value))
        case 4: #expect(try reader.readDouble("").bitPattern == value)
        case 5: #expect(try reader.readString("") == text)
        case 6:
          #expect(try reader.readFloats("").map(\.bitPattern) == floats.map(\.bitPattern))
        default: #expect(try reader.readUInt16s("") == [UInt16(truncatingIfNeeded: value)])
        }
      }
      #expect(reader.remaining == 0)
    }
  }

  @Test("Reads both orders of bytes, and the wider alignment of the second version")
  func encapsulations() throws {
    let little: [UInt8] = [0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    let big: [UInt8] = [0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]
    let second: [UInt8] = [0, 7, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    for bytes in [little, big, second] {
      var reader = try CDRReader(bytes[...], path: [])
      #expect(try reader.readUInt8("") == 7)
      #expect(try reader.readDouble("") == 1)
      #expect(reader.remaining == 0)
    }
    var words = try CDRReader([0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3, 4], path: [])
    #expect(try words.readUInt16s("") == [0x0102, 0x0304])
    for kind: UInt8 in [2, 3, 8, 9, 10, 0xFF] {
      let error = #expect(throws: CaptureReadingError.self) {
        try CDRReader([0, kind, 0, 0], path: [])
      }
      #expect(error?.reason == .unsupported)
    }
  }

  @Test("Refuses counts over what is left before anything is allocated")
  func counts() throws {
    let bytes: [UInt8] = [0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]
    func fails(_ read: (inout CDRReader) throws(CaptureReadingError) -> Void) throws {
      var reader = try CDRReader(bytes[...], path: ["message"])
      let error = #expect(throws: CaptureReadingError.self) { try read(&reader) }
      #expect(error?.reason == .malformed || error?.reason == .limitExceeded)
      #expect(error?.path == ["message"])
    }
    try fails { reader throws(CaptureReadingError) in _ = try reader.readBytes("") }
    try fails { reader throws(CaptureReadingError) in _ = try reader.readFloats("") }
    try fails { reader throws(CaptureReadingError) in _ = try reader.readUInt16s("") }
    try fails { reader throws(CaptureReadingError) in _ = try reader.readDoubles("") }
    try fails { reader throws(CaptureReadingError) in _ = try reader.readString("") }
    try fails { reader throws(CaptureReadingError) in
      _ = try reader.readCount("", minimumBytes: 1)
    }
    #expect(throws: CaptureReadingError.self) { try CDRReader([0, 1, 0], path: []) }
  }
}
