import PlumblineTestSupport
import Testing
@testable import PlumblineServer

@Suite("QRCode")
struct QRCodeTests {
  /// Texts of the least and the most bytes that each version takes, and some of several alphabets.
  private static let texts: [String] = {
    var generator = SeededGenerator(seed: 38)
    let capacities = [
      14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
    ]
    let counts = capacities.flatMap { [$0, $0 + 1] }.dropLast() + [0, 1, 2, 40, 60, 90]
    let alphabets = ["0123456789abcdef", "aéß€深🙂", " !\"#%&/:=?~"]
    return counts.map { count in
      let alphabet = Array(alphabets.randomElement(using: &generator) ?? "")
      var text = count < 60 ? "" : "https://192.168.1.5:8080/#token="
      while let next = alphabet.randomElement(using: &generator),
        text.utf8.count + next.utf8.count <= count
      {
        text.append(next)
      }
      return text + String(repeating: ".", count: count - text.utf8.count)
    }
  }()

  /// Each text with its code; encoded once, since a debug build takes a tenth of a second for the largest.
  private static let codes = Result { try texts.map { (text: $0, code: try QRCode($0)) } }

  @Test("The code of a text is the one that qrencode 4.1.1 and OpenCV agree on")
  func frozen() throws {
    let code = try QRCode("plumbline")
    let rows = (0..<code.size).map { y in
      String((0..<code.size).map { x -> Character in code[x, y] ? "#" : "." })
    }
    #expect(
      rows == [
        "#######.##.#..#######",
        "#.....#.#.#.#.#.....#",
        "#.###.#.##.##.#.###.#",
        "#.###.#...##..#.###.#",
        "#.###.#.##.##.#.###.#",
        "#.....#...#...#.....#",
        "#######.#.#.#.#######",
        ".........#...........",
        "#..######..#.#..#.###",
        "##.#...#..####...#...",
        "..##.#####.##....####",
        "#..#.#.#.#..##.##.#..",
        "##.##.#.##.###.#...##",
        "........##..#.#.###..",
        "#######.#.##....###..",
        "#.....#.##....#.#####",
        "#.###.#.#.#...#.##...",
        "#.###.#.###.###......",
        "#.###.#....###..#.###",
        "#.....#..#.##...#####",
        "#######.###.##.##....",
      ])
  }

  @Test("Every block is a code word of Reed and Solomon, and the data says the text")
  func blocks() throws {
    for (text, code) in try Self.codes.get() {
      let reading = try QRCodeReading(code)
      #expect(reading.mask == code.mask)
      for (index, block) in reading.blocks.enumerated() {
        let syndromes = (0..<reading.version.correctionCountPerBlock).map {
          QRCodeReading.value(of: block, at: $0)
        }
        #expect(syndromes.allSatisfy { $0 == 0 }, "\(text), block \(index)")
      }
      #expect(reading.bytes == Array(text.utf8))
    }
  }

  @Test("Finder and timing patterns stand where readers look for them")
  func patterns() throws {
    let finder = [
      "#######.", "#.....#.", "#.###.#.", "#.###.#.", "#.###.#.", "#.....#.", "#######.",
      "........",
    ].map { $0.map { $0 == "#" } }
    for (_, code) in try Self.codes.get() {
      let last = code.size - 1
      for y in 0..<8 {
        for x in 0..<8 {
          let expected = finder[y][x]
          #expect(code[x, y] == expected)
          #expect(code[last - x, y] == expected)
          #expect(code[x, last - y] == expected)
        }
      }
      for index in 8..<code.size - 8 {
        #expect(code[index, 6] == (index % 2 == 0) && code[6, index] == (index % 2 == 0))
      }
      #expect(code[8, code.size - 8])
    }
  }

  @Test("Both copies of the version say the size, from version 7 on")
  func versions() throws {
    var seen: Set<Int> = []
    for (_, code) in try Self.codes.get() {
      let number = (code.size - 17) / 4
      seen.insert(number)
      guard number >= 7 else { continue }
      var copies = [0, 0]
      for bit in 0..<18 {
        let (across, along) = (code.size - 11 + bit % 3, bit / 3)
        if code[across, along] { copies[0] |= 1 << bit }
        if code[along, across] { copies[1] |= 1 << bit }
      }
      #expect(copies.map { $0 >> 12 } == [number, number])
      // Table D.1 begins so.
      if number == 7 { #expect(copies == [0x07C94, 0x07C94]) }
      if number == 8 { #expect(copies == [0x085BC, 0x085BC]) }
    }
    #expect(seen == Set(1...20))
  }

  @Test("The mask is the one with the least penalty, as qrencode 4.1.1 chooses it")
  func masks() throws {
    #expect(
      try Self.codes.get().map(\.code.mask) == [
        0, 3, 3, 0, 3, 6, 3, 5, 2, 0, 0, 3, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 0, 4, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 0, 2, 3, 5,
      ])
  }

  @Test("A text of more than 666 bytes is refused with its length")
  func tooLong() throws {
    #expect(try QRCode(String(repeating: "x", count: 666)).size == 97)
    let error = #expect(throws: QRCode.TooLong.self) {
      try QRCode(String(repeating: "é", count: 334))
    }
    #expect(error == QRCode.TooLong(byteCount: 668, byteLimit: 666))
  }

  @Test("A terminal shows two rows a line, light as blocks, with four modules around")
  func drawing() throws {
    let lines = try QRCode("plumbline").terminalText().split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 16 && lines.last == "")
    #expect(lines.dropLast().allSatisfy { $0.count == 29 })
    #expect(lines[0] == String(repeating: "█", count: 29) && lines[1] == lines[0])
    #expect(lines[2] == "████ ▄▄▄▄▄ █ ▄▀▄▀█ ▄▄▄▄▄ ████")
  }

  @Test(
    "OpenCV decodes what a terminal shows",
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func decodedByOpenCV() throws {
    // OpenCV gives nothing for an empty text as for none.
    let codes = try Self.codes.get().filter { !$0.text.isEmpty }
    let folder = try TemporaryFolder()
    let drawings = codes.map { $0.code.terminalText() + "\n" }.joined()
    try folder.put(Array(drawings.utf8), at: "codes.txt")
    let answer = try PythonPeer.run("qr_codes.py", folder.file("codes.txt"))
    let decoded = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(decoded.count == codes.count)
    for (code, hexadecimal) in zip(codes, decoded) {
      let expected = code.text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      #expect(hexadecimal == expected.joined(), "\(code.text)")
    }
  }
}
