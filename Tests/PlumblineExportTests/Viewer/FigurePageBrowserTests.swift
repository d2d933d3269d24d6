import Foundation
import PlumblineModel
import PlumblineExport
import Testing

/// Opens pages of figures in a real browser; see `Tests/Browser/test_verify_report.py` for what it
/// checks: form, content, console, requests, and that no text meets another or leaves its place.
@Suite(.serialized, .enabled(if: BrowserCheck.isAvailable, "\(BrowserCheck.advice)"))
struct FigurePageBrowserTests {
  @Test func figuresFitWideAndNarrow() throws {
    let page = Self.page(named: "iPadPro12_5gen")
    try BrowserCheck(name: "figures").run(page, expected: try Self.expected(of: page))
  }

  @Test func hostileNamesStayText() throws {
    let name =
      "</title><script>window.pwned=1</script><img src=x onerror=window.pwned=2>\"'&{{title}}"
      + String(repeating: "a", count: 120)
    let page = Self.page(named: name)
    try BrowserCheck(name: "hostile-figures").run(page, expected: try Self.expected(of: page))
  }

  private static func expected(of page: FigurePage) throws -> String {
    let parts: [String: Any] = [
      "title": page.title, "badge": page.badge, "figures": page.figures.map(\.title),
      "numbers": page.numbers.count,
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: parts), as: UTF8.self)
  }

  /// A page as `verify` makes it, with numbers of the lengths that real ones have.
  private static func page(named name: String) -> FigurePage {
    func samples(about middle: Double) -> [Double] {
      (0..<400).map { (index: Int) -> Double in
        let step = Double(index * index % 31)
        return middle - 1.5 + step / 10
      }
    }
    let far = samples(about: -21)
    let near = samples(about: -1.6)
    let lengths = (0..<12).map { (index: Int) -> SIMD2<Double> in
      let distance = 160 + 14 * Double(index)
      return SIMD2(distance, Double(index % 5) / 10 - 6.4)
    }
    let cells = (0..<108).map { (index: Int) -> ImageGridFigure.Cell in
      let upward = Double(index % 7) * 0.03 - 0.1
      return ImageGridFigure.Cell(count: index % 76, arrow: SIMD2(0.2, upward))
    }
    func grid(showsArrows: Bool) -> FigurePage.Figure.Drawing {
      .grid(
        ImageGridFigure(
          imageSize: RasterSize(width: 640, height: 480), columns: 12, cells: cells,
          showsArrows: showsArrows))
    }
    let vectors = (0..<108).map { (index: Int) -> ImageVectorFigure.Cell in
      let offset = SIMD2(Double(index % 12) - 5.5, Double(index / 12) - 4)
      return .init(vector: index < 3 ? nil : offset * 3.2, isExtrapolated: index % 12 == 11)
    }
    let drawings: [(String, FigurePage.Figure.Drawing)] = [
      (
        "Focal length",
        .intervals(
          IntervalFigure(
            rows: [
              .init(name: "factory", value: 565.12, sigma: nil),
              .init(
                name: "focal alone", value: 530.23, sigma: 0.27, remark: "RMS 0.09 px", isMain: true
              ),
              .init(name: "device's table", value: 1541.24, sigma: 13.94, remark: "RMS 1.28 px"),
            ], reference: 565.12, toleranceShare: 0.01, unit: "pixels"))
      ),
      (
        "Depth",
        .histogram(
          HistogramFigure(
            series: [
              .init(
                name: "factory camera: median −21.0 mm", samples: far, median: -21, isMain: false),
              .init(
                name: "measured camera: median −1.6 mm", samples: near, median: -1.6, isMain: true),
            ], unit: "mm"))
      ),
      (
        "Lengths",
        .scatter(
          ScatterFigure(
            series: [.init(name: "factory camera", points: lengths, isMain: false)],
            horizontalName: "distance of the board in mm", verticalName: "error in %", tolerance: 1)
        )
      ),
      (
        "One length",
        .scatter(
          ScatterFigure(
            series: [
              .init(
                name: "factory camera", points: [SIMD2(200.657, -6)], sigmas: [0.1], isMain: true)
            ],
            horizontalName: "distance of the board in mm", verticalName: "error in %", tolerance: 1)
        )
      ),
      ("Coverage", grid(showsArrows: false)), ("Residuals", grid(showsArrows: true)),
      (
        "Difference",
        .vectors(
          ImageVectorFigure(
            imageSize: RasterSize(width: 640, height: 480), columns: 12, cells: vectors))
      ),
    ]
    let reason = "The factory focal length of 565.12 px does not fit: 530.23 ± 0.27 px (−6.17 %)."
    var page = FigurePage(
      title: name, badge: "Factory calibration does not fit", tone: .bad, reason: reason,
      source: "40 of 50 frames used · \(name)",
      numbers: (0..<10).map {
        .init(
          name: "Sensor − board, measured", value: $0 == 3 ? nil : "530.23 ± 0.27 px",
          note: "median at 261 mm; half of the corners within ± 1.29 mm of it")
      },
      figures: (drawings + scanDrawings).map { .init(title: $0.0, caption: reason, drawing: $0.1) },
      documentJSON: "{\"folder\":\"</script><script>window.pwned=3</script>\"}")
    page.findings = [
      Finding(.scanTrackingLost, .caution, "5 frames of \(name) do not fit", evidence: name),
      Finding(.scanOpenDirection, .note, reason),
    ]
    return page
  }

  /// The figures of the report of a scan.
  private static var scanDrawings: [(String, FigurePage.Figure.Drawing)] {
    func spiral(_ scale: Double) -> [SIMD2<Double>] {
      (0..<1200).map { (index: Int) -> SIMD2<Double> in
        let step = Double(index % 100) - 50
        return SIMD2(step * step / 500, Double(index) / 300) * scale
      }
    }
    let frames = (0..<900).map { (index: Int) -> FrameFigure.Frame in
      let isLost = index % 97 < 5
      return FrameFigure.Frame(
        value: isLost ? nil : 3 + Double(index % 13) / 10,
        tone: isLost ? .lost : index % 31 == 0 ? .weak : .good)
    }
    let tracking = FrameFigure(
      frames: frames, verticalName: "residual in mm",
      toneNames: ["fits", "motion alone", "left out"])
    let recorded = PathFigure.Path(
      name: "as recorded", pieces: [spiral(1), spiral(1.02)], isMain: false)
    let registered = PathFigure.Path(name: "as registered", pieces: [spiral(1.04)], isMain: true)
    return [
      ("Tracking", .frames(tracking)),
      ("Path", .paths(PathFigure(paths: [recorded, registered]))),
    ]
  }
}
