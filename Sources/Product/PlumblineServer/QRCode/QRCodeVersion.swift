/// A size of QR code, with its capacity at error correction level M.
struct QRCodeVersion: Sendable, Hashable {
  /// The number of the version, 1 to 20 here; the standard has 40.
  let number: Int

  /// The largest version, which a terminal of 105 columns still shows.
  static let largest = QRCodeVersion(number: 20)

  private init(number: Int) { self.number = number }

  /// The smallest version that takes so many bytes; `nil` where none does.
  init?(byteCount: Int) {
    let fitting = (1...Self.largest.number).lazy.map { QRCodeVersion(number: $0) }
      .first { byteCount <= $0.byteCapacity }
    guard let fitting else { return nil }
    self = fitting
  }

  /// Modules on each side (section 5.3.1).
  var size: Int { 17 + 4 * number }

  /// Codewords of data and error correction together.
  ///
  /// - Source: Table 1.
  var codewordCount: Int {
    [
      26, 44, 70, 100, 134, 172, 196, 242, 292, 346,
      404, 466, 532, 581, 655, 733, 815, 901, 991, 1085,
    ][number - 1]
  }

  /// Blocks that are corrected by themselves.
  ///
  /// - Source: Table 9, level M.
  var blockCount: Int {
    [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16][number - 1]
  }

  /// Codewords of error correction in each block.
  ///
  /// - Source: Table 9, level M.
  var correctionCountPerBlock: Int {
    [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    ][number - 1]
  }

  /// Codewords of data in all blocks.
  var dataCount: Int { codewordCount - blockCount * correctionCountPerBlock }

  /// Codewords of data in each block: the blocks that have one more come last (Table 9).
  var dataCounts: [Int] {
    let (short, longer) = dataCount.quotientAndRemainder(dividingBy: blockCount)
    return (0..<blockCount).map { $0 < blockCount - longer ? short : short + 1 }
  }

  /// Bits of the count of bytes (Table 3, byte mode).
  var countBits: Int { number < 10 ? 8 : 16 }

  /// Bytes that fit beside the four bits of the mode and the count.
  var byteCapacity: Int { (8 * dataCount - 4 - countBits) / 8 }

  /// Rows and columns in which alignment patterns have their centers.
  ///
  /// - Source: Table E.1.
  var alignmentCenters: [Int] {
    [
      [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
      [6, 28, 50], [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70],
      [6, 26, 50, 74], [6, 30, 54, 78], [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90],
    ][number - 1]
  }
}
