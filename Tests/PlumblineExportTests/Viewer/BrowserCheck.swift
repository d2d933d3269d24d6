import Foundation
import PlumblineExport
import PlumblineTestSupport
import Testing

/// Runs the browser script on a page; it and its screenshots go to `PLUMBLINE_SCREENSHOTS`, or to a
/// folder that is removed.
struct BrowserCheck {
  let name: String

  static let advice: Comment =
    "needs Playwright for Python (PLUMBLINE_PYTHON or .venv) and Chromium (CHROMIUM)"

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  private static var python: [String] {
    if let python = environment["PLUMBLINE_PYTHON"] { return [python] }
    let own = PackageRoot.url.appending(path: ".venv/bin/python").path
    return FileManager.default.isExecutableFile(atPath: own) ? [own] : ["/usr/bin/env", "python3"]
  }

  /// Whether a browser and its driver are there; asked once.
  static let isAvailable: Bool = {
    let chromium = environment["CHROMIUM"] ?? "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: chromium) else { return false }
    return (try? output(of: python + ["-c", "import playwright.sync_api"]).status) == 0
  }()

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
    let kept = Self.environment["PLUMBLINE_SCREENSHOTS"].map { URL(filePath: $0) }
    let temporary = FileManager.default.temporaryDirectory
      .appending(path: "plumbline-report-\(UUID().uuidString)")
    let folder = (kept ?? temporary).appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: temporary) } }
    let report = folder.appending(path: "report.html")
    try Data(html).write(to: report)
    let readings = folder.appending(path: "expected.json")
    try Data(expected.utf8).write(to: readings)
    let script = PackageRoot.url.appending(path: "Tests/Browser/\(script)").path
    let result = try Self.output(
      of: Self.python + [script, report.path, readings.path, folder.path])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains(" 0 failed"), "\(result.text)")
  }

  private static func output(of command: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
