@testable import PlumblineServer

/// A QR code read as a scanner reads it, without the corrections: the modules are known to be right.
///
/// - Source: ISO/IEC 18004:2015, section 11, without the search for the code in an image.
struct QRCodeReading {
  /// An error when a code is not of the kind that is read here.
  enum Failure: Error { case copiesDiffer, levelIsNotM, modeIsNotBytes }

  let version: QRCodeVersion
  /// The mask that the format says.
  let mask: Int
  /// Data and error correction of each block.
  let blocks: [[UInt8]]
  /// The text.
  let bytes: [UInt8]

  init(_ code: QRCode) throws(Failure) {
    let size = code.size
    let formats = [
      [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7)]
        + (0...5).reversed().map { (8, $0) },
      (1...7).map { (8, size - $0) } + (1...8).reversed().map { (size - $0, 8) },
    ].map { $0.reduce(0) { $0 << 1 | (code[$1.0, $1.1] ? 1 : 0) } }
    guard formats[0] == formats[1] else { throw .copiesDiffer }
    // Table C.1 lists the 32 formats; those of level M are these.
    let known = [
      0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0,
    ]
    guard let mask = known.firstIndex(of: formats[0]) else { throw .levelIsNotM }
    self.mask = mask
    let versions = stride(from: 0, through: 666, by: 5).lazy
      .compactMap { QRCodeVersion(byteCount: $0) }
    guard let version = versions.first(where: { $0.size == size }) else { throw .levelIsNotM }
    self.version = version
    blocks = Self.blocks(of: Self.codewords(of: code, version, mask), version)
    let data = zip(blocks, version.dataCounts).flatMap { $0.prefix($1) }
    let halves = data.flatMap { [Int($0 >> 4), Int($0 & 15)] }
    let start = 1 + version.countBits / 4
    guard halves[0] == 4 else { throw .modeIsNotBytes }
    let count = halves[1..<start].reduce(0) { $0 << 4 | $1 }
    bytes = (0..<count).map { UInt8(halves[start + 2 * $0] << 4 | halves[start + 2 * $0 + 1]) }
  }

  /// Whether a module is no data.
  private static func isFixed(_ x: Int, _ y: Int, _ version: QRCodeVersion) -> Bool {
    let size = version.size
    if x == 6 || y == 6 || (x < 9 && y < 9) { return true }
    if (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8) { return true }
    if version.number >= 7, (x >= size - 11 && y < 6) || (x < 6 && y >= size - 11) { return true }
    // In the corners of finder patterns there are none.
    if (x < 9 && y == size - 9) || (x == size - 9 && y < 9) { return false }
    let reach = -2...2
    return version.alignmentCenters.contains { reach ~= y - $0 }
      && version.alignmentCenters.contains { reach ~= x - $0 }
  }

  private static func codewords(
    of code: QRCode, _ version: QRCodeVersion, _ mask: Int
  ) -> [UInt8] {
    var bits: [UInt8] = []
    var columns = Array((0..<code.size).reversed())
    columns.removeAll { $0 == 6 }
    for pair in 0..<columns.count / 2 {
      let rows = pair % 2 == 0 ? Array((0..<code.size).reversed()) : Array(0..<code.size)
      for y in rows {
        for x in columns[2 * pair...2 * pair + 1] where !isFixed(x, y, version) {
          bits.append(code[x, y] != QRCodeGrid.inverts(x, y, mask) ? 1 : 0)
        }
      }
    }
    return (0..<bits.count / 8).map { index in
      bits[8 * index..<8 * index + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  private static func blocks(of codewords: [UInt8], _ version: QRCodeVersion) -> [[UInt8]] {
    var blocks = [[UInt8]](repeating: [], count: version.blockCount)
    var next = codewords.makeIterator()
    for index in 0..<(version.dataCounts.max() ?? 0) {
      for block in blocks.indices where index < version.dataCounts[block] {
        if let codeword = next.next() { blocks[block].append(codeword) }
      }
    }
    for _ in 0..<version.correctionCountPerBlock {
      for block in blocks.indices {
        if let codeword = next.next() { blocks[block].append(codeword) }
      }
    }
    return blocks
  }

  /// Powers of 2 in the field of 256 elements, twice over, and the exponent of each element but 0.
  private static let field: (powers: [UInt8], exponents: [Int]) = {
    var powers: [UInt8] = []
    var exponents = [Int](repeating: 0, count: 256)
    var power = 1
    for exponent in 0..<255 {
      powers.append(UInt8(power))
      exponents[power] = exponent
      power <<= 1
      if power > 255 { power ^= 0x11D }
    }
    return (powers + powers, exponents)
  }()

  /// The value of the polynomial whose coefficients are the block, at 2 to the exponent; 0 for a code word
  /// and each exponent below the count of its corrections.
  static func value(of block: [UInt8], at exponent: Int) -> UInt8 {
    let (powers, exponents) = field
    var sum: UInt8 = 0
    for coefficient in block {
      sum = sum == 0 ? coefficient : powers[exponents[Int(sum)] + exponent] ^ coefficient
    }
    return sum
  }
}
