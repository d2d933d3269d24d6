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
    reconstructor.disparities = try call.settings.parsed(
      "disparity-range", Range.init(parsingDisparities:))
    reconstructor.rangeMeters = try call.settings.parsed(
      "depth-range", ClosedRange.init(parsingDepths:))
    guard reconstructor.disparities == nil || reconstructor.rangeMeters == nil else {
      throw Settings.wrong(
        "depth-range", expected: "either this or disparity-range", found: "both")
    }
    if let directions = try call.settings.integer("paths", in: 4...8),
      !reconstructor.sumCosts(ofDirections: directions)
    {
      throw Settings.wrong("paths", expected: "4, 5 or 8", found: "\(directions)")
    }
    reconstructor.reduce(
      toMegapixels: try call.settings.number("megapixels", in: StereoReconstructor.megapixels)
        ?? StereoReconstructor.usualMegapixels)
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
    let input = try StereoInput.read(
      left: call.inputs[0], right: call.inputs.count == 2 ? call.inputs[1] : nil,
      isSideBySide: isSideBySide, threads: reconstructor.threads)
    var reconstructor = reconstructor
    if !calibration.isEmpty {
      reconstructor.calibration = try StereoCalibration(
        paths: calibration, imageSize: input.left.color.size)
    }
    try call.progress.step("matching", 0, of: 1)
    let result = try reconstructor.reconstruct(
      left: input.left, right: input.right, fileName: input.fileName, sha256: input.sha256)
    try call.progress.step("writing", 0, of: 1)
    let written = try call.output.map { try result.published(in: $0, existing) } ?? []
    return result.document(outputs: written)
  }
}

extension Settings {
  /// The stated geometry of two cameras.
  fileprivate mutating func readGeometry(
    _ reconstructor: inout StereoReconstructor, isCalibrated: Bool
  ) throws {
    let isRectified = try flag("rectified")
    let focal = try parsed("focal", StatedNumber.length(parsing:))
    let baseline = try parsed("baseline", StatedNumber.length(parsing:))
    let offset = try parsed("offset", StatedNumber.init(parsing:))
    guard !isCalibrated || (!isRectified && focal == nil && baseline == nil) else {
      throw Self.wrong(
        "calibration", expected: "either this or rectified, focal and baseline", found: "both")
    }
    guard offset == nil || isRectified else {
      throw Self.wrong("offset", expected: "only with rectified", found: "without it")
    }
    reconstructor.state(
      focal: focal, baseline: baseline, offset: offset, isRectified: isRectified)
  }
}
