/// The modules of a QR code while it is made, in the places that the standard gives them.
struct QRCodeGrid {
  /// Modules on each side.
  let size: Int
  /// Whether each is dark, row after row.
  private(set) var isDark: [Bool]
  /// Whether each belongs to a pattern, the format or the version, which masks leave alone.
  private var isFixed: [Bool]

  /// Places patterns, the version and the codewords; no mask is applied, and no format is there yet.
  init(_ version: QRCodeVersion, codewords: [UInt8]) {
    size = version.size
    isDark = [Bool](repeating: false, count: size * size)
    isFixed = isDark
    fixPatterns(version)
    fixFormat(mask: 0)
    fixVersion(version)
    place(codewords)
  }

  /// The grid with its data masked, and with the format that says so.
  func masked(by mask: Int) -> Self {
    var result = self
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && Self.inverts(x, y, mask) {
        result.isDark[y * size + x].toggle()
      }
    }
    result.fixFormat(mask: mask)
    return result
  }

  /// Whether a mask inverts the module (Table 10, where `x` is j and `y` is i).
  static func inverts(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (y / 2 + x / 3) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    case 7: ((x + y) % 2 + x * y % 3) % 2 == 0
    default: preconditionFailure("there are eight masks")
    }
  }

  private mutating func fix(_ x: Int, _ y: Int, isDark dark: Bool) {
    isDark[y * size + x] = dark
    isFixed[y * size + x] = true
  }

  /// Timing, finder and alignment patterns (sections 6.3.3 to 6.3.6).
  private mutating func fixPatterns(_ version: QRCodeVersion) {
    for index in 0..<size {
      fix(index, 6, isDark: index % 2 == 0)
      fix(6, index, isDark: index % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      // The fourth ring is the separator.
      fixRings(x, y, isDark: [true, true, false, true, false])
    }
    let centers = version.alignmentCenters
    guard let first = centers.first, let last = centers.last else { return }
    for y in centers {
      for x in centers
      where (x, y) != (first, first) && (x, y) != (last, first) && (x, y) != (first, last) {
        fixRings(x, y, isDark: [true, false, true])
      }
    }
  }

  /// Squares around a center, from it to the outside; what lies beyond the edge is left out.
  private mutating func fixRings(_ centerX: Int, _ centerY: Int, isDark rings: [Bool]) {
    let reach = rings.count - 1
    for y in max(0, centerY - reach)...min(size - 1, centerY + reach) {
      for x in max(0, centerX - reach)...min(size - 1, centerX + reach) {
        fix(x, y, isDark: rings[max(abs(x - centerX), abs(y - centerY))])
      }
    }
  }

  /// Level M and the mask, twice, and the module that is always dark (section 7.9, Figure 25).
  private mutating func fixFormat(mask: Int) {
    // Level M is 00. The last ten bits are the remainder by x¹⁰ + x⁸ + x⁵ + x⁴ + x² + x + 1 (Annex C).
    let format = Self.withRemainder(mask, by: 0b101_0011_0111) ^ 0b101_0100_0001_0010
    for bit in 0..<15 {
      let dark = format >> bit & 1 == 1
      // Around the upper left finder pattern, beside the timing patterns.
      switch bit {
      case 0..<6: fix(8, bit, isDark: dark)
      case 6: fix(8, 7, isDark: dark)
      case 7: fix(8, 8, isDark: dark)
      case 8: fix(7, 8, isDark: dark)
      default: fix(14 - bit, 8, isDark: dark)
      }
      // Below the upper right one, and to the right of the lower left one.
      if bit < 8 {
        fix(size - 1 - bit, 8, isDark: dark)
      } else {
        fix(8, size - 15 + bit, isDark: dark)
      }
    }
    fix(8, size - 8, isDark: true)
  }

  /// The version, twice, from version 7 on (section 7.10, Figures 27 and 28).
  private mutating func fixVersion(_ version: QRCodeVersion) {
    guard version.number >= 7 else { return }
    // The last twelve bits are the remainder by x¹² + x¹¹ + x¹⁰ + x⁹ + x⁸ + x⁵ + x² + 1 (Annex D).
    let bits = Self.withRemainder(version.number, by: 0b1_1111_0010_0101)
    for bit in 0..<18 {
      let (across, along) = (size - 11 + bit % 3, bit / 3)
      fix(across, along, isDark: bits >> bit & 1 == 1)
      fix(along, across, isDark: bits >> bit & 1 == 1)
    }
  }

  /// A value followed by its remainder, as Bose–Chaudhuri–Hocquenghem codes are made.
  ///
  /// The generator is a polynomial over {0, 1}; its degree is the count of bits that follow.
  static func withRemainder(_ value: Int, by generator: Int) -> Int {
    let degree = Int.bitWidth - 1 - generator.leadingZeroBitCount
    var remainder = value << degree
    while remainder >> degree != 0 {
      let excess = generator.leadingZeroBitCount - remainder.leadingZeroBitCount
      remainder ^= generator << excess
    }
    return value << degree | remainder
  }

  /// Bits in columns of two from the right, up and down in turn, past all that is fixed (section 7.7.3); modules
  /// that are left over stay light.
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var isUpward = true
    // The column of the vertical timing pattern belongs to no pair.
    for right in stride(from: size - 1, through: 8, by: -2) + [5, 3, 1] {
      for step in 0..<size {
        let y = isUpward ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && bit < 8 * codewords.count {
          isDark[y * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      isUpward.toggle()
    }
  }
}
