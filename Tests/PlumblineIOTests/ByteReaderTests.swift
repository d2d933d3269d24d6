import PlumblineIO
import Testing

@Suite("ByteReader")
struct ByteReaderTests {
  @Test("Reads in both byte orders and names the file offset when bytes run out")
  func order() throws {
    let bytes: [UInt8] = [9, 9, 1, 2, 3, 4]
    var reader = ByteReader(bytes[2...], path: ["box"])
    #expect(try reader.readUInt16() == 0x0102)
    reader.endianness = .little
    #expect(try reader.readUInt16() == 0x0403)
    let error = #expect(throws: CaptureReadingError.self) { try reader.readUInt8() }
    #expect(error?.offset == 6)
    #expect(error?.path == ["box"])
  }
}
