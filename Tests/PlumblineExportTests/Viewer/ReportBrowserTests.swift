import Foundation
import PlumblineModel
import PlumblineExport
import Testing

/// Opens reports in a real browser; see `Tests/Browser/test_report.py` for what it checks.
@Suite(.serialized, .enabled(if: BrowserCheck.isAvailable, "\(BrowserCheck.advice)"))
struct ReportBrowserTests {
  @Test func sceneIsDrawnAndMeasured() throws {
    var sample = SampleScene()
    let scene = sample.reportScene()
    let page = ReportPage(
      title: "bust.heic", documentJSON: SampleDocument.corrected, scene: scene)
    let expected = ExpectedReadings(
      title: "bust.heic", headline: "Measurable after correction, lengths to ± 6.5 %", scene: scene,
      pixels: [(216, 225), (188, 248), (60, 440), (375, 90)], hole: (2, 300))
    try BrowserCheck(name: "bust").run(page, expected: expected.json)
  }

  @Test func relativeTurnedMapIsDrawnWithoutUnits() throws {
    var sample = SampleScene(size: RasterSize(width: 160, height: 224), seed: 3)
    var scene = sample.reportScene(withPhoto: false)
    scene.isMetric = false
    scene.displayOrientation = 6
    scene.lengthPercent = nil
    let document = SampleDocument.corrected
      .replacing("\"verdict\": \"corrected\"", with: "\"verdict\": \"relative\"")
      .replacing(
        "\"Measurable after correction, lengths to ± 6.5 %\", \"tone\": \"corrected\"",
        with: "\"Relative only\", \"tone\": \"relative\""
      )
      .replacing("absolute", with: "relative")
    let page = ReportPage(title: "turned.jpg", documentJSON: document, scene: scene)
    let expected = ExpectedReadings(
      title: "turned.jpg", headline: "Relative only", scene: scene,
      pixels: [(80, 90), (70, 100), (20, 150)], hole: nil)
    try BrowserCheck(name: "turned").run(page, expected: expected.json)
  }

  @Test func hostileDocumentStaysText() throws {
    let page = ReportPage(
      title: "</title><script>window.pwned=1</script>", documentJSON: SampleDocument.hostile,
      scene: nil)
    let expected = ExpectedReadings(
      title: "<script>window.pwned=1</script>", headline: "No verdict", scene: nil, pixels: [],
      hole: nil)
    try BrowserCheck(name: "hostile").run(page, expected: expected.json)
  }
}
