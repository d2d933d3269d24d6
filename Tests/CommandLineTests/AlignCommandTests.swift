import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `align`, from the command line to the image.
@Suite(.serialized) struct AlignCommandTests {
  @Test func theZoomOfARKitIsFoundAndTheOverlayWritten() throws {
    let folder = try TemporaryFolder()
    let recorded = try TemporaryFolder()
    try CardDump(zoom: 0.950739, timestamps: [20, 21, 22]).write(into: recorded)
    let frames = recorded.path
    let image = folder.file("overlay.png")
    let run = try CommandRun("align", frames, "-o", image, "--json")
    #expect(run.status == 1, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.align/1")
    #expect(document["verdict"] as? String == "misaligned")
    let zoom = try #require(document["zoom"] as? Double)
    let sigma = try #require(document["zoomSigma"] as? Double)
    // The number and its tolerance; three of its own ± must hold it as well.
    #expect(abs(zoom - 0.9507) < 0.004 && abs(zoom - 0.950739) < 3 * sigma)
    #expect((document["shiftPixels"] as? [Double])?.count == 2)
    #expect((document["shiftSigma"] as? [Double])?.allSatisfy { $0 > 0 } == true)
    #expect(try #require(document["edgeCount"] as? Int) > 150)
    #expect((document["frames"] as? [String])?.count == 3)
    #expect((document["correction"] as? String)?.contains("--arkit-zoom") == true)
    #expect((document["outputs"] as? [String: Any])?["overlay"] as? String == image)
    // The first bytes of every PNG.
    #expect(folder.bytes("overlay.png")?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    // The command that it names sets it right.
    let corrected = try CommandRun("correct", frames, "--frame", "0", "--arkit-zoom", "--json")
    #expect(corrected.status == 0, "\(corrected.message)")
    let steps = try corrected.document()["steps"] as? [[String: Any]]
    #expect(steps?.map { $0["step"] as? String } == ["zoom-aligned"])
    let findings = try #require(try corrected.document()["findingsAfter"] as? [[String: Any]])
    #expect(!findings.contains { $0["code"] as? String == "depth.misaligned" })
  }

  @Test func alignedFramesAreAlignedAndOneCanBeChosen() throws {
    let folder = try TemporaryFolder()
    try CardDump(timestamps: [30, 31, 32]).write(into: folder)
    let run = try CommandRun("align", folder.path)
    #expect(run.status == 0, "\(run.text)\(run.message)")
    #expect(run.text.hasPrefix("ALIGNED") && run.text.contains("±"))
    let one = try CommandRun("align", folder.path, "--frame", "31", "--json").document()
    #expect(one["frames"] as? [String] == ["31"])
    #expect((one["outputs"] as? [String: Any])?["overlay"] is NSNull)
    let two = try CommandRun("align", folder.path, "--frames", "2", "--json").document()
    #expect(two["frames"] as? [String] == ["30", "32"])
  }

  @Test func whatCannotTellSaysWhy() throws {
    let folder = try TemporaryFolder()
    // A slope of eight pixels has no contour.
    for (name, bytes) in RecordedFiles.dump([1]).files { try folder.put(bytes, at: name) }
    let run = try CommandRun("align", folder.path, "--json")
    #expect(run.status == 1)
    let document = try run.document()
    #expect(document["verdict"] as? String == "cannotTell")
    #expect(document["zoom"] is NSNull && document["zoomSigma"] is NSNull)
    #expect((document["reason"] as? String)?.contains("too few contours") == true)
    #expect(try CommandRun("align", folder.path).text.hasPrefix("CANNOT TELL"))
  }

  @Test func unreadableFramesAreLeftOutAndSaid() throws {
    let folder = try TemporaryFolder()
    let files = RecordedFiles.dump([1, 2, 3])
    for (name, bytes) in files.files { try folder.put(bytes, at: name) }
    try folder.put([1, 2, 3], at: "depth_2.png")
    let document = try CommandRun("align", folder.path, "--json").document()
    #expect(document["frames"] as? [String] == ["1", "3"])
    let skipped = try #require(document["skipped"] as? [[String: Any]])
    #expect(skipped.map { $0["name"] as? String } == ["2"])
    #expect((skipped[0]["reason"] as? String)?.contains("depth_2.png") == true)
    for name in ["depth_1.png", "depth_3.png"] { try folder.put([], at: name) }
    #expect(try CommandRun("align", folder.path).status == 65)
  }

  @Test func wrongUsageEndsAsPromised() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let small = folder.file("small.jpg")
    #expect(try CommandRun("align", small, "--frame", "0").status == 64)
    #expect(try CommandRun("align", small, "--frames", "0").status == 64)
    #expect(try CommandRun("align", small, "--frame", "0", "--frames", "2").status == 64)
    #expect(try CommandRun("align", folder.file("none.jpg")).status == 66)
    let image = folder.file("overlay.png")
    let first = try CommandRun("align", small, "-o", image)
    #expect([0, 1].contains(first.status))
    #expect(try CommandRun("align", small, "-o", image).status == 73)
    #expect(try CommandRun("align", small, "-o", image, "--force").status == first.status)
  }
}
