/// The encoding `rice`, bit by bit from the text of `Documentation/formats/stream.md`: slow, and
/// blind to how the kernels do it.
struct RiceTwin<Code: FixedWidthInteger & UnsignedInteger> {
  let width: Int
  let height: Int
  let hole: Code

  /// Bytes of a map, every block in the mode that costs least when it is said anew.
  func encoded(_ samples: [Code]) -> [UInt8] {
    var bits: [Bool] = []
    var last = 31
    walk { block, predicted, filled in
      let values = block.map { samples[$0] }
      let isMeasured = values.map { $0 != hole }
      if !isMeasured.contains(true) {
        bits += [true, false]
        for index in block { filled[index] = left(of: index, filled) }
        return
      }
      bits += isMeasured.contains(false) ? [true, true] + isMeasured : [false]
      var residuals: [UInt64] = []
      for (place, index) in block.enumerated() {
        guard isMeasured[place] else {
          filled[index] = left(of: index, filled)
          continue
        }
        filled[index] = values[place]
        residuals.append(zigzag(values[place] &- predicted(index, filled)))
      }
      let modes = [31, 30] + Array(0..<min(30, Code.bitWidth))
      let mode = modes.min { cost(residuals, $0) < cost(residuals, $1) } ?? 30
      if mode == last {
        bits.append(false)
      } else {
        bits.append(true)
        append(UInt64(mode), 5, &bits)
        last = mode
      }
      for residual in residuals { append(residual, mode: mode, &bits) }
    }
    var bytes = (0..<Code.bitWidth / 8).map { UInt8(truncatingIfNeeded: hole >> (8 * $0)) }
    for start in stride(from: 0, to: bits.count, by: 8) {
      var byte: UInt8 = 0
      for place in 0..<8 where start + place < bits.count && bits[start + place] {
        byte |= 0x80 >> place
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// The map of bytes; `nil` where they end early or go on.
  static func decoded(_ bytes: [UInt8], width: Int, height: Int) -> [Code]? {
    guard bytes.count >= Code.bitWidth / 8 else { return nil }
    var hole: Code = 0
    for place in 0..<Code.bitWidth / 8 { hole |= Code(bytes[place]) << (8 * place) }
    let twin = RiceTwin(width: width, height: height, hole: hole)
    var position = Code.bitWidth
    func next(_ count: Int) -> UInt64 {
      var value: UInt64 = 0
      for _ in 0..<count {
        let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
        value = value << 1 | UInt64(byte >> (7 - position % 8) & 1)
        position += 1
      }
      return value
    }
    var mode = 31
    var isLegal = true
    var samples = [Code](repeating: 0, count: width * height)
    twin.walk { block, predicted, filled in
      var isMeasured = block.map { _ in true }
      if next(1) == 1 {
        let isMixed = next(1) == 1
        isMeasured = block.map { _ in isMixed && next(1) == 1 }
      }
      if isMeasured.contains(true), next(1) == 1 { mode = Int(next(5)) }
      if mode >= Code.bitWidth && mode < 30 { isLegal = false }
      guard isLegal else { return }
      for (place, index) in block.enumerated() {
        guard isMeasured[place] else {
          samples[index] = hole
          filled[index] = twin.left(of: index, filled)
          continue
        }
        var residual: UInt64 = 0
        if mode == 30 {
          residual = next(Code.bitWidth)
        } else if mode < 30 {
          var zeros = 0
          while zeros < 16 && next(1) == 0 { zeros += 1 }
          residual = zeros == 16 ? next(Code.bitWidth) : UInt64(zeros) << mode | next(mode)
          residual &= UInt64(Code.max)
        }
        let difference = Code(truncatingIfNeeded: residual >> 1) ^ (residual & 1 == 1 ? .max : 0)
        samples[index] = predicted(index, filled) &+ difference
        filled[index] = samples[index]
      }
    }
    return isLegal && (position + 7) / 8 == bytes.count ? samples : nil
  }

  /// Visits blocks of 16 pixels of a row with the predictor of what was filled in before.
  private func walk(
    _ body: ([Int], (Int, [Code]) -> Code, inout [Code]) -> Void
  ) {
    var filled = [Code](repeating: 0, count: width * height)
    for y in 0..<height {
      for start in stride(from: 0, to: width, by: 16) {
        let block = (start..<min(start + 16, width)).map { y * width + $0 }
        body(block, predicted, &filled)
      }
    }
  }

  private func above(_ index: Int, _ filled: [Code]) -> Code {
    index >= width ? filled[index - width] : 0
  }

  private func left(of index: Int, _ filled: [Code]) -> Code {
    index % width > 0 ? filled[index - 1] : above(index, filled)
  }

  private func predicted(_ index: Int, _ filled: [Code]) -> Code {
    let a = left(of: index, filled)
    let b = above(index, filled)
    let c = index % width > 0 ? above(index - 1, filled) : b
    // The median of a, b and a + b − c, without overflow.
    let sum = Int64(a) + Int64(b) - Int64(c)
    return Code([Int64(a), Int64(b), sum].sorted()[1])
  }

  private func zigzag(_ difference: Code) -> UInt64 {
    let signed =
      Int64(difference) - (difference >> (Code.bitWidth - 1) == 1 ? 1 << Code.bitWidth : 0)
    return UInt64(signed >= 0 ? 2 * signed : -2 * signed - 1)
  }

  private func cost(_ residuals: [UInt64], _ mode: Int) -> Int {
    residuals.reduce(0) { total, residual in
      switch mode {
      case 31: total + (residual == 0 ? 0 : 1000)
      case 30: total + Code.bitWidth
      default:
        total + (residual >> mode < 16 ? Int(residual >> mode) + 1 + mode : 16 + Code.bitWidth)
      }
    }
  }

  private func append(_ residual: UInt64, mode: Int, _ bits: inout [Bool]) {
    if mode == 31 { return }
    if mode == 30 { return append(residual, Code.bitWidth, &bits) }
    if residual >> mode < 16 {
      bits += Array(repeating: false, count: Int(residual >> mode)) + [true]
      append(residual, mode, &bits)
    } else {
      bits += Array(repeating: false, count: 16)
      append(residual, Code.bitWidth, &bits)
    }
  }

  private func append(_ value: UInt64, _ count: Int, _ bits: inout [Bool]) {
    for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
  }
}
