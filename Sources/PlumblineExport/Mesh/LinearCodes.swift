/// The light of each 8-bit sRGB code, from 0 to 1.
///
/// The power 12/5 comes from a fifth root by Newton's steps and products, so that every platform
/// has the same numbers.
///
/// - Source: IEC 61966-2-1.
struct LinearCodes {
  private let table: [Double]

  init() {
    table = (0...255).map { code in
      let share = Double(code) / 255
      guard share > 0.04045 else { return share / 12.92 }
      let base = (share + 0.055) / 1.055
      var root = 1.0
      for _ in 0..<60 {
        let fourth = root * root * root * root
        root -= (root * fourth - base) / (5 * fourth)
      }
      let cube = root * root * root
      return cube * cube * cube * cube
    }
  }

  /// The light of a code.
  subscript(code: UInt8) -> Double { table[Int(code)] }
}
