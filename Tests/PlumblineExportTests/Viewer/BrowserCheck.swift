import Foundation
import PlumblineExport
import PlumblineTestSupport
import Testing

/// Runs the browser script on a page; it and its screenshots go to `PLUMBLINE_SCREENSHOTS`, or to a
/// folder that is removed.
struct BrowserCheck {
  let name: String

  static let advice = Comment(rawValue: BrowserScript.advice)

  /// Whether a browser and its driver are there.
  static var isAvailable: Bool { BrowserScript.isAvailable }

  /// Writes the page and lets the script check it.
  func run(_ page: ReportPage, expected: String) throws {
    try run(page.html(), expected: expected, script: "test_report.py")
  }

  /// Writes the page of figures and lets its script check it.
  func run(_ page: FigurePage, expected: String) throws {
    try run(page.html(), expected: expected, script: "test_verify_report.py")
  }

  /// Writes the page of a face and lets its script check it.
  func run(_ page: FacePage, expected: String) throws {
    try run(page.html(), expected: expected, script: "test_face.py")
  }

  private func run(_ html: [UInt8], expected: String, script: String) throws {
    let kept = BrowserScript.keptFolder
    let temporary = FileManager.default.temporaryDirectory
      .appending(path: "plumbline-report-\(UUID().uuidString)")
    let folder = (kept ?? temporary).appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: temporary) } }
    let report = folder.appending(path: "report.html")
    try Data(html).write(to: report)
    let readings = folder.appending(path: "expected.json")
    try Data(expected.utf8).write(to: readings)
    let result = try BrowserScript.run(script, [report.path, readings.path, folder.path])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains(" 0 failed"), "\(result.text)")
  }
}
