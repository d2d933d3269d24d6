import PlumblineModel
import PlumblineExport
import Testing

/// The page of figures is safe and complete whatever its parts hold.
@Suite struct FigurePageTests {
  static func page(_ text: String, value: Double = 530) -> String {
    let focal = IntervalFigure(
      rows: [.init(name: text, value: value, sigma: 0.3, remark: text, isMain: true)],
      reference: 565, toleranceShare: 0.01, unit: text)
    let depth = HistogramFigure(
      series: [.init(name: text, samples: [1, .nan, value], median: value, isMain: true)],
      unit: "mm")
    let grid = ImageGridFigure(
      imageSize: RasterSize(width: 4, height: 3), columns: 2,
      cells: Array(repeating: .init(count: 3, arrow: SIMD2(value, 0)), count: 4), showsArrows: true)
    let vectors = ImageVectorFigure(
      imageSize: RasterSize(width: 4, height: 3), columns: 2,
      cells: [
        .init(vector: SIMD2(value, 0)), .init(vector: nil), .init(vector: SIMD2(1, 2)),
        .init(vector: .zero, isExtrapolated: true),
      ])
    let points = ScatterFigure(
      series: [.init(name: text, points: [SIMD2(value, .nan), SIMD2(1, value)], isMain: false)],
      horizontalName: text, verticalName: text, tolerance: 1)
    let photo = PhotoFigure(
      jpeg: [1, 2, 3], imageSize: RasterSize(width: 4, height: 3), marks: [SIMD2(value, 1)])
    let drawings: [FigurePage.Figure.Drawing] = [
      .intervals(focal), .histogram(depth), .grid(grid), .vectors(vectors), .scatter(points),
      .photo(photo),
    ]
    let page = FigurePage(
      title: text, badge: text, tone: .good, reason: text, source: text,
      numbers: [
        .init(name: text, value: text, note: text), .init(name: text, value: nil, note: text),
      ],
      figures: drawings.map { .init(title: text, caption: text, drawing: $0) },
      documentJSON: "{\"a\":\"</script>\"}")
    return String(decoding: page.html(), as: UTF8.self)
  }

  @Test("No text can become markup, and the document cannot end its element")
  func escapes() {
    let page = Self.page("<img src=x onerror=alert(1)>\" '&")
    #expect(!page.contains("<img"))
    #expect(!page.contains("\"</script>\""))
    #expect(page.contains("&lt;img src=x"))
  }

  @Test("Refers to nothing outside itself, and is a function of its parts")
  func complete() {
    let page = Self.page("plain")
    #expect(page == Self.page("plain"))
    #expect(!page.contains("http://") && !page.contains("https://"))
    #expect(!page.contains("{{"))
    #expect(page.split(separator: "<svg class=\"figure\"").count == 7)
  }

  @Test(
    "Numbers that are none, or huge, draw nothing and break nothing",
    arguments: [
      Double.nan, .infinity, 1e300, -1e300,
    ])
  func wild(value: Double) {
    let page = Self.page("plain", value: value)
    #expect(!page.contains("nan") && !page.contains("inf\""))
  }

  @Test(
    "The legend's arrow has a round length that fits, whatever the vectors",
    arguments: [
      (0.0, "no arrow is as long as 0.01 px"), (0.009, "no arrow is as long as 0.01 px"),
      (0.01, ">0.01 px; the longest is 0.01 px"), (0.07, ">0.05 px; the longest is 0.07 px"),
      (1.99, ">1.00 px; the longest is 1.99 px"), (35.71, ">20.0 px; the longest is 35.7 px"),
      (4321, ">2000.0 px; the longest is 4321.0 px"),
    ])
  func legend(length: Double, text: String) {
    let figure = ImageVectorFigure(
      imageSize: RasterSize(width: 4, height: 3), columns: 2,
      cells: [.init(vector: SIMD2(0, length)), .init(vector: nil)])
    let page = FigurePage(
      title: "", badge: "", tone: .good, reason: "", source: "", numbers: [],
      figures: [.init(title: "a", caption: "b", drawing: .vectors(figure))], documentJSON: "{}")
    let html = String(decoding: page.html(), as: UTF8.self)
    #expect(html.contains(text), "\(length)")
    #expect(html.contains("empty: not in both images") && !html.contains("no corner seen"))
  }
}
