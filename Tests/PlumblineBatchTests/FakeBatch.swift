import Foundation
import PlumblineIO
import PlumblineSimulation
import PlumblineTestSupport

@testable import PlumblineBatch

/// Captures that fake workers do, and runs over them.
struct FakeBatch {
  let folder: TemporaryFolder
  /// The paths, in the order in which they are done.
  private(set) var paths: [String] = []

  /// The program of the workers, which lies beside the tests.
  static let program: String = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().appending(path: "BatchFaults").path
    #else
      return (Bundle.main.executableURL ?? Bundle.main.bundleURL)
        .deletingLastPathComponent().appending(path: "BatchFaults").path
    #endif
  }()

  init() throws { folder = try TemporaryFolder() }

  /// Adds a capture with this text.
  mutating func add(_ name: String, _ text: String) throws {
    try folder.put(Array(text.utf8), at: name)
    paths.append(folder.file(name))
  }

  /// Adds so many sound captures, of which each takes up to some microseconds.
  mutating func addMany(_ count: Int, seed: UInt64, microseconds: UInt64 = 0) throws {
    var generator = SeededGenerator(seed: seed)
    for index in 0..<count {
      let wait = microseconds == 0 ? 0 : generator.next() % microseconds
      // The order of the bytes of the names is not that of the list.
      try add(
        "\(String(generator.next(), radix: 36))-\(index).jpg", "plumbline-wait:\(wait); \(index)")
    }
  }

  /// A plan over all captures that were added, with short limits.
  func plan(_ results: String = "results", paths: [String]? = nil) throws -> BatchPlan {
    try folder.put(Array((paths ?? self.paths).joined(separator: "\n").utf8), at: "list.txt")
    var settings = WorkerSettings(program: [Self.program, "worker"])
    settings.seconds = 2
    settings.memoryBytes = 256 << 20
    settings.answerBytes = 1 << 20
    return BatchPlan(
      folder: folder.file(results), settings: BatchSettings(verb: "check", writesFiles: true),
      search: CaptureSearch([.list(folder.file("list.txt"))]), workers: settings)
  }

  /// The lines of `results.jsonl`.
  func results(_ name: String = "results") throws -> [JSONValue] {
    let bytes = folder.bytes("\(name)/results.jsonl") ?? []
    return try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
  }

  /// The lines by the names of the captures.
  func resultsByName(_ name: String = "results") throws -> [String: JSONValue] {
    var lines: [String: JSONValue] = [:]
    for line in try results(name) { lines[lastPathPart(line["path"]?.string ?? "")] = line }
    return lines
  }
}
