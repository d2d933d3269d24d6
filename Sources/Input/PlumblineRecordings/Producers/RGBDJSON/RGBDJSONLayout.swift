package import PlumblineImages
package import PlumblineIO
import PlumblineModel

/// Folders of ``RGBDJSONFrame`` files, each with an image of the same name.
package enum RGBDJSONLayout: RecordingLayout {
  package static let name = RGBDJSONFrame.layout
  package static let signs = "JSON files with depth_data"

  package static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    try !frameFiles(folder).isEmpty
  }

  private static func frameFiles(
    _ folder: any CaptureFolder
  ) throws(CaptureReadingError) -> [String] {
    var names: [String] = []
    for name in folder.topFileNames where name.lowercased().hasSuffix(".json") {
      if RGBDJSONFrame.recognizes(try folder.firstBytes(of: name, count: 64 << 10)) {
        names.append(name)
      }
    }
    return names
  }

  package static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    var names = try frameFiles(folder)
    try limits.require(names.count, atMost: limits.sequenceFrames, "frames")
    names.sort(by: NaturalOrder.precedes)
    var colorFiles: [String: String] = [:]
    for name in folder.topFileNames {
      guard let dot = name.lastIndex(of: "."),
        ["jpg", "jpeg", "png", "heic"].contains(name[name.index(after: dot)...].lowercased())
      else { continue }
      colorFiles["\(name[..<dot]).json"] = colorFiles["\(name[..<dot]).json"] ?? name
    }
    let findings = [
      Recording.finding(
        .sequenceIncompleteFrames, .note, names.filter { colorFiles[$0] == nil }, of: names.count,
        lack: "have no image of the same name")
    ].compactMap(\.self)
    let frames = names
    let colors = colorFiles
    return Recording(
      layout: name,
      frames: zip(Recording.frameNames(ofFiles: names), names).map { name, file in
        RecordedFrame(name: name, timestampSeconds: Self.milliseconds(in: file).map { $0 / 1000 })
      },
      findings: findings
    ) { index, color throws(CaptureReadingError) in
      let name = frames[index]
      var capture: Capture
      do throws(CaptureReadingError) {
        capture = try RGBDJSONFrame(try folder.bytes(of: name)[...], limits: limits).capture()
      } catch {
        throw error.inside(name)
      }
      capture.timestampSeconds = Self.milliseconds(in: name).map { $0 / 1000 }
      if let colorFile = colors[name] {
        try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
          .add(to: &capture)
      }
      return capture
    }
  }

  /// The app's file names end with milliseconds since 1970: `22-05-01_12-30-15_1651379415123.json`.
  private static func milliseconds(in name: String) -> Double? {
    let stem = name.dropLast(5)
    let digits = stem.suffix(while: \.isASCIIDigit)
    return (12...14).contains(digits.count) ? Double(digits) : nil
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension StringProtocol {
  /// The longest suffix whose characters all satisfy a condition.
  fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
