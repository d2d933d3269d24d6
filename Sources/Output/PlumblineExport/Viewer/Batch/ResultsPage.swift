/// One HTML page with the results of many captures: answers in sentences, counts, figures, and a table.
///
/// The page works from `file://` and makes no request but for its rows and thumbnails, which lie beside it.
/// It depends only on its parts: the same parts give the same bytes.
package struct ResultsPage: Sendable {
  /// Where the rows are.
  package enum Rows: Sendable {
    /// Inside the page: one JSON document for each block of rows.
    case inside([[UInt8]])
    /// In a script of this name in the folder of the page; see ``ResultsPage/scriptLine(of:)``.
    case beside(String)
  }

  /// A question and its answer, as plain text of any origin.
  package struct Answer: Sendable {
    /// The question in a few words.
    package var question: String
    /// The answer in a sentence or two.
    package var text: String

    /// Creates an answer.
    package init(question: String, text: String) {
      self.question = question
      self.text = text
    }
  }

  /// The title, as plain text of any origin.
  package var title: String
  /// How many captures can be measured, in a sentence, as plain text.
  package var headline: String
  /// The other answers.
  package var answers: [Answer]
  /// What all rows have together, as JSON: `plumbline.results-page/1` of `Documentation/batch-results.md`.
  package var summaryJSON: String
  /// The rows.
  package var rows: Rows

  /// Creates a page from its parts.
  package init(
    title: String, headline: String, answers: [Answer], summaryJSON: String, rows: Rows
  ) {
    self.title = title
    self.headline = headline
    self.answers = answers
    self.summaryJSON = summaryJSON
    self.rows = rows
  }

  /// The page as UTF-8; O(*n*) in the rows that are inside.
  package func html() -> [UInt8] {
    let script = PageAssets.resultsScript
    var policy = "'\(PageAssets.policyWord(for: script))'"
    var data: [UInt8] = []
    switch rows {
    case .inside(let blocks):
      data = blocks.flatMap { block in
        Array("<script type=\"application/json\" class=\"plumbline-rows\">".utf8)
          + Escaping.script(json: String(decoding: block, as: UTF8.self))
          + Array("</script>\n".utf8)
      }
    case .beside:
      // The page's own script, which the hash names, may load the one with the rows, and nothing else may.
      policy += " 'strict-dynamic'"
    }
    return PageTemplate(PageAssets.resultsTemplate).filled([
      "title": Escaping.markup(title),
      "style": PageAssets.resultsStyle,
      "script": script,
      "policy": Array(policy.utf8),
      "answer": Escaping.markup(headline),
      "answers": answers.flatMap(Self.item),
      "summary": Escaping.script(json: summaryJSON),
      "data": data,
    ])
  }

  /// A block of rows as a line of the script that lies beside the page.
  ///
  /// - Parameter block: A JSON document, in which `<`, line separators and controls are escaped.
  package static func scriptLine(of block: [UInt8]) -> [UInt8] {
    Array("plumblineRows(".utf8) + block + Array(");\n".utf8)
  }

  private static func item(_ answer: Answer) -> [UInt8] {
    Array("      <div><dt>".utf8) + Escaping.markup(answer.question) + Array("</dt><dd>".utf8)
      + Escaping.markup(answer.text) + Array("</dd></div>\n".utf8)
  }
}
