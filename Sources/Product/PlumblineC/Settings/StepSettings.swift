import Plumbline

/// How captures are corrected: the settings of `correct`.
struct CorrectionSettings {
  /// What is done, without the calibration of ``AnalysisSettings``.
  var corrector = CaptureCorrector()

  /// Reads the settings of corrections.
  init(_ settings: inout Settings) throws {
    corrector.takesFocalFromCatalog = try settings.flag("focal-from-catalog")
    corrector.undoesZoom = try settings.flag("arkit-zoom")
    corrector.undoesMirroring = try settings.flag("unmirror")
    if try settings.flag("unmirror-depth") {
      corrector.mirroring = Mirroring(.columns, of: .depth)
    }
    guard corrector.mirroring == nil || !corrector.undoesMirroring else {
      throw Settings.wrong(
        "unmirror-depth", expected: "either this or unmirror, which mirrors the map already",
        found: "both")
    }
    corrector.rectified = try settings.parsed("rectify", CaptureParts.init(parsing:)) ?? []
    corrector.size = try settings.parsed("size", RasterSize.init(parsing:))
  }

  /// The corrector with the calibration of a file, or with what is known of devices.
  func corrector(
    calibration path: String?, devices: DeviceCatalog
  ) throws -> CaptureCorrector {
    guard path == nil || !corrector.takesFocalFromCatalog else {
      throw Settings.wrong(
        "focal-from-catalog",
        expected: "either this or calibration, which replaces the focal length too", found: "both")
    }
    var corrector = corrector
    corrector.calibration = try path.map { try CalibrationReplacement(path: $0) }
    corrector.catalog = devices
    return corrector
  }
}

/// How depth maps are filtered: the settings of `filter`.
struct FilterSettings {
  /// The chain of filters.
  var filter: CaptureFilter

  /// Reads the settings of filters.
  init(_ settings: inout Settings) throws {
    filter = CaptureFilter(try settings.word("preset") ?? .metrology)
    filter.leastConfidence = try settings.integer("confidence", in: 0...255).map(UInt8.init)
    filter.rangeMeters = try settings.parsed(
      "depth-range", ClosedRange.init(parsingDepths:))
    filter.filling = try settings.word("fill")
    filter.decimation = try settings.integer("decimate", in: 2...8)
    filter.isUpsampled = try settings.flag("upsample")
  }
}
