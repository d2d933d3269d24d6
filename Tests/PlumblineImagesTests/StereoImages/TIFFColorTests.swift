import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineImages

@Suite("Colors of TIFF files") struct TIFFColorTests {
  /// A file of one strip; each tag has one value, or several.
  private func file(
    _ tags: [UInt16: [Int]] = [:], width: Int = 2, height: Int = 1, data: [UInt8],
    isBig: Bool = false, next: Int = 0
  ) -> [UInt8] {
    var all: [UInt16: [Int]] = [
      256: [width], 257: [height], 258: [8], 259: [1], 262: [1], 277: [1], 278: [height],
      279: [data.count],
    ]
    all.merge(tags) { $1 }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBig ? low.reversed() : low
    }
    let directory = 8 + 2 + 12 * (all.count + 1) + 4
    let long = all.values.filter { $0.count > 1 }.reduce(0) { $0 + 4 * $1.count }
    all[273] = all[273] ?? [directory + long]
    var entries: [UInt8] = [], values: [UInt8] = []
    for (tag, list) in all.sorted(by: { $0.key < $1.key }) {
      entries += bytes(Int(tag), 2) + bytes(4, 2) + bytes(list.count, 4)
      if list.count == 1 {
        entries += bytes(list[0], 4)
      } else {
        entries += bytes(directory + values.count, 4)
        values += list.flatMap { bytes($0, 4) }
      }
    }
    let head: [UInt8] = (isBig ? [0x4D, 0x4D] : [0x49, 0x49]) + bytes(42, 2) + bytes(8, 4)
    return head + bytes(all.count, 2) + entries + bytes(next, 4) + values + data
  }

  private func colors(_ bytes: [UInt8]) throws -> [[UInt8]] {
    try StereoImageReader().image(from: bytes).color.samples.map { [$0.red, $0.green, $0.blue] }
  }

  @Test("gray and RGB of 8 bits, with and without further channels")
  func eightBits() throws {
    #expect(try colors(file(data: [7, 250])) == [[7, 7, 7], [250, 250, 250]])
    #expect(try colors(file([262: [0]], data: [7, 250])) == [[248, 248, 248], [5, 5, 5]])
    let rgb = file([262: [2], 277: [3], 258: [8, 8, 8]], data: [1, 2, 3, 4, 5, 6])
    #expect(try colors(rgb) == [[1, 2, 3], [4, 5, 6]])
    let alpha = file([262: [2], 277: [4], 258: [8, 8, 8, 8]], data: [1, 2, 3, 0, 4, 5, 6, 255])
    #expect(try colors(alpha) == [[1, 2, 3], [4, 5, 6]])
  }

  @Test("16 bits in both byte orders; 12 bits in 16 are not black", arguments: [false, true])
  func sixteenBits(isBig: Bool) throws {
    func words(_ values: [Int]) -> [UInt8] {
      values.flatMap { value in
        let pair = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        return isBig ? pair.reversed() : pair
      }
    }
    let full = file([258: [16]], data: words([0x1234, 0xFFFF]), isBig: isBig)
    #expect(try colors(full) == [[0x12, 0x12, 0x12], [255, 255, 255]])
    let twelve = file([258: [16]], data: words([0x0800, 0x0FFF]), isBig: isBig)
    #expect(try colors(twelve) == [[128, 128, 128], [255, 255, 255]])
  }

  @Test("differences are those of the same channel on the left")
  func predictor() throws {
    // LZW of ten literals of 9 bits between the codes that clear the table and end the data.
    let values: [Int] = [10, 20, 30, 5, 250, 1]
    var (bits, packed): (String, [UInt8]) = ("", [])
    for code in [256] + values + [257] {
      let text = String(code, radix: 2)
      bits += String(repeating: "0", count: 9 - text.count) + text
    }
    while !bits.isEmpty {
      let byte = bits.prefix(8)
      packed.append(
        UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2) ?? 0)
      bits.removeFirst(byte.count)
    }
    let image = file(
      [262: [2], 277: [3], 258: [8, 8, 8], 259: [5], 317: [2]], data: packed)
    #expect(try colors(image) == [[10, 20, 30], [15, 14, 31]])
  }

  @Test("Further images are named, and those of 64-bit offsets by their format")
  func pages() throws {
    for (next, count) in [(0, 0), (8, 1)] {
      let image = try StereoImageReader().image(from: file(data: [7, 250], next: next))
      #expect(image.findings.count { $0.code == .imageFurtherPages } == count)
    }
    let heads: [[UInt8]] = [[0x49, 0x49, 0x2B, 0, 8, 0, 0, 0], [0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]]
    for head in heads {
      let error = #expect(throws: CaptureReadingError.self) {
        try StereoImageReader().image(from: head + [UInt8](repeating: 0, count: 64))
      }
      #expect(error?.found.contains("BigTIFF") == true)
    }
  }

  @Test("The orientation is kept") func orientation() throws {
    let image = try StereoImageReader().image(from: file([274: [6]], data: [7, 250]))
    #expect(image.orientation.rawValue == 6)
  }

  @Test(
    "What is not read is named",
    arguments: [
      ([262: [3]], "palette"), ([262: [5], 277: [4]], "CMYK"), ([258: [4]], "4 bits"),
      ([339: [3]], "fractions"), ([258: [32]], "32 bits"), ([259: [7]], "JPEG"),
      ([262: [2], 277: [3], 284: [2]], "plane of its own"), ([262: [2], 277: [2]], "channels"),
      ([262: [32803]], "mosaic"),
    ] as [([UInt16: [Int]], String)])
  func refusals(tags: [UInt16: [Int]], word: String) {
    do throws(CaptureReadingError) {
      _ = try StereoImageReader().image(from: file(tags, data: [1, 2]))
      Issue.record("read \(tags)")
    } catch {
      #expect(error.reason == .unsupported && "\(error)".contains(word), "\(error)")
    }
  }

  @Test("Cut files and changed bytes are refused or read, and large claims are refused")
  func damage() throws {
    let whole = file([262: [2], 277: [3], 258: [8, 8, 8]], data: [1, 2, 3, 4, 5, 6])
    for count in 4..<whole.count {
      #expect(throws: CaptureReadingError.self) {
        try StereoImageReader().image(from: Array(whole.prefix(count)))
      }
    }
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 4..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      do throws(CaptureReadingError) {
        let image = try StereoImageReader().image(from: bytes)
        #expect(image.color.samples.count == image.color.size.pixelCount)
      } catch {
        #expect(!error.expected.isEmpty)
      }
    }
    let large = file([256: [200_000], 257: [200_000]], data: [1, 2])
    #expect(throws: CaptureReadingError.self) { try StereoImageReader().image(from: large) }
  }
}
