import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// What a changed photo keeps of depth, mattes and gain map, and what is said of the rest.
@Suite struct EffectPartsTests {
  /// The codes of the findings of one run, and the photo that it wrote.
  private static func run(
    _ arguments: [String], ending: String = "jpg"
  ) throws -> (codes: [String], capture: Capture?) {
    let folder = try TemporaryFolder()
    let output = folder.file("out.\(ending)")
    let run = try CommandRun(
      ["effect"] + arguments + [
        SampleCapture.healthy, "--max-side", "300", "-o", output, "--json",
      ])
    #expect(run.status == 0, "\(run.message)")
    let findings = try run.document()["findings"] as? [[String: Any]] ?? []
    let isPhoto = ["jpg", "heic"].contains(ending)
    return (
      findings.compactMap { $0["code"] as? String },
      isPhoto ? try CaptureReader().capture(from: InputFile(path: output).bytes) : nil
    )
  }

  private static func source() throws -> Capture {
    try CaptureReader().capture(from: InputFile(path: SampleCapture.healthy).bytes)
  }

  @Test(arguments: [
    ["blur", "--aperture", "1.4"], ["fog", "--density", "1"], ["relight"],
    ["isolate", "--to", "0.6m"], ["background", "--blur", "2"],
  ])
  func theSameSceneKeepsDepthAndMattes(_ arguments: [String]) throws {
    let source = try Self.source()
    let (codes, capture) = try Self.run(arguments)
    let depth = try #require(capture?.depth, "no depth")
    #expect(depth.accuracy == source.depth?.accuracy && depth.calibration != nil)
    #expect(capture?.mattes.map(\.kind) == source.mattes.map(\.kind))
    #expect(capture?.gainMap == nil)
    #expect(codes.contains("photo.gainMapLeftOut") == (source.gainMap != nil))
    #expect(!codes.contains("photo.depthLeftOut") && !codes.contains("photo.mattesLeftOut"))
    // The aperture that the phone's blur had is not that of this one.
    if ["blur", "background"].contains(arguments[0]) {
      #expect(depth.simulatedAperture == nil)
    } else {
      #expect(depth.simulatedAperture == source.depth?.simulatedAperture)
    }
    // The map still lies on the image.
    let before = try #require(source.depth)
    #expect(
      abs(depth.size.aspectRatio / before.size.aspectRatio - 1) < 0.02, "\(depth.size)")
  }

  @Test func anotherBackgroundKeepsTheMattesOnly() throws {
    let source = try Self.source()
    let (codes, capture) = try Self.run(["background", "--color", "2d6cdf"])
    #expect(capture?.depth == nil && codes.contains("photo.depthLeftOut"))
    #expect(
      capture?.mattes.map(\.kind) == source.mattes.map(\.kind).filter { $0 != .sky })
  }

  @Test(arguments: [
    (["stereo", "--as", "anaglyph"], "jpg"), (["stereo", "--as", "pair"], "png"),
    (["fog"], "png"),
  ])
  func whatIsLeftOutIsSaid(_ arguments: [String], _ ending: String) throws {
    let source = try Self.source()
    let (codes, capture) = try Self.run(arguments, ending: ending)
    #expect(capture?.depth == nil && (capture?.mattes ?? []).isEmpty)
    #expect(codes.contains("photo.depthLeftOut"))
    #expect(codes.contains("photo.mattesLeftOut") == !source.mattes.isEmpty)
    #expect(codes.contains("photo.gainMapLeftOut") == (source.gainMap != nil))
  }

  @Test(
    "A rendered portrait is said to be blurred already, and only where it is blurred again",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func renderedPortrait() throws {
    let folder = try TemporaryFolder()
    let photo = try RealData.url("photos/iphonex_dual_depth.jpg").path
    for (arguments, isSaid) in [(["blur"], true), (["fog"], false)] {
      let run = try CommandRun(
        ["effect"] + arguments + [
          photo, "--max-side", "200", "-o", folder.file("\(arguments[0]).jpg"),
        ])
      #expect(run.status == 0, "\(run.message)")
      #expect(run.text.contains("photo.alreadyBlurred") == isSaid, "\(run.text)")
    }
    let plain = try CommandRun(
      "effect", "blur", SampleCapture.healthy, "--max-side", "200", "-o", folder.file("plain.jpg"))
    let isPortrait = try Self.source().depth?.simulatedAperture != nil
    #expect(plain.text.contains("photo.alreadyBlurred") == isPortrait)
  }
}
