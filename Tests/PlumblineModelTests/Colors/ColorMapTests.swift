import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Color maps")
struct ColorMapTests {
  static func bytes(_ colors: [RGB8]) -> [UInt8] { colors.flatMap { [$0.red, $0.green, $0.blue] } }

  @Test("Near is red, yellow or white, far is blue or dark")
  func ends() {
    let ends: [ColorMap: (near: RGB8, far: RGB8)] = [
      .turbo: (RGB8(red: 0x7A, green: 0x04, blue: 0x03), RGB8(red: 0x30, green: 0x12, blue: 0x3B)),
      .viridis: (
        RGB8(red: 0xFD, green: 0xE7, blue: 0x25), RGB8(red: 0x44, green: 0x01, blue: 0x54)
      ),
      .jet: (RGB8(red: 128, green: 0, blue: 0), RGB8(red: 0, green: 0, blue: 128)),
      .gray: (RGB8(red: 255, green: 255, blue: 255), RGB8(red: 0, green: 0, blue: 0)),
    ]
    for map in ColorMap.allCases {
      #expect(map.colors.count == 256)
      #expect(map.colors.first == ends[map]?.near && map.colors.last == ends[map]?.far)
    }
    for map in [ColorMap.turbo, .jet] {
      // A quarter of the way is still warm, three quarters cold.
      #expect(map.colors[64].red > 2 * map.colors[64].blue)
      #expect(map.colors[192].blue > 2 * map.colors[192].red)
    }
  }

  @Test(
    "Tables are OpenCV's to 2 of 255, what 33 places leave; jet's to a rounding",
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"),
    arguments: [(ColorMap.turbo, 2), (.viridis, 2), (.jet, 1)])
  func published(map: ColorMap, tolerance: Int) throws {
    let expected = try PythonPeer.run("color_maps.py", map.rawValue)
    #expect(expected.count == 3 * 256)
    for (code, expected) in zip(Self.bytes(map.colors.reversed()), expected) {
      #expect(abs(Int(code) - Int(expected)) <= tolerance)
    }
  }

  @Test(
    "The viewer's tables are the same numbers",
    .enabled(if: NodePeer.isPresent, "\(NodePeer.absence)"))
  func viewer() throws {
    let answer = try NodePeer.run(
      after: "colormaps.js",
      "for (const name of ColorMap.names) console.log(name, ColorMap.table(name).join());"
        + "console.log('diverging', ColorMap.diverging().join());")
    let expected = ColorMap.allCases.map { map in
      "\(map.rawValue) " + Self.bytes(map.colors).map(String.init).joined(separator: ",") + "\n"
    }
    let diverging =
      "diverging " + Self.bytes(DivergingColors.colors).map(String.init).joined(separator: ",")
      + "\n"
    #expect(String(decoding: answer, as: UTF8.self) == expected.joined() + diverging)
  }
}
