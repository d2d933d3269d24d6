import PlumblineModel

/// A baseline JPEG writer, small instead of good: 4:4:4, one quantizer, code words of one length.
///
/// Written from ITU-T T.81; only tests need it, so that a sample report has a photo.
struct SampleJPEG {
  private static let zigzag = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]
  // Symbol (run, size) at position i has the 8-bit code i; 0 ends a block, 0xF0 skips sixteen.
  private static let symbols: [UInt8] =
    [0x00, 0xF0] + (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }
  private static let cosines: [Float] = (0..<64).map { index in
    let (u, x) = (index / 8, index % 8)
    let scale: Float = u == 0 ? 0.353_553_4 : 0.5
    return scale * cosine(Float(2 * x + 1) * Float(u) * .pi / 16)
  }

  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingCount = 0

  /// The image as a JPEG file; both sides must be multiples of 8.
  static func encoded(_ image: Raster<RGB8>, step: Float = 14) -> [UInt8] {
    var writer = SampleJPEG()
    writer.writeHeaders(image.size, step: step)
    var previous: [Int] = [0, 0, 0]
    for top in stride(from: 0, to: image.height, by: 8) {
      for left in stride(from: 0, to: image.width, by: 8) {
        let planes = planes(of: image, left: left, top: top)
        for component in 0..<3 {
          let block = transformed(planes[component], step: step)
          writer.write(block, difference: block[0] - previous[component])
          previous[component] = block[0]
        }
      }
    }
    writer.put(0x7F, count: 7)
    return writer.bytes + [0xFF, 0xD9]
  }

  private mutating func writeHeaders(_ size: RasterSize, step: Float) {
    bytes = [0xFF, 0xD8]
    segment(0xDB, [0] + [UInt8](repeating: UInt8(step), count: 64))
    let (high, low) = (size.height, size.width)
    segment(
      0xC0,
      [8, UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255), 3]
        + [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
    segment(0xC4, [0x00] + lengths(count: 12, of: 4) + (0..<12).map { UInt8($0) })
    segment(0xC4, [0x10] + lengths(count: Self.symbols.count, of: 8) + Self.symbols)
    segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
  }

  private func lengths(count: Int, of bits: Int) -> [UInt8] {
    (1...16).map { $0 == bits ? UInt8(count) : 0 }
  }

  private mutating func segment(_ marker: UInt8, _ content: [UInt8]) {
    let length = content.count + 2
    bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  private static func planes(of image: Raster<RGB8>, left: Int, top: Int) -> [[Float]] {
    var planes = [[Float]](repeating: [Float](repeating: 0, count: 64), count: 3)
    for index in 0..<64 {
      let pixel = image[left + index % 8, top + index / 8]
      let (r, g, b) = (Float(pixel.red), Float(pixel.green), Float(pixel.blue))
      planes[0][index] = 0.299 * r + 0.587 * g + 0.114 * b - 128
      planes[1][index] = -0.168_736 * r - 0.331_264 * g + 0.5 * b
      planes[2][index] = 0.5 * r - 0.418_688 * g - 0.081_312 * b
    }
    return planes
  }

  private static func transformed(_ samples: [Float], step: Float) -> [Int] {
    var rows = [Float](repeating: 0, count: 64)
    var block = [Int](repeating: 0, count: 64)
    for y in 0..<8 {
      for u in 0..<8 {
        var sum: Float = 0
        for x in 0..<8 { sum += samples[8 * y + x] * cosines[8 * u + x] }
        rows[8 * y + u] = sum
      }
    }
    for place in 0..<64 {
      let (v, u) = (zigzag[place] / 8, zigzag[place] % 8)
      var sum: Float = 0
      for y in 0..<8 { sum += rows[8 * y + u] * cosines[8 * v + y] }
      block[place] = Int((sum / step).rounded())
    }
    return block
  }

  private mutating func write(_ block: [Int], difference: Int) {
    let size = bitCount(of: difference)
    put(UInt32(size), count: 4)
    putMagnitude(difference, size: size)
    var run = 0
    for value in block.dropFirst() {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        put(1, count: 8)
        run -= 16
      }
      let size = bitCount(of: value)
      put(UInt32(2 + run * 10 + size - 1), count: 8)
      putMagnitude(value, size: size)
      run = 0
    }
    if run > 0 { put(0, count: 8) }
  }

  private func bitCount(of value: Int) -> Int {
    Int.bitWidth - value.magnitude.leadingZeroBitCount
  }

  private mutating func putMagnitude(_ value: Int, size: Int) {
    put(UInt32(value < 0 ? value + (1 << size) - 1 : value), count: size)
  }

  private mutating func put(_ value: UInt32, count: Int) {
    for place in stride(from: count - 1, through: 0, by: -1) {
      pending = pending << 1 | (value >> UInt32(place)) & 1
      pendingCount += 1
      guard pendingCount == 8 else { continue }
      bytes.append(UInt8(pending & 255))
      if pending & 255 == 255 { bytes.append(0) }
      pendingCount = 0
    }
  }

  // Taylor series after reduction to a quarter turn, so that no math library is needed.
  private static func cosine(_ angle: Float) -> Float {
    var reduced = angle.truncatingRemainder(dividingBy: 2 * .pi)
    if reduced > .pi { reduced -= 2 * .pi }
    let sign: Float = reduced.magnitude > .pi / 2 ? -1 : 1
    let small = sign < 0 ? .pi - reduced.magnitude : reduced
    let square = small * small
    return sign * (1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56))))
  }
}
