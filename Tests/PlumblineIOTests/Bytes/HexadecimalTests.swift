import PlumblineIO
import Testing

@Suite struct HexadecimalTests {
  @Test func everyByteHasTwoDigits() {
    #expect(Hexadecimal.lowercase([0, 0x0F, 0x10, 0xAB, 0xFF]) == "000f10abff")
    #expect(Hexadecimal.uppercase([0, 0x0F, 0x10, 0xAB, 0xFF]) == "000F10ABFF")
    #expect(Hexadecimal.lowercase([]).isEmpty && Hexadecimal.uppercase([]).isEmpty)
    for byte in UInt8.min ... .max {
      let digits = Hexadecimal.lowercase(CollectionOfOne(byte))
      #expect(digits.utf8.count == 2 && UInt8(digits, radix: 16) == byte)
      #expect(Hexadecimal.uppercase(CollectionOfOne(byte)) == digits.uppercased())
    }
  }
}
