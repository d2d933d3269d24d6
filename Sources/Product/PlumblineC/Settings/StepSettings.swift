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
    corrector.rectified =
      try settings.read("rectify", expected: "color, depth or color,depth") { value in
        value.string.flatMap(Self.parts)
      } ?? []
    corrector.size = try settings.read(
      "size", expected: "columns and rows from 1 to 16384, 16 million pixels at most, as in 640x480"
    ) { value in value.string.flatMap(Self.size) }
  }

  /// The corrector with the calibration of a file.
  func corrector(calibration path: String?) throws -> CaptureCorrector {
    guard path == nil || !corrector.takesFocalFromCatalog else {
      throw Settings.wrong(
        "focal-from-catalog",
        expected: "either this or calibration, which replaces the focal length too", found: "both")
    }
    var corrector = corrector
    corrector.calibration = try path.map { try CalibrationReplacement(path: $0) }
    return corrector
  }

  private static func parts(_ text: String) -> CaptureParts? {
    switch text {
    case "color": .color
    case "depth": .depth
    case "color,depth", "depth,color": [.color, .depth]
    default: nil
    }
  }

  private static func size(_ text: String) -> RasterSize? {
    guard let sides = NumberText.integers(text, between: "x"), sides.count == 2,
      sides.allSatisfy((1...16384).contains),
      sides[0] * sides[1] <= ReadingLimits().auxiliaryPixels
    else { return nil }
    return RasterSize(width: sides[0], height: sides[1])
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
    filter.rangeMeters = try settings.depthRange("depth-range")
    filter.filling = try settings.word("fill")
    filter.decimation = try settings.integer("decimate", in: 2...8)
    filter.isUpsampled = try settings.flag("upsample")
  }
}

/// What is measured in a capture: the settings of `measure`.
struct MeasurementSettings {
  /// The measurements, kind by kind.
  let requests: [MeasurementRequest]

  /// The most measurements of one kind at a time.
  private static let maximum = 1000

  /// Reads what to measure; at least one number.
  init(_ settings: inout Settings) throws {
    func read(
      _ name: String, as form: String, _ parse: (String) -> MeasurementRequest?
    ) throws -> [MeasurementRequest] {
      try settings.texts(name, atMost: Self.maximum).map { text in
        guard let request = parse(text) else {
          throw Settings.wrong(name, expected: form, found: text)
        }
        return request
      }
    }
    func area(
      _ name: String, _ make: @escaping (MeasuredRectangle) -> MeasurementRequest
    ) throws -> [MeasurementRequest] {
      try read(name, as: "X,Y,WxH, the first pixel and the size of a rectangle") {
        PlaceText.rectangle($0).map(make)
      }
    }
    var requests = try read("point", as: "X,Y") { text in
      PlaceText.pixels(text, count: 1).map { .point($0[0]) }
    }
    requests += try read("distance", as: "X,Y:X,Y") { text in
      PlaceText.pixels(text, count: 2).map { .distance($0[0], $0[1]) }
    }
    requests += try read("angle", as: "X,Y:X,Y:X,Y") { text in
      PlaceText.pixels(text, count: 3).map { .angle($0[0], $0[1], $0[2]) }
    }
    requests += try area("plane") { .plane($0) }
    requests += try area("box") { .box($0) }
    requests += try read("height", as: "X,Y:X,Y,WxH, a pixel and the rectangle of a plane") {
      PlaceText.height($0).map { .height($0.0, $0.1) }
    }
    requests += try area("volume") { .volume($0) }
    guard !requests.isEmpty else {
      throw Settings.wrong(
        "point", expected: "this or distance, angle, plane, box, height, volume", found: "none")
    }
    self.requests = requests
  }
}

extension Settings {
  /// `NEAR:FAR` in meters.
  mutating func depthRange(_ name: String) throws -> ClosedRange<Double>? {
    try read(name, expected: "the nearest and the farthest depth in meters, as in 0.2:3") { value in
      let sides = NumberText.numbers(value.string ?? "", between: ":")
      guard let sides, sides.count == 2, sides[0] >= 0, sides[0] < sides[1], sides[1] <= 1000 else {
        return nil
      }
      return sides[0]...sides[1]
    }
  }
}
