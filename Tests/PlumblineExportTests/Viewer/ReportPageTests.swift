import Foundation
import PlumblineModel
import PlumblineExport
import Testing

/// The assembly of the page: what goes in comes out, and nothing gets loose.
@Suite struct ReportPageTests {
  private static func page(
    title: String = "bust.heic", document: String = SampleDocument.corrected,
    scene: ReportScene? = nil
  ) -> String {
    let page = ReportPage(title: title, documentJSON: document, scene: scene)
    return String(decoding: page.html(), as: UTF8.self)
  }

  private static func scene(
    _ depth: Raster<Float>, color: [UInt8]? = nil, orientation: Int = 1
  ) -> ReportScene {
    ReportScene(
      colorJPEG: color, depthMeters: depth, isMetric: true,
      rays: RayGrid(columns: 2, rows: 1, directions: [[-0.5, 0.25], [0.5, 0.25]]),
      sigma: SigmaCurve(constantMeters: 0.001, perMeter: .infinity, perMeterSquared: 1e-7),
      lengthPercent: nil, displayOrientation: orientation)
  }

  /// The text of the one element with an identifier.
  private static func content(of identifier: String, in page: String) throws -> String {
    let parts = page.components(separatedBy: "id=\"\(identifier)\">")
    try #require(parts.count == 2, "\(identifier) occurs \(parts.count - 1) times")
    let end = try #require(parts[1].range(of: "</script>"))
    return String(parts[1][..<end.lowerBound])
  }

  private static func object(_ text: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }

  @Test func documentKeepsItsMeaning() throws {
    let text = try Self.content(of: "plumbline-document", in: Self.page())
    let found = try Self.object(text)
    let expected = try Self.object(SampleDocument.corrected)
    #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: expected))
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "</SCRIPT >", "<!--<script>", "]]>", "&lt;", "\"'`",
    "{{script}}", "{{document}}", "\\u003c/script>", "\u{0}\u{1B}[31m", "\u{202E}txt.exe",
    "\u{2028}",
  ])
  func hostileTextStaysInItsPlace(text: String) throws {
    let quoted = try String(
      decoding: JSONSerialization.data(withJSONObject: ["reason": text]), as: UTF8.self)
    let plain = Self.page(title: "", document: "{}")
    let page = Self.page(title: text, document: quoted)
    for tag in ["<script", "</script", "<!--", "</title", "<style", "</style"] {
      let count = page.lowercased().components(separatedBy: tag).count
      #expect(count == plain.lowercased().components(separatedBy: tag).count, "\(tag)")
    }
    for scalar in ["\u{0}", "\u{1B}", "\u{202E}"] where text.contains(scalar) {
      let head = page.components(separatedBy: "<style>")[0]
      #expect(!head.contains(scalar))
    }
    let kept = try Self.object(Self.content(of: "plumbline-document", in: page))
    #expect(kept["reason"] as? String == text)
  }

  @Test func rawControlCharactersInStringsAreMended() throws {
    let page = Self.page(document: "{\n\"reason\":\t\"a\u{1}b\\\"\u{0}\"}")
    let kept = try Self.object(Self.content(of: "plumbline-document", in: page))
    #expect(kept["reason"] as? String == "a\u{1}b\"\u{0}")
  }

  @Test func payloadReturnsBitForBit() throws {
    let size = RasterSize(width: 3, height: 2)
    // Two samples of padding end each row; what is infinite, zero or negative counts as missing.
    let samples: [Float] = [0.25, .infinity, 1.5, 99, 99, -1, 3.25, 1e-30]
    let depth = Raster<Float>(size: size, rowStride: 5, samples: samples)
    let color = (0...255).map { UInt8($0) }
    let page = Self.page(scene: Self.scene(depth, color: color, orientation: 9))
    let bytes = try #require(Data(base64Encoded: Self.content(of: "plumbline-depth", in: page)))
    let found = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let expected: [Float] = [0.25, .nan, 1.5, .nan, 3.25, 1e-30]
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
    #expect(Data(base64Encoded: try Self.content(of: "plumbline-color", in: page)) == Data(color))
    let rays = try #require(Data(base64Encoded: Self.content(of: "plumbline-rays", in: page)))
    #expect(
      rays.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } == [-0.5, 0.25, 0.5, 0.25])
    let parameters = try Self.object(Self.content(of: "plumbline-scene", in: page))
    #expect(parameters["width"] as? Int == 3)
    #expect(parameters["orientation"] as? Int == 1)
    #expect(parameters["calibrated"] as? Bool == true)
    #expect(parameters["sigmaPerMeter"] is NSNull)
    #expect(parameters["sigmaPerMeterSquared"] as? Double == 1e-7)
    #expect(parameters["lengthPercent"] is NSNull)
  }

  @Test func largeMapsAreThinnedOut() throws {
    let size = RasterSize(width: 2050, height: 1401)
    let depth = Raster<Float>(size: size) { x, y in Float(1 + x + 4096 * y) }
    let page = Self.page(scene: Self.scene(depth))
    let parameters = try Self.object(Self.content(of: "plumbline-scene", in: page))
    #expect(parameters["step"] as? Int == 2)
    let bytes = try #require(Data(base64Encoded: Self.content(of: "plumbline-depth", in: page)))
    let found = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(found.count == 1025 * 701)
    #expect(found[1025 + 3] == depth[6, 2])
  }

  @Test func pageStaysSmallAndTheSame() {
    let size = RasterSize(width: 768, height: 576)
    let depth = Raster<Float>(size: size) { x, y in 0.5 + Float(x ^ y) / 1000 }
    let photo = [UInt8](repeating: 0x5A, count: 900_000)
    let page = ReportPage(
      title: "a", documentJSON: SampleDocument.corrected,
      scene: Self.scene(depth, color: photo))
    let first = page.html()
    #expect(first.count < 4_000_000, "\(first.count) bytes")
    #expect(first == page.html())
  }

  @Test func pageForbidsAndMakesNoRequest() {
    let page = Self.page()
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
    for address in ["http://", "https://", "src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
      let parts = page.components(separatedBy: address).dropFirst()
      // The name of the SVG namespace looks like an address and is none.
      let strange = parts.filter { !$0.hasPrefix("www.w3.org/2000/svg") }
      #expect(strange.isEmpty, "\(address)")
    }
    #expect(!page.contains("{{"))
  }

  @Test func emptySceneMakesAPage() {
    let depth = Raster<Float>(size: RasterSize(width: 0, height: 0), repeating: 0)
    #expect(Self.page(scene: Self.scene(depth)).contains("plumbline-depth\"></script>"))
  }
}
