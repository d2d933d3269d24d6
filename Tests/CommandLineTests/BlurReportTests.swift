import Foundation
import PlumblineTestSupport
import Testing

/// A blur says where it focuses, and by how much it blurs with which ±.
@Suite struct BlurReportTests {
  @Test func focusAndCirclesHaveTheirPlusMinus() throws {
    let folder = try TemporaryFolder()
    func run(_ arguments: String...) throws -> CommandRun {
      try CommandRun(
        ["effect", "blur"] + arguments + [
          "--max-side", "200", "-o", folder.file("out.png"), "--force",
        ])
    }
    let document = try run(
      SampleCapture.healthy, "--focus-distance", "0.5", "--aperture", "4", "--json"
    ).document()
    let blur = try #require(document["blur"] as? [String: Any])
    #expect(abs((blur["focusMeters"] as? Double ?? 0) - 0.5) < 1e-9)
    let sigma = try #require(blur["focusSigma"] as? Double)
    // Meters are 1/d, whose slope at 0.5 m is 0.25 m².
    #expect(abs((blur["focusSigmaMeters"] as? Double ?? 0) - 0.25 * sigma) < 1e-9)
    #expect(sigma > 0 && blur["fNumber"] as? Double == 4)
    let circle = try #require(blur["near"] as? [String: Any])
    #expect((circle["diameterPixels"] as? Double ?? -1) >= 0)
    let text = try run(SampleCapture.healthy, "--focus-distance", "0.5", "--aperture", "4").text
    #expect(text.contains("blur: focus at 0.500 m ± "), "\(text)")
    #expect(text.contains("f/4.0, an opening of "), "\(text)")
  }

  @Test func relativeDepthGivesNoMeters() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let document = try CommandRun(
      "effect", "blur", folder.file("relative.jpg"), "-o", folder.file("out.png"), "--json"
    ).document()
    let blur = try #require(document["blur"] as? [String: Any])
    #expect(blur["focusMeters"] is NSNull)
    #expect(blur["focusDisparity"] is Double)
  }
}
