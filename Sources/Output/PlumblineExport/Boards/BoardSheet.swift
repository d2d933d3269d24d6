import PlumblineModel
package import PlumblineVision

/// A board as PDF at its true size: one page with one black path, no fonts, no compression, no
/// date.
///
/// The file tells viewers not to scale it for printing.
/// - Source: ISO 32000-1:2008; the file requires PDF 1.6, which introduced the preference against
///   scaling.
package struct BoardPDF: Sendable {
  /// The sheet to write.
  package var sheet: BoardSheet

  /// Creates the PDF of a sheet.
  package init(_ sheet: BoardSheet) { self.sheet = sheet }

  /// The file; the same sheet gives the same bytes.
  ///
  /// Cost: O(*rectangles*).
  package var bytes: [UInt8] {
    // A PDF point is 1/72 of an inch.
    let point = 72 / 25.4
    let width = SheetNumber.text(sheet.paper.widthMillimeters * point)
    let height = SheetNumber.text(sheet.paper.heightMillimeters * point)
    var content = "0 g\n"
    for rectangle in sheet.rectangles {
      // PDF's y axis points up. Coordinates are in points, so that no matrix adds a rounding step.
      let numbers = [
        rectangle.x, sheet.paper.heightMillimeters - rectangle.y - rectangle.height,
        rectangle.width, rectangle.height,
      ]
      content += numbers.map { SheetNumber.text($0 * point) }.joined(separator: " ") + " re\n"
    }
    content += "f\n"
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Resources << >> "
        + "/Contents 4 0 R >>",
      "<< /Length \(content.utf8.count) >>\nstream\n\(content)endstream",
      "<< /Title (\(BoardNotation(sheet.board).text)) >>",
    ]
    var bytes = Array("%PDF-1.6\n".utf8)
    // Four bytes above 127 mark the file as binary for file transfer programs.
    bytes += [0x25, 0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(bytes.count)
      bytes += "\(index + 1) 0 obj\n\(object)\nendobj\n".utf8
    }
    let start = bytes.count
    bytes += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8
    for offset in offsets {
      let digits = String(offset)
      bytes += "\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8
    }
    bytes += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 5 0 R >>\n".utf8
    bytes += "startxref\n\(start)\n%%EOF\n".utf8
    return bytes
  }
}

/// A board as SVG at its true size, with one black path.
///
/// - Source: Scalable Vector Graphics 1.1, W3C Recommendation, 2011.
package struct BoardSVG: Sendable {
  /// The sheet to write.
  package var sheet: BoardSheet

  /// Creates the SVG of a sheet.
  package init(_ sheet: BoardSheet) { self.sheet = sheet }

  /// The file, with coordinates rounded to 0.00001 mm.
  ///
  /// Cost: O(*rectangles*).
  package var bytes: [UInt8] {
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
      // Absolute coordinates, so that neighbors have identical numbers.
      text += "M\(x) \(y)H\(right)V\(bottom)H\(x)z\n"
    }
    text += "\"/>\n</svg>\n"
    return Array(text.utf8)
  }
}

/// Formats numbers for vector formats.
enum SheetNumber {
  /// At most five decimals without trailing zeros, with an ASCII minus sign.
  static func text(_ value: Double) -> String {
    var digits = abs(value).fixed(5)
    while digits.hasSuffix("0") && digits.contains(".") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return value < 0 && digits != "0" ? "-" + digits : digits
  }
}
