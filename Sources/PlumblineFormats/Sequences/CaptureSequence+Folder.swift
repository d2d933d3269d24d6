import PlumblineModel

extension CaptureSequence {
  /// The layouts that are known, in words.
  static let knownLayouts =
    "an AVFoundation dump (depth_T.png, rgb_T.png, DepthMetadata.json), PLY depth frames, RGB-D "
    + "JSON files (depth_data), or HEIC and JPEG photos"

  /// Finds out what a folder holds and puts its frames in the order of their time.
  ///
  /// Names and the beginnings of files decide; no image is decoded. Layouts are tried in the order
  /// of ``layout``'s documentation, and files that belong to none of the frames are counted in a
  /// finding.
  ///
  /// - Parameters:
  ///   - folder: The files.
  ///   - limits: What may be spent on one frame, and on their number.
  /// - Throws: `.missing` for a folder without frames of a known layout, which says what it holds;
  ///   `.limitExceeded`; what its files throw. Cost: the metadata, and the first bytes of each file.
  public init(
    folder: any CaptureFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let names = folder.fileNames
    try limits.require(names.count, atMost: limits.folderFiles, "files of a folder")
    if AVFoundationDump.recognizes(names) {
      self.init(try AVFoundationDump(folder, limits: limits), folder, limits)
    } else if let frames = try StandardCyborgFolder(folder, limits: limits) {
      self.init(frames, folder, limits)
    } else if let sequence = try Self.rgbdFiles(folder, limits) {
      self = sequence
    } else if let sequence = try Self.photos(folder, limits) {
      self = sequence
    } else {
      throw CaptureReadingError(
        .missing, expected: "a folder of frames: \(Self.knownLayouts)",
        found: Self.summary(of: names))
    }
  }

  private init(
    _ dump: AVFoundationDump, _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) {
    let frames = dump.frames
    self.init(
      layout: AVFoundationDump.layout, frameNames: frames.map { "\($0.timestamp)" },
      boardSquareMeters: dump.boardSquareMeters, findings: dump.findings
    ) { index, color throws(CaptureReadingError) in
      try frames[index].capture(from: folder, limits: limits, color: color)
    }
  }

  private init(
    _ frames: StandardCyborgFolder, _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) {
    let names = frames.fileNames
    let colorFiles = frames.colorFiles
    self.init(
      layout: StandardCyborgFrame.layout, frameNames: Self.frameNames(ofFiles: names),
      findings: frames.findings
    ) { index, color throws(CaptureReadingError) in
      let name = names[index]
      var capture: Capture
      do throws(CaptureReadingError) {
        capture = try StandardCyborgFrame(try folder.bytes(of: name)[...], limits: limits)
          .capture(color: colorFiles[name] == nil ? color : .none)
      } catch {
        throw error.inside(name)
      }
      if let colorFile = colorFiles[name] {
        try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
          .add(to: &capture)
      }
      return capture
    }
  }

  private static func rgbdFiles(
    _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> CaptureSequence? {
    var names: [String] = []
    for name in folder.fileNames where name.lowercased().hasSuffix(".json") {
      if RGBDJSONFrame.recognizes(try folder.firstBytes(of: name, count: 64 << 10)) {
        names.append(name)
      }
    }
    guard !names.isEmpty else { return nil }
    try limits.require(names.count, atMost: limits.sequenceFrames, "frames")
    names.sort(by: NaturalOrder.precedes)
    var colorFiles: [String: String] = [:]
    for name in folder.fileNames {
      guard let dot = name.lastIndex(of: "."),
        ["jpg", "jpeg", "png", "heic"].contains(name[name.index(after: dot)...].lowercased())
      else { continue }
      colorFiles["\(name[..<dot]).json"] = colorFiles["\(name[..<dot]).json"] ?? name
    }
    var findings: [Finding] = []
    let colorless = names.filter { colorFiles[$0] == nil }
    if !colorless.isEmpty {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, .note,
          "\(colorless.count) of \(names.count) frames have no image of the same name",
          evidence: AVFoundationDump.list(colorless)))
    }
    let frames = names
    let colors = colorFiles
    return CaptureSequence(
      layout: RGBDJSONFrame.layout, frameNames: Self.frameNames(ofFiles: names),
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

  /// The names of files without their endings, as frames are called and their outputs' folders.
  ///
  /// A name that is another frame's too, or that a folder has for itself or the one above it, keeps
  /// its ending: outputs must neither meet nor leave their folder.
  static func frameNames(ofFiles files: [String]) -> [String] {
    let stems = files.map { file in
      file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }
    let counts = Dictionary(stems.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(files, stems).map { file, stem in
      let isFree = counts[stem.lowercased()] == 1 && !["", ".", ".."].contains(stem)
      return isFree ? stem : file
    }
  }

  /// The app ends its names in milliseconds since 1970: `22-05-01_12-30-15_1651379415123.json`.
  private static func milliseconds(in name: String) -> Double? {
    let stem = name.dropLast(5)
    let digits = stem.suffix(while: \.isASCIIDigit)
    return (12...14).contains(digits.count) ? Double(digits) : nil
  }

  private static func photos(
    _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> CaptureSequence? {
    let endings = ["heic", "heif", "hif", "jpg", "jpeg"]
    let names = folder.fileNames.filter { name in
      guard let dot = name.lastIndex(of: ".") else { return false }
      return endings.contains(name[name.index(after: dot)...].lowercased())
    }.sorted(by: NaturalOrder.precedes)
    guard !names.isEmpty else { return nil }
    try limits.require(names.count, atMost: limits.sequenceFrames, "frames")
    var findings = [
      Finding(
        .sequenceTimeUnknown, .note,
        "photos are in the order of their names, numbers compared as numbers",
        evidence: "\(names.count) photos")
    ]
    let others = folder.fileNames.count - names.count
    if others > 0 {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others) other files are left aside",
          evidence: summary(of: folder.fileNames)))
    }
    return CaptureSequence(layout: "photos", frameNames: names, findings: findings) {
      index, color throws(CaptureReadingError) in
      do throws(CaptureReadingError) {
        return try CaptureReader(limits: limits, color: color, threads: 1)
          .capture(from: try folder.bytes(of: names[index]))
      } catch {
        throw error.inside(names[index])
      }
    }
  }

  /// How many files of which kind, such as `12 .png, 2 .json`.
  static func summary(of names: [String]) -> String {
    guard !names.isEmpty else { return "a folder without files" }
    var counts: [String: Int] = [:]
    for name in names {
      let dot = name.lastIndex(of: ".")
      counts[dot.map { name[$0...].lowercased() } ?? "without an ending", default: 0] += 1
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = sorted.prefix(6).map { "\($0.value) \(printable(text: $0.key.prefix(20)))" }
    return words.joined(separator: ", ") + (sorted.count > 6 ? ", …" : "")
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension StringProtocol {
  /// The longest end of the text whose characters all satisfy a condition.
  fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
