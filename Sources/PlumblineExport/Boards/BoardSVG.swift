internal import PlumblineModel
public import PlumblineVision

/// A board as SVG at its true size, black as one path.
///
/// - Source: Scalable Vector Graphics 1.1, W3C Recommendation, 2011.
public struct BoardSVG: Sendable {
  /// The sheet to write.
  public var sheet: BoardSheet

  /// Takes a sheet.
  public init(_ sheet: BoardSheet) { self.sheet = sheet }

  /// The file; O(*rectangles*). Coordinates are rounded to a hundred-thousandth of a millimeter.
  public var bytes: [UInt8] {
    let width = SheetNumber.text(sheet.paper.widthMillimeters)
    let height = SheetNumber.text(sheet.paper.heightMillimeters)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)mm" height="\(height)mm" \
      viewBox="0 0 \(width) \(height)">
      <title>\(BoardNotation(sheet.board).text)</title>
      <desc>Print at 100 %; the ruler below the board shows whether that was done.</desc>
      <rect width="\(width)" height="\(height)" fill="#fff"/>
      <path fill="#000" d="

      """
    for rectangle in sheet.rectangles {
      let (x, y) = (SheetNumber.text(rectangle.x), SheetNumber.text(rectangle.y))
      let right = SheetNumber.text(rectangle.x + rectangle.width)
      let bottom = SheetNumber.text(rectangle.y + rectangle.height)
      // Absolute, so that neighbors share the very same numbers.
      text += "M\(x) \(y)H\(right)V\(bottom)H\(x)z\n"
    }
    text += "\"/>\n</svg>\n"
    return Array(text.utf8)
  }
}

/// Numbers of vector formats.
enum SheetNumber {
  /// At most five decimals, none where they are zero, with a plain minus sign.
  static func text(_ value: Double) -> String {
    var digits = abs(value).fixed(5)
    while digits.hasSuffix("0") && digits.contains(".") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return value < 0 && digits != "0" ? "-" + digits : digits
  }
}
