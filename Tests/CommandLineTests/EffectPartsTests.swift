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
    let keepsGain = ["blur", "relight", "isolate"].contains(arguments[0]) && source.gainMap != nil
    #expect((capture?.gainMap != nil) == keepsGain)
    #expect(codes.contains("photo.gainMapLeftOut") == (source.gainMap != nil && !keepsGain))
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
    "A blurred photo still has a gain map, which is blurred too",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)),
    arguments: ["heic", "jpg"])
  func gainMapIsBlurred(ending: String) throws {
    let folder = try TemporaryFolder()
    let photo = try RealData.url("photos/pug.heic").path
    let output = folder.file("out.\(ending)")
    let run = try CommandRun(
      "effect", "blur", photo, "--aperture", "1.4", "--max-side", "1000", "-o", output)
    #expect(run.status == 0, "\(run.message)")
    #expect(!run.text.contains("photo.gainMapLeftOut"))
    let before = try #require(CaptureReader().capture(from: InputFile(path: photo).bytes).gainMap)
    let after = try #require(CaptureReader().capture(from: InputFile(path: output).bytes).gainMap)
    #expect(after.headroom == before.headroom && after.version == before.version)
    guard case .uint8(let old) = before.samples, case .uint8(let new) = after.samples else {
      Issue.record("a gain map of more than 8 bits")
      return
    }
    func steps(_ map: Raster<UInt8>) -> Double {
      let scaled = map.scaledNearest(to: RasterSize(width: 200, height: 150))
      return zip(scaled.samples, scaled.samples.dropFirst()).reduce(0) {
        $0 + abs(Double($1.0) - Double($1.1))
      }
    }
    #expect(steps(new) < 0.9 * steps(old) && steps(new) > 0)
  }

  @Test(
    "A photo that holds its image before the blur is refocused from that",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
  func refocusesFromTheOriginal() throws {
    let photo = try RealData.url("photos/gdepth_range_inverse.jpg").path
    let opened = try EffectPhoto(InputFile(path: photo).bytes, fileName: "photo.jpg")
    let original = try opened.scene(for: "blur").color
    let rendered = try opened.scene(for: "fog").color
    func sharpness(_ image: Raster<RGB8>) -> Int {
      zip(image.samples, image.samples.dropFirst()).reduce(0) {
        $0 + abs(Int($1.0.green) - Int($1.1.green))
      }
    }
    #expect(Double(sharpness(original)) > 1.2 * Double(sharpness(rendered)))
    #expect(opened.blurFindings.isEmpty)
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "effect", "blur", photo, "--max-side", "300", "-o", folder.file("out.jpg"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let notes = try run.document()["notes"] as? [[String: Any]] ?? []
    #expect(notes.contains { $0["code"] as? String == "unrenderedOriginal" })
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
