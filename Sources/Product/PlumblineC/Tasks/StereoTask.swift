import Plumbline

/// Makes depth from two images: `stereo`.
struct StereoTask {
  private let reconstructor: StereoReconstructor
  private let calibration: [String]
  private let isSideBySide: Bool
  private let existing: OutputTransaction.ExistingFiles

  /// Reads the settings of the task.
  init(_ call: inout TaskCall) throws {
    var reconstructor = StereoReconstructor()
    calibration = try call.settings.texts("calibration", atMost: 2)
    isSideBySide = try call.settings.flag("side-by-side")
    try call.settings.readGeometry(&reconstructor, isCalibrated: !calibration.isEmpty)
    reconstructor.disparities = try call.settings.read(
      "disparity-range", expected: "the least and the maximum disparity in pixels, as in 0:64"
    ) { value in
      let sides = NumberText.integers(value.string ?? "", between: ":")
      guard let sides, sides.count == 2, sides[0] < sides[1],
        sides.allSatisfy((-65_535...65_534).contains)
      else { return nil }
      return sides[0]..<sides[1] + 1
    }
    reconstructor.rangeMeters = try call.settings.depthRange("depth-range")
    guard reconstructor.disparities == nil || reconstructor.rangeMeters == nil else {
      throw Settings.wrong(
        "depth-range", expected: "either this or disparity-range", found: "both")
    }
    reconstructor.paths =
      try call.settings.read("paths", expected: "4, 5 or 8") { value in
        switch value.integer {
        case 4: .four
        case 5: .five
        case 8: .eight
        default: nil
        }
      } ?? .eight
    let megapixels = try call.settings.number("megapixels", in: 0...128) ?? 3
    reconstructor.maximumPixels = megapixels == 0 ? .max : max(1, Int(megapixels * 1e6))
    reconstructor.threads = try call.settings.integer("threads", in: 1...256) ?? 2
    existing = try call.settings.existing()
    try call.settings.finish()
    guard (1...2).contains(call.inputs.count), !isSideBySide || call.inputs.count == 1 else {
      throw InterfaceError.usage(
        "inputs", expected: isSideBySide ? "1 image that holds both" : "1 or 2 images",
        found: "\(call.inputs.count)")
    }
    self.reconstructor = reconstructor
  }

  /// Makes the depth, and returns `plumbline.stereo/1`.
  func perform(_ call: TaskCall) throws -> JSONValue {
    let left = try InputFile(path: call.inputs[0])
    let reader = StereoImageReader(threads: reconstructor.threads)
    var name = lastPathPart(left.path)
    var digest: String? = SHA256Digest.hexadecimal(of: left.bytes)
    let pair: (left: StereoImage, right: StereoImage)
    if call.inputs.count == 2 {
      let right = try InputFile(path: call.inputs[1])
      pair = (try Self.image(of: left, by: reader), try Self.image(of: right, by: reader))
      name += " + \(lastPathPart(right.path))"
      digest = nil
    } else if isSideBySide {
      pair = try reader.image(from: left.bytes).sideBySide()
    } else {
      pair = try reader.pair(from: left.bytes)
    }
    var reconstructor = reconstructor
    if !calibration.isEmpty {
      reconstructor.calibration = try Self.calibration(calibration, pair.left.color.size)
    }
    try call.progress.step("matching", 0, of: 1)
    let result = try reconstructor.reconstruct(
      left: pair.left, right: pair.right, fileName: name, sha256: digest)
    try call.progress.step("writing", 0, of: 1)
    var written: [String] = []
    if let output = call.output {
      var transaction = OutputTransaction(existing: existing)
      try transaction.createDirectory(at: output)
      _ = try transaction.stage(result.files(), in: output, as: .depth)
      try transaction.stage(result.recording(), at: path("capture.mcap", in: output))
      written = try transaction.publish()
    }
    return result.document(outputs: written)
  }

  /// Reads one of two files; a failure says which.
  private static func image(
    of file: InputFile, by reader: StereoImageReader
  ) throws -> StereoImage {
    do throws(CaptureReadingError) {
      return try reader.image(from: file.bytes)
    } catch {
      throw error.inside(printable(text: lastPathPart(file.path)))
    }
  }

  /// Both cameras of one file, or of OpenCV's two.
  private static func calibration(
    _ paths: [String], _ size: RasterSize
  ) throws -> StereoCalibration {
    let files = try paths.map { try InputFile(path: $0) }
    do throws(CalibrationReadingError) {
      return try StereoCalibrationFile(
        parsing: files.first?.bytes ?? [], extrinsics: files.dropFirst().first?.bytes,
        imageSize: size
      ).calibration
    } catch { throw CalibrationFileError(path: paths.joined(separator: ", "), error: error) }
  }
}

extension Settings {
  /// The stated geometry of two cameras.
  fileprivate mutating func readGeometry(
    _ reconstructor: inout StereoReconstructor, isCalibrated: Bool
  ) throws {
    let isRectified = try flag("rectified")
    let focal = try statedNumber("focal")
    let baseline = try statedNumber("baseline")
    let offset = try statedNumber("offset", isPositive: false)
    guard !isCalibrated || (!isRectified && focal == nil && baseline == nil) else {
      throw Self.wrong(
        "calibration", expected: "either this or rectified, focal and baseline", found: "both")
    }
    guard offset == nil || isRectified else {
      throw Self.wrong("offset", expected: "only with rectified", found: "without it")
    }
    reconstructor.focalLengthPixels = focal?.value
    reconstructor.focalSigmaPixels = focal?.sigma
    reconstructor.baselineMeters = baseline?.value
    reconstructor.baselineSigmaMeters = baseline?.sigma
    guard isRectified else { return }
    var geometry = StereoReconstructor.RectifiedGeometry(
      focalLengthPixels: focal?.value, baselineMeters: baseline?.value,
      offsetPixels: offset?.value)
    geometry.focalSigmaPixels = focal?.sigma
    geometry.baselineSigmaMeters = baseline?.sigma
    geometry.offsetSigmaPixels = offset?.sigma
    reconstructor.rectified = geometry
  }

  /// A number, or a text such as `995±2` or `995+-2` with its ±, one standard deviation.
  private mutating func statedNumber(
    _ name: String, isPositive: Bool = true
  ) throws -> (value: Double, sigma: Double?)? {
    let form = isPositive ? "a number above 0" : "a number"
    return try read(name, expected: "\(form), or with its ± as in 995±2 or 995+-2") { value in
      func isUsable(_ number: Double) -> Bool { abs(number) < 1e6 && (!isPositive || number > 0) }
      if let number = value.number { return isUsable(number) ? (number, nil) : nil }
      let text = (value.string ?? "").replacing("+-", with: "±")
      guard let parts = NumberText.numbers(text, between: "±"), let number = parts.first,
        isUsable(number), parts.count <= 2
      else { return nil }
      guard parts.count == 2 else { return (number, nil) }
      guard parts[1] > 0, parts[1] < 1e6, !isPositive || parts[1] < number else { return nil }
      return (number, parts[1])
    }
  }
}
