import Foundation
import PlumblineTestSupport
import Testing

/// What `check --json` must say about one photo of a real device.
struct RealPhoto: Sendable, CustomTestStringConvertible {
  var name: String
  var status: Int32
  var verdict: String
  /// Dotted keys of the document: numbers within one part in a million, texts exactly, `nil` null.
  var numbers: [String: Double] = [:]
  var texts: [String: String?] = [:]
  var flags: [String: Bool] = [:]
  var testDescription: String { name }

  /// Depth and camera of a disparity map, from its range and its camera at the reference size;
  /// no pixel has a code below `leastCode`.
  ///
  /// The camera at the map follows from `c_map = (c + 0.5)·s − 0.5`, see
  /// `Documentation/conventions.md`.
  static func disparity(
    _ name: String, map: SIMD2<Double>, range: ClosedRange<Double>,
    leastCode: Double = 0, focal: Double,
    center: SIMD2<Double>, reference: SIMD2<Double>, verdict: String, _ texts: [String: String]
  ) -> RealPhoto {
    let scale = map / reference
    let farthest = range.lowerBound + leastCode / 255 * (range.upperBound - range.lowerBound)
    let mapCenter = (center + 0.5) * scale - 0.5
    return RealPhoto(
      name: name, status: verdict == "measurable" ? 0 : 1, verdict: verdict,
      numbers: [
        "depth.width": map.x, "depth.height": map.y, "depth.minMeters": 1 / range.upperBound,
        "depth.maxMeters": 1 / farthest, "depth.validFraction": 1,
        "calibration.fx": focal * scale.x, "calibration.fy": focal * scale.y,
        "calibration.cx": mapCenter.x, "calibration.cy": mapCenter.y,
        "calibration.referenceFx": focal, "calibration.referenceFy": focal,
        "calibration.referenceCx": center.x, "calibration.referenceCy": center.y,
        "calibration.referenceWidth": reference.x, "calibration.referenceHeight": reference.y,
      ],
      texts: texts.merging([
        "depth.storedType": "L008", "depth.nativeType": "hdis", "depth.kind": "disparity",
        "depth.quality": "high", "calibration.distortion": "coefficients", "source.make": "Apple",
        "source.api": "photo",
      ]) { $1 },
      flags: [
        "depth.filtered": true, "calibration.present": true, "calibration.trusted": true,
      ])
  }

  /// Expected values: `exiftool -b -XMP` of the files, and the data folder's own description.
  static let all: [RealPhoto] = [
    .disparity(
      "pug.heic", map: [768, 576], range: 1.498047...4.382812, focal: 3032.59423828125,
      center: [1988.450927734375, 1512.30712890625], reference: [4032, 3024], verdict: "relative",
      [
        "depth.accuracy": "relative", "source.camera": "dualWide", "source.os": "16.2",
        "source.model": "iPhone 13 Pro", "calibration.rectified": "no",
      ]),
    .disparity(
      "truedepth_iphone14.heic", map: [480, 640], range: 0.493652...3.402344,
      focal: 2720.71826171875, center: [1158, 1543.9998779296875], reference: [2316, 3088],
      verdict: "measurable",
      [
        "depth.accuracy": "absolute", "source.camera": "trueDepth", "source.os": "16.0",
        "source.model": "iPhone 14", "calibration.rectified": "yes",
      ]),
    .disparity(
      "iphonex_dual_depth.jpg", map: [576, 768], range: 0.650879...2.509766, focal: 6112.78125,
      center: [1524.835693359375, 2027.0889892578125], reference: [3024, 4032],
      verdict: "relative",
      [
        "depth.accuracy": "relative", "source.camera": "dual", "source.model": "iPhone X",
        "calibration.rectified": "no",
      ]),
    .disparity(
      "iphonex_dual_matte.jpg", map: [576, 768], range: 0.864746...1.366211, leastCode: 1,
      focal: 6073.92138671875, center: [1517.9000244140625, 2031.9637451171875],
      reference: [3024, 4032], verdict: "relative",
      [
        "depth.accuracy": "relative", "source.camera": "dual", "source.model": "iPhone X",
        "calibration.rectified": "no",
      ]),
    RealPhoto(
      name: "gdepth_range_inverse.jpg", status: 1, verdict: "relative",
      texts: [
        "depth.storedType": "u8", "depth.accuracy": nil, "depth.unit": nil,
        "depth.sigmaMillimetersAtMedian": nil, "calibration.fx": nil,
        "calibration.rectified": "unknown", "source.camera": "unknown",
      ], flags: ["calibration.present": false, "calibration.trusted": false]),
    RealPhoto(
      name: "spatial_photo.heic", status: 1, verdict: "untrusted",
      texts: [
        "source.camera": "stereo", "source.model": "Apple Vision Pro", "calibration.fx": nil,
      ],
      flags: ["calibration.present": false]),
  ]
}

