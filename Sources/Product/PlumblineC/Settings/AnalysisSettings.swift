import Plumbline

/// The settings of everything that reads captures: those of `check`.
struct AnalysisSettings: Sendable {
  /// The frame of a recording: its name, or its number from 0; `nil` for the first or all.
  let frame: String?
  /// What the user says of depth maps; `nil` for nothing.
  let statement: DepthStatement?
  /// Distances that the user measured.
  let distances: [MeasuredDistance]
  /// The path of a calibration that replaces the capture's own.
  let calibration: String?
  /// The path of the user's own measurements of devices; `nil` for what this library knows alone.
  let catalog: String?
  /// The device in place of the one that the capture names.
  let device: String?
  /// The most threads; results do not depend on it.
  let threads: Int
  /// What may be spent on reading.
  let limits: ReadingLimits

  /// Reads the settings that all have.
  init(_ settings: inout Settings) throws {
    frame = try settings.read("frame", expected: "the name of a frame, or its number from 0") {
      $0.string ?? $0.integer.flatMap { $0 >= 0 ? String($0) : nil }
    }
    let unit = try settings.read(
      "depth-unit", expected: "mm, 0.1mm, m, or the meters that the number 1 stands for"
    ) { value in
      (value.string ?? value.number.map { "\($0)" }).flatMap { DepthUnit(parsing: $0) }
    }
    let isMetric = try settings.flag("metric")
    statement = unit == nil && !isMetric ? nil : DepthStatement(unit: unit, isAbsolute: isMetric)
    distances = try settings.parsedTexts(
      "known-distance", atMost: 2, MeasuredDistance.init(parsing:))
    calibration = try settings.text("calibration")
    catalog = try settings.text("catalog")
    device = try settings.text("device")
    threads = try settings.integer("threads", in: 1...256) ?? 2
    var limits = ReadingLimits()
    if let memory = try settings.integer("memory", in: 1...(1 << 40)) { limits.fileBytes = memory }
    self.limits = limits
  }

  /// What holds where nothing is said.
  static var defaults: AnalysisSettings {
    get throws {
      var none = try Settings(nil)
      return try AnalysisSettings(&none)
    }
  }

  /// The analyzer that does as the settings say; reads the files that they name.
  func analyzer(color: CaptureReader.ColorRequest) throws -> CaptureAnalyzer {
    var analyzer = CaptureAnalyzer(limits: limits, color: color, threads: threads)
    analyzer.readsCompanions = false
    analyzer.calibration = try replacement()
    analyzer.catalog = try devices()
    analyzer.statement = statement
    analyzer.measuredDistances = distances
    analyzer.frame = frame
    analyzer.deviceModel = device
    return analyzer
  }

  /// The calibration of the file; `nil` where none is named.
  func replacement() throws -> CalibrationReplacement? {
    try calibration.map { try CalibrationReplacement(path: $0) }
  }

  /// What is known of devices, with the user's own measurements where a file of them is named and no calibration
  /// takes their place.
  ///
  /// - Throws: `InputError.notFound` for a file that is not there; what reading it throws.
  func devices() throws -> DeviceCatalog {
    guard let catalog, calibration == nil else { return .bundled }
    return try DeviceCatalog(ownAt: catalog)
  }

  /// A recording of which every frame is as the settings say, with the focal lengths that the user has measured of
  /// the devices.
  func applied(to recording: Recording, knownBy devices: DeviceCatalog) throws -> Recording {
    let stating = statement.map { recording.stating($0) } ?? recording
    let taken = stating.taken(by: device, knownBy: devices)
    return try replacement().map { taken.calibrated(by: $0) } ?? taken
  }

  /// Refuses what is about one frame where all are joined.
  func requireNoFrame() throws {
    if frame != nil {
      throw Settings.wrong("frame", expected: "none, since all frames are used", found: "one")
    }
    try requireNoDistances()
  }

  /// Refuses measured distances, which are at pixels of one frame.
  func requireNoDistances() throws {
    guard distances.isEmpty else {
      throw Settings.wrong(
        "known-distance", expected: "none, since it is at a pixel of one frame", found: "some")
    }
  }
}

extension DeviceCatalog {
  /// What this library knows of devices, with the user's own measurements in a file.
  ///
  /// - Throws: `InputError.notFound` for a file that is not there; what reading it throws.
  init(ownAt path: String) throws {
    let own = UserDeviceCatalog(path: path)
    guard try own.exists else { throw InputError.notFound(path: path) }
    self = try own.catalog
  }
}
