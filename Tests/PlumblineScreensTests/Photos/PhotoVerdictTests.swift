import Foundation
import Plumbline
import PlumblineModel
import PlumblineScreens
import PlumblineTestSupport
import Testing

@Suite("What is said of a photo right after it was taken")
struct PhotoVerdictTests {
  static func demo(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/demo")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  @Test(
    "It is the verdict of the analyzer, for sound photos and for others",
    arguments: ["healthy-truedepth.jpg", "untrusted-calibration.jpg"])
  func demos(name: String) throws {
    let bytes = try Self.demo(name)
    let analysis = try CaptureAnalyzer().analyze(bytes, fileName: name)
    let verdict = PhotoChecker().verdict(on: bytes, fileName: name)
    #expect(verdict.headline == analysis.headline.words && verdict.fileName == name)
    #expect(verdict.reason == analysis.assessment.reason)
    let isMeasurable = analysis.headline.tone == .measurable || analysis.headline.tone == .corrected
    #expect((verdict.tone == .good) == isMeasurable)
    #expect((verdict.tone == .good) == name.hasPrefix("healthy"))
    let serious = analysis.assessment.findings.filter { $0.severity != .note }
    #expect(verdict.findings == serious.map(\.message))
    #expect(verdict.figures.first?.contains("480×640") == true)
    #expect(
      verdict.figures.contains { $0.contains(" m ± ") && $0.contains("mm along the optical axis") })
  }

  @Test("Damaged bytes say where, what was expected and what was found")
  func damaged() throws {
    var bytes = try Self.demo("healthy-truedepth.jpg")
    bytes.removeLast(bytes.count / 2)
    let cut = PhotoChecker().verdict(on: bytes, fileName: "cut.jpg")
    let empty = PhotoChecker().verdict(on: [], fileName: "empty.heic")
    for verdict in [cut, empty] {
      #expect(verdict.tone == .bad && !verdict.reason.isEmpty)
    }
    #expect(empty.headline == "Cannot be read" && empty.figures.isEmpty)
    #expect(empty.findings.contains { $0.hasPrefix("Expected: ") })
  }

  @Test("Files of a shot share its time; the first has no number")
  func names() {
    let names = PhotoFileNames(time: "2026-11-28T104500Z")
    #expect(names.name(fileExtension: "heic") == "2026-11-28T104500Z.heic")
    #expect(names.name(2, fileExtension: "heic") == "2026-11-28T104500Z-3.heic")
    #expect(names.name(fileExtension: "mov") == "2026-11-28T104500Z.mov")
  }

  @Test("Each place says what became of the files there, and nothing of the shot before")
  func storage() {
    var storage = PhotoStorage()
    #expect(storage.keepsShots && storage.lines(count: 1).isEmpty)
    storage.begin()
    storage.takeFiles(.stored)
    storage.takePhotos(.refused(PhotoLibraryAccess.denied.refusal ?? ""))
    #expect(
      storage.lines(count: 2) == [
        "2 files stored in Files.",
        "Not stored in Photos: the app may not add to Photos; allow it in Settings, under Privacy, Photos.",
      ])
    storage.begin()
    #expect(storage.lines(count: 1).isEmpty)
    storage.usesFiles = false
    #expect(!storage.keepsShots)
    #expect(PhotoLibraryAccess.allowed.refusal == nil && PhotoLibraryAccess.unasked.refusal == nil)
  }
}
