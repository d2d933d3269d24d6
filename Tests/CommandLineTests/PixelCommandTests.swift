import Foundation
import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport
import Testing

/// `X,Y` and `depth:X,Y` mean the same in every verb, and answers name both.
@Suite struct PixelCommandTests {
  /// A photo of 128 × 96 that is shown turned by a quarter, with a relative map of 64 × 48.
  private static func turnedPhoto() throws -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    var photo = ApplePhoto(
      color: Raster(
        size: RasterSize(width: 128, height: 96), repeating: RGB8(red: 90, green: 90, blue: 90)),
      exif: PhotoExif(orientation: .right))
    var depth = ApplePhoto.DepthImage(
      codes: Raster(size: size) { x, y in UInt8(2 * x + y) },
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 1.5, maximumValue: 4.5))
    depth.accuracy = .relative
    depth.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [600, 600], principalPoint: [319.5, 239.5],
        size: RasterSize(width: 640, height: 480)))
    photo.depth = depth
    return try ApplePhotoWriter().bytes(of: photo)
  }

  @Test("A pixel of the photo as shown and the one of the stored map give one answer")
  func bothSpaces() throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.turnedPhoto(), at: "turned.jpg")
    // Turned clockwise by a quarter, the stored (x, y) of 64 × 48 is shown at (47 − y, x), and the photo
    // has two pixels for each of the map.
    let pairs: [(map: (Int, Int), photo: (Int, Int))] = [
      (map: (60, 40), photo: (14, 121)), (map: (4, 4), photo: (87, 9)),
    ]
    var documents: [NSDictionary] = []
    for space in ["photo", "depth"] {
      let options: [String] = zip(pairs, [0.25, 0.75]).map { pair, meters -> String in
        space == "photo"
          ? "--known-distance=\(pair.photo.0),\(pair.photo.1)=\(meters)"
          : "--known-distance=depth:\(pair.map.0),\(pair.map.1)=\(meters)"
      }
      let run = try CommandRun(["check", folder.file("turned.jpg"), "--json"] + options)
      #expect(run.status == 0, "\(run.message)")
      var document = try run.document()
      let known = try #require(document["knownDistances"] as? [[String: Any]])
      #expect(known.map { $0["depth"] as? [Int] } == [[60, 40], [4, 4]])
      // Codes 2·x + y of 0 to 255 are disparities of 1.5 to 4.5.
      let stored = try known.map { try #require($0["storedDepth"] as? Double) }
      let expected: [Double] = [160.0, 12.0].map { (code: Double) -> Double in
        1 / (1.5 + code / 255 * 3)
      }
      for (a, b) in zip(stored, expected) { #expect(abs(a / b - 1) < 1e-5) }
      if space == "photo" {
        #expect(known.map { $0["photo"] as? [Int] } == pairs.map { [$0.photo.0, $0.photo.1] })
      }
      document["knownDistances"] = nil
      documents.append(document as NSDictionary)
    }
    #expect(documents[0] == documents[1])
    let text = try CommandRun(
      "check", folder.file("turned.jpg"), "--known-distance=14,121=0.25",
      "--known-distance=depth:4,4=0.75"
    ).text
    #expect(text.contains("0.250 m at 14,121 (depth:60,40), stored as"), "\(text)")
  }

  @Test("write and effect blur take the same pixels and name them")
  func otherVerbs() throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.turnedPhoto(), at: "turned.jpg")
    let photo = folder.file("turned.jpg")
    var written: [[UInt8]?] = []
    for (index, pixels) in [["14,121", "87,9"], ["depth:60,40", "depth:4,4"]].enumerated() {
      let run = try CommandRun(
        "write", photo, "--known-distance", pixels[0] + "=0.25", "--known-distance",
        pixels[1] + "=0.75", "-o", folder.file("\(index).jpg"))
      #expect(run.status == 0 && run.text.contains("(depth:60,40)"), "\(run.message)")
      written.append(folder.bytes("\(index).jpg"))
    }
    #expect(written[0] != nil && written[0] == written[1])
    let run = try CommandRun(
      "effect", "blur", photo, "--focus", "depth:60,40", "-o", folder.file("blur.png"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let focus = try #require(try run.document()["focus"] as? [String: Any])
    #expect(focus["depth"] as? [Int] == [60, 40])
  }

  @Test(
    "64: a pixel that is not there, or is written otherwise",
    arguments: [
      "96,0=1", "0,128=1", "-1,0=1", "depth:64,0=1", "depth:0,48=1", "map:1,1=1", "depth:1=1",
    ])
  func outside(distance: String) throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.turnedPhoto(), at: "turned.jpg")
    let run = try CommandRun("check", folder.file("turned.jpg"), "--known-distance=\(distance)")
    #expect(run.status == 64, "\(distance): \(run.message)")
    #expect(run.output.isEmpty)
  }
}
