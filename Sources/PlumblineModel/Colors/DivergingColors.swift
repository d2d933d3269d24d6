/// Colors for numbers on both sides of 0: blue below, white at 0, red above.
///
/// The five knots are this project's own, chosen to be distinct without seeing red and green apart;
/// both sides grow equally dark. The viewer's `colormaps.js` has the same numbers; a test compares them.
public enum DivergingColors {
  /// 256 colors from the lowest to the highest number, 0 between the two in the middle.
  public static let colors: [RGB8] = (0..<256).map { index in
    let position = Double(index) / 255 * Double(knots.count - 1)
    let knot = min(knots.count - 2, Int(position))
    let weight = position - Double(knot)
    func mixed(_ shift: UInt32) -> UInt8 {
      let low = Double(knots[knot] >> shift & 0xFF)
      let high = Double(knots[knot + 1] >> shift & 0xFF)
      return UInt8((low + weight * (high - low)).rounded())
    }
    return RGB8(red: mixed(16), green: mixed(8), blue: mixed(0))
  }

  private static let knots: [UInt32] = [0x123A8C, 0x5B9BE0, 0xF5F5F5, 0xE8814F, 0x8E1616]
}
