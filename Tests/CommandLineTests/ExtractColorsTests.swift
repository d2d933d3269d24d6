import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

/// `extract --color-map`: depth as an image that says what its colors mean.
struct ExtractColorsTests {
  /// Extracts into a folder of its own and gives the document of the image.
  private func document(
    _ folder: TemporaryFolder, _ arguments: [String], _ capture: String
  ) throws -> [String: Any] {
    let run = try CommandRun(["extract", capture, "-o", folder.file("parts")] + arguments)
    #expect(run.status == 0, "\(run.message)")
    let bytes = try #require(folder.bytes("parts/depth-colors.json"))
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test(
    "Each pixel has the color of its depth, and the file says what that is",
    .enabled(if: PythonPeer.has("cv2", "PIL"), "\(PythonPeer.absence("cv2"))"),
    arguments: [
      ["--color-map", "turbo"], ["--color-map", "viridis", "--color-range", "0.3:0.6"],
      ["--color-map", "jet", "--color-range", "equalized"],
      ["--color-map", "gray", "--color-range", "automatic", "--missing", "FF00FF"],
    ])
  func colors(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let document = try document(folder, arguments, SampleCapture.healthy)
    #expect(document["schema"] as? String == "plumbline.depthPicture/1")
    #expect(document["unit"] as? String == "m")
    let answer = try PythonPeer.run("colored_depth.py", folder.file("parts"))
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
    #expect(found["wrong"] as? [String] == [])
    // OpenCV's tables have 256 positions, ours 33 and straight lines between them.
    #expect(try #require(found["worst"] as? Double) <= 2)
    #expect(found["carried"] as? Bool == true)
    let isTransparent = !arguments.contains("--missing")
    #expect(found["mode"] as? String == (isTransparent ? "RGBA" : "RGB"))
    #expect(found["transparent"] as? Bool == isTransparent)
    let description = try #require(found["description"] as? String)
    #expect(description.contains("depth along the optical axis") && description.contains("±"))
    let scale = try #require(folder.bytes("parts/depth-colors.svg"))
    #expect(String(decoding: scale, as: UTF8.self).contains(" m</text>"))
  }

  @Test("A relative map has an image without a unit, and none in meters")
  func relative() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "a.jpg")
    let document = try document(folder, ["--color-map", "viridis"], folder.file("a.jpg"))
    #expect(document["unit"] is NSNull && document["quantity"] as? String == "relative depth")
    let legend = try #require(document["legend"] as? [[String: Any]])
    #expect(legend.count == 17 && legend.allSatisfy { $0["plusMinus"] is NSNull })
    let metric = try CommandRun(
      "extract", folder.file("a.jpg"), "-o", folder.file("b"), "--color-map", "turbo",
      "--color-range",
      "0.2:3")
    #expect(metric.status == 65 && metric.message.contains("found a relative depth map"))
    #expect(folder.bytes("b/depth.npy") == nil)
  }

  @Test("--upright turns the image as the photo is shown, and not the maps")
  func upright() throws {
    let folder = try TemporaryFolder()
    var exif = PhotoExif()
    exif.orientation = .right
    try folder.put(SampleCapture.small(exif: exif), at: "a.jpg")
    let stored = try document(folder, ["--color-map", "gray"], folder.file("a.jpg"))
    #expect(stored["width"] as? Int == 64 && stored["exifOrientation"] as? Int == 6)
    let turned = try document(
      folder, ["--color-map", "gray", "--upright", "--force"], folder.file("a.jpg"))
    #expect(turned["width"] as? Int == 48 && turned["height"] as? Int == 64)
    #expect(turned["upright"] as? Bool == true)
  }

  @Test("The same bytes every time; an image without depth, and odd options, are refused")
  func refusals() throws {
    let folder = try TemporaryFolder()
    for output in ["a", "b"] {
      let run = try CommandRun(
        "extract", SampleCapture.healthy, "--quiet", "--color-map", "turbo", "-o",
        folder.file(output), "--threads", output == "a" ? "1" : "4")
      #expect(run.status == 0)
    }
    for name in ["png", "json", "svg"] {
      let first = folder.bytes("a/depth-colors.\(name)")
      #expect(first != nil && first == folder.bytes("b/depth-colors.\(name)"))
    }
    for arguments in [
      ["--color-map", "rainbow"], ["--color-range", "0.2:3"], ["--missing", "black"], ["--upright"],
      ["--color-map", "turbo", "--color-range", "3:0.2"],
      ["--color-map", "turbo", "--color-range", "0.2"],
      ["--color-map", "turbo", "--color-range", "0:inf"],
      ["--color-map", "turbo", "--missing", "pink"],
      ["--color-map", "turbo", "--missing", "+FFFFF"],
    ] {
      let run = try CommandRun(
        ["extract", SampleCapture.healthy, "-o", folder.file("c")] + arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
    try folder.put(SampleCapture.colorOnly(), at: "flat.jpg")
    let none = try CommandRun(
      "extract", folder.file("flat.jpg"), "-o", folder.file("d"), "--color-map", "turbo")
    #expect(none.status == 65 && none.message.contains("expected a depth map to color"))
  }
}
