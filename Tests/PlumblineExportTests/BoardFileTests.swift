import Foundation
import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineStreams
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct BoardFileTests {
  private func sheet(_ line: String) throws -> BoardSheet {
    try BoardSheet(BoardNotation(parsing: line).board, on: .a4)
  }

  @Test("A PDF's cross references point at its objects, and its page has the paper's size")
  func pdfStructure() throws {
    let bytes = BoardPDF(try sheet("charuco:7x9:20mm")).bytes
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    #expect(text.hasPrefix("%PDF-1.6\n") && text.hasSuffix("%%EOF\n"))
    // 210 and 297 mm in points of 1/72 inch.
    #expect(text.contains("/MediaBox [0 0 595.27559 841.88976]"))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let table = try #require(lines.firstIndex(of: "xref"))
    for object in 1...5 {
      let offset = try #require(Int(lines[table + 2 + object].prefix(10)))
      let found = String(decoding: bytes[offset...].prefix(8), as: Unicode.ASCII.self)
      #expect(found.hasPrefix("\(object) 0 obj"), "object \(object)")
    }
    let start = try #require(lines.firstIndex(of: "startxref"))
    let offset = try #require(Int(lines[start + 1]))
    #expect(String(decoding: bytes[offset...].prefix(5), as: Unicode.ASCII.self) == "xref\n")
    let length = try #require(lines.first { $0.hasPrefix("<< /Length ") })
    let stated = try #require(Int(length.dropFirst(11).prefix { $0.isNumber }))
    let opening = try #require(text.range(of: "stream\n"))
    let closing = try #require(text.range(of: "endstream"))
    #expect(text[opening.upperBound..<closing.lowerBound].utf8.count == stated)
  }

  @Test("An SVG states its size in millimeters and closes every rectangle")
  func svgStructure() throws {
    let drawn = try sheet("chessboard:7x10:25mm")
    let text = String(decoding: BoardSVG(drawn).bytes, as: UTF8.self)
    #expect(text.contains(#"width="210mm" height="297mm" viewBox="0 0 210 297""#))
    #expect(text.contains("<title>chessboard:7x10:25mm</title>"))
    #expect(text.split(separator: "z").count - 1 >= drawn.rectangles.count)
    // The top-left square of 25 mm, 17.5 mm from the left, 16.5 from the top.
    #expect(text.contains("M17.5 16.5H42.5V41.5H17.5z"))
  }

  @Test("The same board gives the same bytes")
  func sameBytes() throws {
    let (a, b) = (try sheet("charuco:7x9:20mm"), try sheet("charuco:7x9:20mm"))
    #expect(BoardPDF(a).bytes == BoardPDF(b).bytes)
    #expect(BoardSVG(a).bytes == BoardSVG(b).bytes)
  }

  @Test(
    "OpenCV finds every corner of the PNG at its true place, by the resolution in the file",
    .enabled(if: PythonPeer.has("cv2", "PIL"), "\(PythonPeer.absence("cv2 and pillow"))"),
    arguments: [
      "charuco:5x4:15mm:DICT_5X5_100", "charuco:4x6:11mm:DICT_ARUCO_ORIGINAL:legacy:marker=8mm",
    ])
  func openCVFindsTheImage(line: String) throws {
    let paper = Paper(widthMillimeters: 100, heightMillimeters: 100)
    let drawn = try BoardSheet(BoardNotation(parsing: line).board, on: paper)
    let image = try #require(drawn.raster(dotsPerInch: 100))
    let folder = try TemporaryFolder()
    // 100 dpi are 3937.0 pixels per meter.
    try folder.put(PNGEncoder(pixelsPerMeter: 3937).encoded(image), at: "board.png")
    let document = JSONWriter().bytes(BoardDocument(drawn.board).json)
    try folder.put(document, at: "board.json")
    let answer = try PythonPeer.run(
      "board_image.py", folder.file("board.png"), folder.file("board.json"))
    let numbers = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap {
        Double($0)
      }
    try #require(numbers.count == 3)
    #expect(numbers[0] == Double(drawn.board.cornerCount), "corners")
    // A thousandth of the whole, and a twentieth of a pixel for OpenCV's corners.
    #expect(abs(numbers[1] - drawn.board.squareMillimeters) < drawn.board.squareMillimeters / 1000)
    #expect(numbers[2] < 0.05, "millimeters from a perfect grid")
  }
}
