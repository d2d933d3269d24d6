import Foundation
import PlumblineIO
import PlumblineModel
import PlumblineExport
import Testing

/// A page that is one file runs one script, which its policy names by its hash.
@Suite struct PagePolicyTests {
  private static let pages: [(name: String, html: String)] = [
    ("report", text(ReportPage(title: "a", documentJSON: "{}", scene: nil).html())),
    ("figures", FigurePageTests.page("a")),
    ("face", text(FacePage(title: "a", documentJSON: "{}", scene: nil).html())),
    ("results", text(results(.inside([Array("{\"rows\": 0}".utf8)])).html())),
  ]

  private static func results(_ rows: ResultsPage.Rows) -> ResultsPage {
    ResultsPage(
      title: "</title><b>a", headline: "<script>",
      answers: [.init(question: "<", text: "&")],
      summaryJSON: "{\"a\": \"</script><script>\"}", rows: rows)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("No other script can run, however it comes into the page")
  func policy() throws {
    for (name, html) in Self.pages {
      let meta = "http-equiv=\"Content-Security-Policy\" content=\""
      let policy = try #require(
        html.components(separatedBy: meta).dropFirst().first?.prefix { $0 != "\"" }, "\(name)")
      let rules = policy.components(separatedBy: "; ")
      #expect(rules.contains("default-src 'none'"), "\(name)")
      let scripts = html.components(separatedBy: "<script>").dropFirst()
      #expect(scripts.count == 1, "\(name)")
      let script = try #require(scripts.first?.components(separatedBy: "</script>").first)
      let digits = Array(SHA256Digest.hexadecimal(of: Array(script.utf8)))
      let digest = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
      let hash = Data(digest).base64EncodedString()
      let named = rules.filter { $0.hasPrefix("script-src") }
      #expect(named == ["script-src 'sha256-\(hash)'"], "\(name)")
      // What a policy of hashes forbids, and what would fail silently under it.
      let handler = html.range(of: #"<[a-z][^>]* on[a-z]+="#, options: .regularExpression)
      #expect(handler == nil, "\(name)")
      #expect(!html.contains("javascript:") && !script.contains("eval("), "\(name)")
    }
  }
  @Test("Rows beside a page are loaded by its own script, which no text of a capture can name")
  func policyOfRowsBeside() throws {
    let html = Self.text(Self.results(.beside("results-data.js")).html())
    let policy = try #require(html.components(separatedBy: "script-src ").dropFirst().first)
    #expect(policy.wholeMatch(of: /'sha256-[A-Za-z0-9+\/=]{44}' 'strict-dynamic'; (?s:.*)/) != nil)
    #expect(html.components(separatedBy: "<script>").count == 2)
    #expect(!html.contains("<script src"))
    let line = Self.text(ResultsPage.scriptLine(of: Array("{}".utf8)))
    #expect(line == "plumblineRows({});\n")
  }
}
