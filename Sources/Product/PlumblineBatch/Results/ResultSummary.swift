import PlumblineExport
import PlumblineIO
import PlumblineModel

/// The page of a batch: what was counted, in sentences and as a document for its script.
struct ResultSummary {
  private let tally: ResultTally
  private let verb: String
  private let rows: ResultsPage.Rows

  init(_ tally: ResultTally, verb: String, rows: ResultsPage.Rows) {
    self.tally = tally
    self.verb = verb
    self.rows = rows
  }

  /// The page; O(*n*) in the kinds of results.
  var page: ResultsPage {
    let answers = ResultAnswers(tally)
    var list: [ResultsPage.Answer] = []
    if let unmeasurable = answers.unmeasurable {
      list.append(ResultsPage.Answer(question: "The others", text: unmeasurable))
    }
    list.append(ResultsPage.Answer(question: "Which device stands out?", text: answers.devices))
    list.append(ResultsPage.Answer(question: "What failed?", text: answers.failures))
    return ResultsPage(
      title: "Results of \(verb)", headline: answers.headline, answers: list,
      summaryJSON: JSONWriter(layout: .compact).text(document), rows: rows)
  }

  /// `plumbline.results-page/1`.
  private var document: JSONValue {
    var data: JSONValue = .null
    if case .beside(let name) = rows { data = .string(name) }
    return .object([
      ("schema", "plumbline.results-page/1"), ("total", .integer(tally.total)), ("data", data),
      ("verdicts", .array(verdicts)), ("findings", .array(findings)),
      ("failures", .array(failures)),
    ])
  }

  /// From good to bad; verdicts that no capture has are left out, and unknown words come last.
  private var verdicts: [JSONValue] {
    let order = [
      "measurable", "fits", "done", "corrected", "relative", "cannotTell", "untrusted",
      "doesNotFit", "failed",
    ]
    let others = tally.verdicts.keys.filter { !order.contains($0) }.sorted()
    return (order + others).compactMap { key in
      tally.verdicts[key].map {
        .object([("key", .string(key)), ("count", .integer($0))])
      }
    }
  }

  /// The most frequent first, each with what it means.
  private var findings: [JSONValue] {
    let counts = tally.findings.sorted {
      ($1.value.captures, $0.key) < ($0.value.captures, $1.key)
    }
    return counts.map { code, count in
      let explanation = FindingCode(rawValue: code)?.explanation
      return .object([
        ("code", .string(code)), ("severity", .string(count.severity)),
        ("count", .integer(count.captures)), ("meaning", .string(explanation?.meaning)),
        ("cause", .string(explanation?.cause)), ("remedy", .string(explanation?.remedy)),
      ])
    }
  }

  private var failures: [JSONValue] {
    let counts = tally.failures.sorted {
      ($1.value.captures, $0.key) < ($0.value.captures, $1.key)
    }
    return counts.map { reason, count in
      .object([
        ("reason", .string(reason)), ("count", .integer(count.captures)),
        ("example", .string(count.example)),
      ])
    }
  }
}
