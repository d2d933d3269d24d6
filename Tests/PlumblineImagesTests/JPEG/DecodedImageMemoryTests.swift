import PlumblineModel
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

/// What ImageIO hands over, made here in every layout that it may have.
@Suite("Memory of a platform's JPEG decoder")
struct DecodedImageMemoryTests {
  private let size = RasterSize(width: 5, height: 3)

  private func pixel(_ x: Int, _ y: Int) -> RGB8 {
    RGB8(red: UInt8(16 * y + x), green: UInt8(100 + 16 * y + x), blue: UInt8(200 + 5 * y + x))
  }

  private func memory(
    _ layout: DecodedImageMemory.Layout, padding: Int, _ bytes: (RGB8) -> [UInt8]
  ) -> DecodedImageMemory {
    var all: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { all += bytes(pixel(x, y)) }
      all += [UInt8](repeating: 0xEE, count: padding)
    }
    return DecodedImageMemory(
      size: size, layout: layout, bytesPerRow: size.width * layout.bitsPerPixel / 8 + padding,
      bytes: all)
  }

  @Test("Colors come from every order of bytes", arguments: [0, 3, 16])
  func orders(padding: Int) throws {
    typealias Layout = DecodedImageMemory.Layout
    let layouts: [(Layout, (RGB8) -> [UInt8])] = [
      (Layout(bitsPerComponent: 8, bitsPerPixel: 24), { [$0.red, $0.green, $0.blue] }),
      (
        Layout(bitsPerComponent: 8, bitsPerPixel: 32, fourthByte: .last),
        { [$0.red, $0.green, $0.blue, 255] }
      ),
      (
        Layout(bitsPerComponent: 8, bitsPerPixel: 32, fourthByte: .first),
        { [255, $0.red, $0.green, $0.blue] }
      ),
      (
        Layout(bitsPerComponent: 8, bitsPerPixel: 32, fourthByte: .last, isReversed: true),
        { [255, $0.blue, $0.green, $0.red] }
      ),
      (
        Layout(bitsPerComponent: 8, bitsPerPixel: 32, fourthByte: .first, isReversed: true),
        { [$0.blue, $0.green, $0.red, 255] }
      ),
    ]
    let expected = Raster(size: size) { pixel($0, $1) }
    for (layout, bytes) in layouts {
      let found = try memory(layout, padding: padding, bytes).color(path: [])
      #expect(found == expected, "\(layout)")
    }
  }

  @Test("Stored codes come from one component alone")
  func gray() throws {
    let layout = DecodedImageMemory.Layout(bitsPerComponent: 8, bitsPerPixel: 8)
    let gray = memory(layout, padding: 11) { [$0.green] }
    let expected = Raster(size: size) { pixel($0, $1).green }
    #expect(try gray.gray(path: []) == expected)
    #expect(
      try gray.color(path: []) == expected.map { RGB8(red: $0, green: $0, blue: $0) })
    let color = memory(.init(bitsPerComponent: 8, bitsPerPixel: 24), padding: 0) {
      [$0.red, $0.green, $0.blue]
    }
    let error = #expect(throws: CaptureReadingError.self) { try color.gray(path: ["JPEG"]) }
    #expect(error?.reason == .unsupported && error?.path == ["JPEG"])
  }

  @Test("Memory that is too short and other layouts are refused")
  func refusals() {
    let layout = DecodedImageMemory.Layout(bitsPerComponent: 8, bitsPerPixel: 24)
    let sound = memory(layout, padding: 0) { [$0.red, $0.green, $0.blue] }
    let short = DecodedImageMemory(
      size: size, layout: layout, bytesPerRow: 15, bytes: Array(sound.bytes.dropLast()))
    #expect(throws: CaptureReadingError.self) { try short.color(path: []) }
    let narrow = DecodedImageMemory(
      size: size, layout: layout, bytesPerRow: 14, bytes: sound.bytes)
    #expect(throws: CaptureReadingError.self) { try narrow.color(path: []) }
    for other in [
      DecodedImageMemory.Layout(bitsPerComponent: 16, bitsPerPixel: 48),
      DecodedImageMemory.Layout(bitsPerComponent: 5, bitsPerPixel: 16),
      DecodedImageMemory.Layout(bitsPerComponent: 8, bitsPerPixel: 32),
    ] {
      let memory = DecodedImageMemory(
        size: size, layout: other, bytesPerRow: 64, bytes: [UInt8](repeating: 0, count: 256))
      #expect(throws: CaptureReadingError.self) { try memory.color(path: []) }
      #expect(throws: CaptureReadingError.self) { try memory.gray(path: []) }
    }
  }
}
