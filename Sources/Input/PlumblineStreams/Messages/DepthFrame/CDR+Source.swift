package import PlumblineIO
package import PlumblineModel

extension CDRWriter {
  /// Appends an optional number.
  package mutating func write(optional number: Double?) { write(number.map { [$0] } ?? []) }

  /// Appends an optional string.
  package mutating func write(optional text: String?) {
    write(UInt32(text == nil ? 0 : 1))
    if let text { write(text) }
  }

  /// Appends an optional Boolean: 1, 0, or −1 for unknown.
  package mutating func write(optional flag: Bool?) {
    write(flag.map { Int8($0 ? 1 : 0) } ?? -1)
  }

  /// Appends a width and a height.
  package mutating func write(_ size: RasterSize) {
    write(UInt32(size.width))
    write(UInt32(size.height))
  }

  /// Appends the source of a capture.
  package mutating func write(_ source: CaptureSource) {
    write(optional: source.make)
    write(optional: source.model)
    write(optional: source.lensModel)
    write(optional: source.system)
    write(source.camera.rawValue)
    write(source.interface.rawValue)
    write(optional: source.isGeometryCorrected)
    write(optional: source.capturedAt)
  }

  /// Appends a finding.
  package mutating func write(_ finding: Finding) {
    write(finding.code.rawValue)
    write(finding.severity.rawValue)
    write(finding.message)
    write(finding.evidence)
    write(finding.correction.rawValue)
    write(optional: finding.effect.zMillimeters)
    write(optional: finding.effect.lengthPercent)
  }
}

extension CDRReader {
  /// Reads an optional number.
  mutating func readOptionalDouble(_ what: String) throws(CaptureReadingError) -> Double? {
    try readDoubles(what, atMost: 1).first
  }

  /// Reads a string for display; control characters are escaped, as in every reader.
  package mutating func readText(_ what: String) throws(CaptureReadingError) -> String {
    printable(text: try readString(what))
  }

  /// Reads an optional string.
  mutating func readOptionalString(_ what: String) throws(CaptureReadingError) -> String? {
    try readCount(what, minimumBytes: 4, atMost: 1) == 1 ? try readText(what) : nil
  }

  /// Reads an optional Boolean.
  mutating func readOptionalBool(_ what: String) throws(CaptureReadingError) -> Bool? {
    let value = try readInt8(what)
    return value < 0 ? nil : value != 0
  }

  /// Reads a width and a height, neither over 16 million.
  mutating func readSize(_ what: String) throws(CaptureReadingError) -> RasterSize {
    let width = Int(try readUInt32("the width of \(what)"))
    let height = Int(try readUInt32("the height of \(what)"))
    guard width <= 1 << 24, height <= 1 << 24 else {
      throw malformed(expected: "sides of \(what) up to \(1 << 24)", found: "\(width) × \(height)")
    }
    return RasterSize(width: width, height: height)
  }

  /// Reads one of the eight orientations.
  mutating func readOrientation() throws(CaptureReadingError) -> ImageOrientation {
    let value = try readUInt8("the orientation")
    guard let orientation = ImageOrientation(rawValue: Int(value)) else {
      throw malformed(expected: "an orientation from 1 to 8", found: "\(value)")
    }
    return orientation
  }

  /// Reads the source of a capture; unknown kinds become `unknown`.
  mutating func readSource() throws(CaptureReadingError) -> CaptureSource {
    var source = CaptureSource()
    source.make = try readOptionalString("the make")
    source.model = try readOptionalString("the model")
    source.lensModel = try readOptionalString("the lens")
    source.system = try readOptionalString("the system")
    source.camera = CaptureSource.Camera(rawValue: try readString("the camera")) ?? .unknown
    source.interface =
      CaptureSource.Interface(rawValue: try readString("the interface")) ?? .unknown
    source.isGeometryCorrected = try readOptionalBool("is_geometry_corrected")
    source.capturedAt = try readOptionalString("the time of capture")
    return source
  }

  /// Reads a finding; `nil` if this version does not know its code.
  mutating func readFinding() throws(CaptureReadingError) -> Finding? {
    let code = FindingCode(rawValue: try readString("a finding's code"))
    let severity = Finding.Severity(rawValue: try readString("a finding's severity"))
    let message = try readText("a finding's message")
    let evidence = try readText("a finding's evidence")
    let correction = Finding.Correction(rawValue: try readString("a finding's correction"))
    let effect = Finding.Effect(
      zMillimeters: try readOptionalDouble("a finding's effect"),
      lengthPercent: try readOptionalDouble("a finding's effect"))
    guard let code, let severity, let correction else { return nil }
    return Finding(
      code, severity, message, effect: effect, evidence: evidence, correction: correction)
  }
}
