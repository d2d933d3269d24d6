import Foundation
import PlumblineBatch
import PlumblineIO
import PlumblineSimulation

/// Made-up results of `check`: the same seed gives the same ones.
struct SampleResults {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Names and messages that try to leave their place in a table, a page or a script.
  static let hostileTexts = [
    "<img src=x onerror=window.pwned=1>", "</script><script>window.pwned=2</script>",
    "a,b\"c\"\r\nd\ne\rf", "=HYPERLINK(\"http://a\")", " outer spaces ", "{{title}}",
    "\u{202E}gnp.exe", "写真 – фото – صورة – 📷👨‍👩‍👧", "e\u{301}é", "NaN", "null", "NA", "", "\t", "'",
    "--><!--",
    "\u{2028}\u{2029}\u{7F}\u{1B}[31m", "__proto__", "constructor", "\\\"", "\u{FEFF}bom",
  ]

  private static let devices: [(model: String?, camera: String, millimeters: Double)] = [
    ("iPhone 13 Pro", "trueDepth", 0.7), ("iPhone 13 Pro", "lidar", 6), ("iPhone X", "dual", 0),
    ("iPad Pro", "lidar", 8), (nil, "unknown", 2), ("<b>bold</b>", "constructor", 1),
  ]

  /// The capture of an index: one in 40 failed, one in 50 has a hostile name.
  mutating func entry(_ index: Int) -> ResultEntry {
    let number = String(repeating: "0", count: 6 - min(6, String(index).count)) + String(index)
    var name = "IMG_\(number).heic"
    if index % 50 == 7 {
      name = "\(index) " + Self.hostileTexts[index / 50 % Self.hostileTexts.count]
    }
    let path = "/lab/session-\(index / 400)/\(name.replacing("/", with: "∕"))"
    let isFailed = Int.random(in: 0..<40, using: &random) == 0
    let output = "IMG_\(number)-0123456789abcdef"
    return ResultEntry(
      path: path, bytes: index % 3 == 0 ? nil : 1000 + index, sha256: nil,
      code: isFailed ? 65 : 0, document: isFailed ? failure(path) : check(output),
      outputName: output, hasThumbnail: false,
      timing: ResultEntry.Timing(
        attempt: 1, seconds: Double.random(in: 0..<1, using: &random), cpuSeconds: 0.25,
        peakBytes: 50 << 20))
  }

  private mutating func failure(_ path: String) -> JSONValue {
    let found = Int.random(in: 0..<9999, using: &random)
    let expected =
      ["an image of type hvc1 or grid", "at most \(found) items", "a meta box"]
      .randomElement(using: &random) ?? ""
    return .object([
      ("schema", "plumbline.error/1"), ("code", 65), ("file", .string(path)),
      ("place", "meta/iloc"), ("expected", .string(expected)), ("found", .integer(found)),
      ("message", .string("\(path): expected \(expected), found \(found)")),
    ])
  }

  private mutating func check(_ output: String) -> JSONValue {
    let device = Self.devices[Int.random(in: 0..<Self.devices.count, using: &random)]
    let isMetric = device.millimeters > 0
    let meters = Double.random(in: 0.2..<3, using: &random)
    let sigma = device.millimeters * Double.random(in: 0.5..<2, using: &random)
    let verdict =
      !isMetric
      ? "relative"
      : ["measurable", "corrected", "untrusted"].randomElement(using: &random) ?? ""
    return .object([
      ("schema", "plumbline.check/1"), ("file", "a.heic"), ("sha256", .null),
      (
        "source",
        .object([
          ("make", "Apple"), ("model", .string(device.model)), ("os", "17.1"),
          ("camera", .string(device.camera)), ("api", "photo"),
          ("capturedAt", "2026-05-04T10:12:31"),
        ])
      ),
      (
        "depth",
        .object([
          ("width", 640), ("height", 480), ("unit", .string(isMetric ? "m" : nil)),
          ("medianMeters", .number(meters)),
        ])
      ),
      ("findings", findings(isMetric: isMetric)), ("verdict", .string(verdict)),
      ("reason", .string("A length is good to \(Int(10 * meters)) %.")),
      (
        "uncertainty",
        .object([
          ("zMillimeters", .number(isMetric ? sigma : nil)),
          ("lengthPercent", .number(isMetric ? sigma / meters : nil)),
        ])
      ),
      ("outputs", .object([("report", .string("captures/\(output)/report.html"))])),
    ])
  }

  private mutating func findings(isMetric: Bool) -> JSONValue {
    var codes: [(code: String, severity: String)] = []
    if !isMetric { codes.append(("depth.relative", "fault")) }
    if Bool.random(using: &random) { codes.append(("depth.filtered", "note")) }
    if Int.random(in: 0..<5, using: &random) == 0 { codes.append(("depth.sparse", "caution")) }
    return .array(
      codes.map { .object([("code", .string($0.code)), ("severity", .string($0.severity))]) })
  }
}