@Suite(.serialized, .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct RealPhotoTests {
  static func path(_ name: String) throws -> String { try RealData.url("photos/\(name)").path }

  @Test(arguments: RealPhoto.all)
  func check(photo: RealPhoto) throws {
    let run = try CommandRun("check", "--json", try Self.path(photo.name))
    #expect(run.status == photo.status)
    let document = try run.document()
    #expect(document["verdict"] as? String == photo.verdict)
    func value(_ key: String) -> Any? { CheckDocumentTests.value(key, in: document) }
    for (key, expected) in photo.numbers {
      let found = try #require(value(key) as? Double, "\(key)")
      // Files print six decimals of a half-precision number.
      #expect(abs(found - expected) <= 1e-6 * abs(expected), "\(key): \(found), not \(expected)")
    }
    for (key, expected) in photo.texts {
      if let expected {
        #expect(value(key) as? String == expected, "\(key)")
      } else {
        #expect(value(key) is NSNull, "\(key)")
      }
    }
    for (key, expected) in photo.flags { #expect(value(key) as? Bool == expected, "\(key)") }
  }

  @Test("The ranges of the Google photo and the pair of the spatial photo")
  func inspect() throws {
    let google = try CommandRun("inspect", "--json", Self.path("gdepth_range_inverse.jpg"))
    let depth = try google.document()
    let least = CheckDocumentTests.value("depth.minimumValue", in: depth) as? Double
    let most = CheckDocumentTests.value("depth.maximumValue", in: depth) as? Double
    let ends = [1 / (least ?? 0), 1 / (most ?? 0)].sorted()
    // The description prints six digits.
    #expect(abs(ends[0] / 18.8495 - 1) < 1e-5 && abs(ends[1] / 633.32 - 1) < 1e-5, "\(ends)")
    let pair = try CommandRun("inspect", "--json", Self.path("spatial_photo.heic")).document()
    #expect(pair["depth"] is NSNull)
    // The description prints one decimal.
    let baseline = CheckDocumentTests.value("stereoPair.baselineMillimeters", in: pair) as? Double
    #expect(abs(try #require(baseline) - 63.8) < 0.05)
    let focal = CheckDocumentTests.value("stereoPair.focalLengthPixels", in: pair) as? Double
    #expect(focal == Double(0x2622_D86E) / Double(1 << 30) * 2560)
    #expect(CheckDocumentTests.value("stereoPair.width", in: pair) as? Int == 2560)
  }

  @Test("Known distances give the pixels of the relative photo those depths, and verdict corrected")
  func knownDistances() throws {
    let photo = try Self.path("pug.heic")
    let relative = try CommandRun("check", "--json", photo).document()
    let known: [(x: Int, y: Int, meters: Double)] = [(384, 300, 0.4), (30, 30, 0.9)]
    for count in 1...2 {
      let folder = try TemporaryFolder()
      let options = known.prefix(count).map {
        "--known-distance=depth:\($0.x),\($0.y)=\($0.meters)"
      }
      let run = try CommandRun(["check", "--json", photo] + options)
      #expect(run.status == 0)
      let document = try run.document()
      #expect(document["verdict"] as? String == "corrected")
      #expect(CheckDocumentTests.value("depth.unit", in: document) as? String == "m")
      #expect(
        CheckDocumentTests.value("depth.minMeters", in: document) as? Double
          != CheckDocumentTests.value("depth.minMeters", in: relative) as? Double)
      #expect(
        try CommandRun(["extract", "--quiet", "-o", folder.file("out"), photo] + options)
          .status == 0)
      let map = try #require(folder.bytes("out/depth.npy"))
      let data = map.count - 768 * 576 * 4
      for point in known.prefix(count) {
        let start = data + (point.y * 768 + point.x) * 4
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(map[start + $1]) << (8 * $1) }
        let meters = Double(Float(bitPattern: bits))
        // The fit takes the median of 5×5 pixels; one code is at most 0.8 % of these depths.
        #expect(abs(meters / point.meters - 1) < 0.02, "\(meters) at \(point)")
      }
    }
  }

  @Test("A photo of 48 tiles gives the same bytes for one and for three threads")
  func threads() throws {
    let folder = try TemporaryFolder()
    let photo = try Self.path("pug.heic")
    for threads in ["1", "3"] {
      let run = try CommandRun("check", photo, "-o", folder.file(threads), "--threads", threads)
      #expect(run.status == 1, "\(run.message)")
    }
    for name in ["report.html", "cloud.ply"] {
      let one = try #require(folder.bytes("1/\(name)"))
      #expect(folder.bytes("3/\(name)") == one)
    }
  }

  @Test("A cloud without a camera is refused, and the message says that this is what lacks")
  func cloudWithoutCamera() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "cloud", "-o", folder.file("x.ply"), Self.path("gdepth_range_inverse.jpg"))
    #expect(run.status == 65)
    #expect(run.message.contains("calibration"))
    #expect(try folder.names() == [])
  }

  @Test(
    "Extracted maps and clouds equal those that pillow_heif and NumPy compute",
    .enabled(if: PythonPeer.has("pillow_heif", "numpy"), "\(PythonPeer.absence("pillow_heif"))"),
    arguments: [
      "pug.heic", "truedepth_iphone14.heic", "iphonex_dual_depth.jpg", "iphonex_dual_matte.jpg",
    ])
  func outputs(name: String) throws {
    let folder = try TemporaryFolder()
    let photo = try Self.path(name)
    let parts = folder.file("parts")
    let cloud = folder.file("cloud.ply")
    #expect(try CommandRun("extract", "--quiet", "-o", parts, photo).status == 0)
    #expect(try CommandRun("cloud", "--quiet", "-o", cloud, photo).status == 0)
    #expect(folder.bytes("parts/calibration.json") != nil)
    let answer = Data(try PythonPeer.run("photo_outputs.py", photo, parts, cloud))
    let worst = try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
    #expect(worst["codes"] as? Int == 0)
    #expect(worst["type"] as? String == "<f4")
    #expect(worst["count"] as? Int == 0)
    // Relative; single precision has 6e-8, an inverse and a product of it twice that.
    #expect(try #require(worst["depth"] as? Double) < 2e-7)
    #expect(try #require(worst["cloud"] as? Double) < 1e-6)
    if name == "truedepth_iphone14.heic" {
      // Half a millimeter of rounding and 2 m of single precision.
      #expect(try #require(worst["millimeters"] as? Double) < 0.5002)
    } else {
      #expect(worst["millimeters"] == nil)
      #expect(try #require(worst["moved"] as? Double) > 0.5)
    }
    let mattes = try #require(worst["mattes"] as? [String: Any])
    #expect(mattes.count == ["pug.heic": 1, "truedepth_iphone14.heic": 5][name] ?? mattes.count)
    for (matte, difference) in mattes { #expect(difference as? Int == 0, "\(matte)") }
  }
}
