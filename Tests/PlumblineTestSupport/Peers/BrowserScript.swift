package import Foundation

/// Runs the scripts of `Tests/Browser`, which open a page in a real browser.
///
/// `PLUMBLINE_PYTHON` or `.venv` has their driver, `CHROMIUM` names the browser. Tests carry
/// `.enabled(if: BrowserScript.isAvailable, "…")`.
package enum BrowserScript {
  /// What a test says when it is skipped.
  package static let advice: String =
    "needs Playwright for Python (PLUMBLINE_PYTHON or .venv) and Chromium (CHROMIUM)"

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  private static var python: [String] {
    if let python = environment["PLUMBLINE_PYTHON"] { return [python] }
    let own = PackageRoot.url.appending(path: ".venv/bin/python").path
    return FileManager.default.isExecutableFile(atPath: own) ? [own] : ["/usr/bin/env", "python3"]
  }

  /// Whether a browser and its driver are there; asked once.
  package static let isAvailable: Bool = {
    let chromium = environment["CHROMIUM"] ?? "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: chromium) else { return false }
    return (try? output(of: python + ["-c", "import playwright.sync_api"]).status) == 0
  }()

  /// The folder of pages and their images, kept with `PLUMBLINE_SCREENSHOTS`; `nil` without.
  package static var keptFolder: URL? {
    environment["PLUMBLINE_SCREENSHOTS"].map { URL(filePath: $0) }
  }

  /// Runs a script and returns its exit status and all that it printed.
  package static func run(
    _ script: String, _ arguments: [String]
  ) throws -> (status: Int32, text: String) {
    let path = PackageRoot.url.appending(path: "Tests/Browser/\(script)").path
    return try output(of: python + [path] + arguments)
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
