import Foundation
import PlumblineExport
import PlumblineTestSupport
import Testing

@Suite struct ViewerFileTests {
  private static func source(_ name: String) throws -> String {
    let viewer = PackageRoot.url.appending(path: "Sources/C/CEmbeddedData/viewer/\(name)")
    return try String(contentsOf: viewer, encoding: .utf8)
  }

  @Test(arguments: ["cloud.js", "shaders.js", "element.js"])
  func aScriptLosesItsCommentLinesAlone(name: String) throws {
    let kept = try Self.source(name).components(separatedBy: "\n")
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
    let file = try #require(ViewerFile(named: name))
    #expect(String(decoding: file.bytes, as: UTF8.self) == kept.joined(separator: "\n"))
  }

  @Test(arguments: ["viewer.html", "viewer.css"])
  func otherFilesAreAsTheyWereWritten(name: String) throws {
    let file = try #require(ViewerFile(named: name))
    #expect(String(decoding: file.bytes, as: UTF8.self) == (try Self.source(name)))
  }

  @Test func namesThatAreNoneFindNothing() {
    for name in ["", "viewer", "../viewer.html"] {
      #expect(ViewerFile(named: name) == nil)
    }
  }
}
