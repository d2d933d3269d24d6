import PlumblineImages
import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite("XMPPacket")
struct XMPPacketTests {
  let apple = "http://ns.apple.com/depthData/1.0/"

  func parse(_ text: String) throws -> XMPPacket { try XMPPacket(Array(text.utf8)) }

  @Test("Reads element form, attribute form and any prefix alike")
  func forms() throws {
    let attribute = try parse(
      XMPSamples.packet(#"xmlns:a="\#(apple)" a:Accuracy="absolute""#))
    let element = try parse(
      XMPSamples.packet(#"xmlns:zz="\#(apple)""#, "<zz:Accuracy>absolute</zz:Accuracy>"))
    let local = try parse(
      XMPSamples.packet("", #"<Accuracy xmlns="\#(apple)">absolute</Accuracy>"#))
    #expect(attribute[apple, "Accuracy"]?.text == "absolute")
    #expect(attribute == element)
    #expect(attribute == local)
  }

  @Test("Reads lists in order, and structures in all their forms")
  func structures() throws {
    let packet = try parse(
      XMPSamples.packet(
        #"xmlns:n="u:n""#,
        XMPSamples.sequence("n:list", ["1", "2", "3"])
          + #"<n:a rdf:parseType="Resource"><n:x>1</n:x></n:a>"#
          + #"<n:b><rdf:Description n:x="1"/></n:b>"# + #"<n:c n:x="1"/>"#
          + #"<n:d><rdf:Bag><rdf:li><n:T n:x="1"/></rdf:li></rdf:Bag></n:d>"#))
    #expect(packet["u:n", "list"]?.texts == ["1", "2", "3"])
    for name in ["a", "b", "c"] {
      #expect(packet["u:n", name]?["u:n", "x"]?.text == "1", "form \(name)")
    }
    #expect(packet["u:n", "d"]?.items.first?["u:n", "T"]?["u:n", "x"]?.text == "1")
  }

  @Test("Bears padding, trailing zeros, white space and a byte order mark")
  func padding() throws {
    let text = XMPSamples.packet(#"xmlns:a="\#(apple)" a:Quality="high""#)
    for padded in [
      text + String(repeating: "\0", count: 2_000), "\n  " + text, "\u{FEFF}" + text,
      text + String(repeating: " ", count: 2_000) + "\0",
    ] {
      #expect(try parse(padded)[apple, "Quality"]?.text == "high")
    }
  }

  @Test("Reads UTF-16 in both byte orders, with trailing zeros")
  func utf16() throws {
    let text = XMPSamples.packet(#"xmlns:a="\#(apple)" a:Quality="hïgh""#)
    let units = Array(text.utf16)
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [big, little, [0xFE, 0xFF] + big, [0xFF, 0xFE] + little + [0, 0, 0, 0]] {
      #expect(try XMPPacket(bytes)[apple, "Quality"]?.text == "hïgh")
    }
  }

  @Test("Refuses a DOCTYPE, whatever it declares, in UTF-8 and UTF-16")
  func doctype() {
    let text =
      #"<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>"# + XMPSamples.packet("", "&b;")
    let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [Array(text.utf8), wide, Array("<!DOCTYPE x SYSTEM 'file:///x'><x/>".utf8)] {
      let error = #expect(throws: CaptureReadingError.self) { try XMPPacket(bytes) }
      #expect(error?.found == "a DOCTYPE")
    }
  }

  @Test("Refuses depth and node counts over their limits")
  func limits() {
    let deep = String(repeating: "<a>", count: 100_000)
    let wide = XMPSamples.packet("", String(repeating: "<b/>", count: 200_000))
    for text in [deep, wide] {
      let error = #expect(throws: CaptureReadingError.self) { try parse(text) }
      #expect(error?.reason == .limitExceeded)
    }
  }

  @Test(
    "Refuses what is not well-formed XMP",
    arguments: ["", " ", "<", "<x>", "<x/>", "<a:b/>", "hello", "<x>&unknown;</x>", "\0\0\0"])
  func malformed(text: String) {
    #expect(throws: CaptureReadingError.self) { try parse(text) }
  }

  @Test(
    "Reads only finite decimal numbers",
    arguments: [
      ("1.5", 1.5), (" -2e3\n", -2_000), ("+.5", 0.5), ("nan", nil), ("inf", nil), ("0x10", nil),
      ("1e999", nil), ("", nil), ("1 2", nil), ("1,5", nil),
    ] as [(String, Double?)])
  func numbers(text: String, number: Double?) {
    #expect(XMPValue.text(text).number == number)
  }
}
