import Foundation
import Plumbline
import PlumblineIO
import PlumblineTestSupport
import Testing

@Suite struct FailureCategoryTests {
  private static let sources: String = {
    let folder = PackageRoot.url.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift",
        let source = try? String(contentsOf: file, encoding: .utf8), source.contains("Error")
      else { continue }
      text += source
    }
    return text
  }()

  /// What the sources say of types, by the last part of the name: `struct NAME: A, B` or, of
  /// extensions, `extension OUTER.NAME: A, B`.
  private static func conformances(
    _ pattern: Regex<(Substring, Substring, Substring)>
  ) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for match in sources.matches(of: pattern.matchingSemantics(.unicodeScalar)) {
      let protocols = match.output.2.split { !$0.isLetter }.map(String.init)
      found[String(match.output.1), default: []].formUnion(protocols)
    }
    return found
  }

  @Test func eachPublicErrorSaysWhoCanActOnIt() {
    let declared = Self.conformances(#/public (?:struct|enum|class|actor) (\w+):([^{]*)\{/#)
    let extended = Self.conformances(#/extension (?:\w+\.)*(\w+):([^{]*)\{/#)
    let errors = declared.filter { $0.value.contains("Error") }
    // That the patterns still find anything.
    #expect(errors.count > 30)
    for (name, protocols) in errors {
      let all = protocols.union(extended[name] ?? [])
      #expect(all.contains("CategorizedError"), "\(name) has no category")
      #expect(all.contains("CustomStringConvertible"), "\(name) has no sentence")
    }
  }

  @Test func outputsHaveTheCategoryOfTheirReason() {
    let categories = OutputError.Reason.allCases.map {
      OutputError($0, path: "a", detail: "b").category
    }
    #expect(categories == [.cannotCreate, .usage, .cannotCreate, .inputOutput])
  }

  @Test(arguments: OutputError.Reason.allCases)
  func aRecordingHasTheCategoryOfAnyOtherOutput(_ reason: OutputError.Reason) {
    let error = OutputError(reason, path: "a.mcap", detail: "b")
    #expect(RecordingWritingError(error).category == error.category)
  }

  @Test func onlyErrorsAboutFilesNameTheirPath() {
    #expect(InputError.notFound(path: "a").namesItsPath)
    #expect(OutputError(.isRead, path: "a", detail: "b").namesItsPath)
    #expect(!CaptureReadingError(.missing, expected: "depth", found: "none").namesItsPath)
  }

  @Test(arguments: OutputError.Obstacle.allCases)
  func whatIsInTheWayIsKnownOfRecordingsToo(_ obstacle: OutputError.Obstacle) {
    let error = OutputError(obstacle, path: "a.mcap")
    let ofRecording = RecordingWritingError(error)
    guard case .output(_, let detail, let reason, let carried) = ofRecording else {
      Issue.record("it is another failure")
      return
    }
    #expect(error.reason == .exists && error.obstacle == obstacle)
    #expect(detail == error.detail && reason == .exists && carried == obstacle)
    #expect(ofRecording.category == error.category)
  }

  @Test func whereNothingIsInTheWayThereIsNoObstacle() {
    let error = OutputError(.cannotCreate, path: "a", detail: "it is a folder")
    #expect(error.obstacle == nil)
  }
}
