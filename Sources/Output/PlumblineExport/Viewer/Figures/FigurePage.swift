package import PlumblineModel

/// One self-contained HTML page with a verdict, its numbers and figures of them.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// needs a script only for switching its colors, and depends only on its parts.
package struct FigurePage: Sendable {
  /// The tone of a verdict.
  package enum Tone: String, Sendable {
    /// Good.
    case good = "measurable"
    /// Good after a correction.
    case mended = "corrected"
    /// Undecided.
    case undecided = "relative"
    /// Bad.
    case bad = "untrusted"
  }

  /// A key number.
  package struct Number: Sendable {
    /// The name of the number.
    package var name: String
    /// The number with its uncertainty and unit; `nil` if unknown.
    package var value: String?
    /// A remark, or the reason why the number is unknown.
    package var note: String

    /// Creates a number.
    package init(name: String, value: String?, note: String) {
      self.name = name
      self.value = value
      self.note = note
    }
  }

  /// A figure with its title and caption.
  package struct Figure: Sendable {
    /// The kinds of drawings.
    package enum Drawing: Sendable {
      /// Several measurements of one number.
      case intervals(IntervalFigure)
      /// A histogram of samples.
      case histogram(HistogramFigure)
      /// A grid over the image.
      case grid(ImageGridFigure)
      /// A vector in each cell of a grid over the image.
      case vectors(ImageVectorFigure)
      /// A scatter plot.
      case scatter(ScatterFigure)
      /// An image.
      case photo(PhotoFigure)
      /// A number of each frame of a recording.
      case frames(FrameFigure)
      /// Paths on a plane.
      case paths(PathFigure)
    }

    /// The title.
    package var title: String
    /// The meaning of the figure, in one or two sentences.
    package var caption: String
    /// The drawing.
    package var drawing: Drawing

    /// Creates a figure.
    package init(title: String, caption: String, drawing: Drawing) {
      self.title = title
      self.caption = caption
      self.drawing = drawing
    }

    var markup: String {
      switch drawing {
      case .intervals(let figure): figure.markup(label: title)
      case .histogram(let figure): figure.markup(label: title)
      case .grid(let figure): figure.markup(label: title)
      case .vectors(let figure): figure.markup(label: title)
      case .scatter(let figure): figure.markup(label: title)
      case .photo(let figure): figure.markup(label: title)
      case .frames(let figure): figure.markup(label: title)
      case .paths(let figure): figure.markup(label: title)
      }
    }
  }

  /// A table of texts; the first column names its rows.
  package struct Table: Sendable {
    /// The title.
    package var title: String
    /// What the table shows, in a sentence or two; empty for none.
    package var caption: String
    /// The heads of the columns.
    package var heads: [String]
    /// The rows, each with a text for each head; texts may be of any origin.
    package var rows: [[String]]

    /// Creates a table.
    package init(title: String, caption: String, heads: [String], rows: [[String]]) {
      self.title = title
      self.caption = caption
      self.heads = heads
      self.rows = rows
    }
  }

  /// Tables before the figures, each as wide as the page.
  package var tables: [Table] = []
  /// What speaks against it, gravest first, in a list before the figures.
  package var findings: [Finding] = []
  /// The name of the assessed object, as plain text of any origin.
  package var title: String
  /// The verdict in one or two words.
  package var badge: String
  /// The tone of the verdict.
  package var tone: Tone
  /// The verdict in a sentence, as plain text.
  package var reason: String
  /// The examined source, as plain text.
  package var source: String
  /// The key numbers.
  package var numbers: [Number]
  /// The figures in order.
  package var figures: [Figure]
  /// The JSON document with the same numbers, whose strings may be of any origin.
  package var documentJSON: String

  /// Creates a page from its parts.
  package init(
    title: String, badge: String, tone: Tone, reason: String, source: String, numbers: [Number],
    figures: [Figure], documentJSON: String
  ) {
    self.title = title
    self.badge = badge
    self.tone = tone
    self.reason = reason
    self.source = source
    self.numbers = numbers
    self.figures = figures
    self.documentJSON = documentJSON
  }

  /// The page as UTF-8; O(*n*).
  package func html() -> [UInt8] {
    let script = PageAssets.figureScript
    return PageTemplate(PageAssets.figureTemplate).filled([
      "title": Escaping.markup(title),
      "style": PageAssets.figureStyle,
      "script": script,
      "policy": Array(PageAssets.policyWord(for: script).utf8),
      "verdict": Array(tone.rawValue.utf8),
      "icon": Array(icon.utf8),
      "badge": Escaping.markup(badge),
      "reason": Escaping.markup(reason),
      "source": Escaping.markup(source),
      "numbers": numbers.flatMap(Self.card),
      "figures": findingsSection + tables.flatMap(Self.section) + figures.flatMap(Self.section),
      "document": Escaping.script(json: documentJSON),
    ])
  }

  private var icon: String {
    switch tone {
    case .good: "check"
    case .mended: "corrected"
    case .undecided: "relative"
    case .bad: "cross"
    }
  }

  private static func card(_ number: Number) -> [UInt8] {
    Array("<div class=\"number\"><dt>".utf8) + Escaping.markup(number.name)
      + Array("</dt><dd><span class=\"\(number.value == nil ? "value missing" : "value")\">".utf8)
      + Escaping.markup(number.value ?? "—") + Array("</span><span class=\"note\">".utf8)
      + Escaping.markup(number.note) + Array("</span></dd></div>\n".utf8)
  }

  private var findingsSection: [UInt8] {
    guard !findings.isEmpty else { return [] }
    let items = findings.flatMap(Self.item)
    return Array("<section class=\"card plot wide\"><h2>Findings</h2><ul class=\"notes\">".utf8)
      + items + Array("</ul></section>\n".utf8)
  }

  private static func item(_ finding: Finding) -> [UInt8] {
    let severity = finding.severity.rawValue
    let source = [finding.code.rawValue, finding.evidence].filter { !$0.isEmpty }
    var item = Array("<li class=\"\(severity)\"><strong>\(severity)</strong> ".utf8)
    item += Escaping.markup(finding.message)
    item += Array("<br><small>".utf8)
    item += Escaping.markup(source.joined(separator: " · "))
    item += Array("</small></li>\n".utf8)
    return item
  }

  private static func section(_ table: Table) -> [UInt8] {
    func cells(_ texts: [String], _ first: String, _ other: String) -> [UInt8] {
      texts.enumerated().flatMap { index, text -> [UInt8] in
        let tag = index == 0 ? first : other
        return Array("<\(tag)>".utf8) + Escaping.markup(text)
          + Array("</\(tag.prefix(2))>".utf8)
      }
    }
    var section = Array("<section class=\"card plot wide\"><h2>".utf8)
    section += Escaping.markup(table.title)
    section += Array(
      "</h2><div class=\"table-frame\" tabindex=\"0\"><table><thead><tr>".utf8)
    section += cells(table.heads, "th scope=\"col\"", "th scope=\"col\"")
    section += Array("</tr></thead><tbody>".utf8)
    for row in table.rows {
      section += Array("<tr>".utf8) + cells(row, "th scope=\"row\"", "td") + Array("</tr>".utf8)
    }
    section += Array("</tbody></table></div><p class=\"under-table\">".utf8)
    section += Escaping.markup(table.caption)
    section += Array("</p></section>\n".utf8)
    return section
  }

  private static func section(_ figure: Figure) -> [UInt8] {
    Array("<figure class=\"card plot\"><h2>".utf8) + Escaping.markup(figure.title)
      + Array("</h2>".utf8) + Array(figure.markup.utf8) + Array("<figcaption>".utf8)
      + Escaping.markup(figure.caption) + Array("</figcaption></figure>\n".utf8)
  }
}

/// An image with marks.
package struct PhotoFigure: Sendable {
  /// The image as a baseline JPEG.
  package var jpeg: [UInt8]
  /// The size of the image to which the marks refer, which may be larger than the JPEG.
  package var imageSize: RasterSize
  /// The marks, in pixels of the image; the center of the first pixel is (0, 0).
  package var marks: [SIMD2<Double>]

  /// Creates a figure.
  package init(jpeg: [UInt8], imageSize: RasterSize, marks: [SIMD2<Double>]) {
    self.jpeg = jpeg
    self.imageSize = imageSize
    self.marks = marks
  }

  /// The drawing.
  func markup(label: String) -> String {
    let width = 416.0
    let height = min(600, width / max(imageSize.aspectRatio, 0.1))
    var canvas = SVGCanvas(width: 440, height: height + 24)
    canvas.image(jpeg: jpeg, [12, 12], [width, height])
    let scale = SIMD2(width / Double(imageSize.width), height / Double(imageSize.height))
    for mark in marks { canvas.dot(SIMD2(12, 12) + (mark + 0.5) * scale, radius: 3.2, "mark") }
    return canvas.markup(label: label)
  }
}
