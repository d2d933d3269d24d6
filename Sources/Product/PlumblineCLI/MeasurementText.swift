import Plumbline

/// One number as a person reads it: what was measured, the number with its ±, the parts, and why it
/// cannot be believed where that is so.
struct MeasurementText {
  let line: String

  /// Writes `distance 812,1304:1630,1290  41.23 ± 0.31 cm (sensor 0.12, calibration 0.25, scale 0.14)`.
  init(_ measurement: CaptureMeasurement) {
    var scatterText = ""
    if let value = measurement.value, let scatter = measurement.scatter {
      let scale = Self.unit(of: value)
      let sigma = scatter.sigma.map { Self.significant($0 * scale.factor) } ?? "unknown"
      scatterText = "  scatter \(sigma)\(scale.unit) in \(scatter.frames.counting("frame"))"
    }
    let places = measurement.places.map { "depth:\($0.depth.x),\($0.depth.y)" }
    line = Self.line(
      [measurement.request.kind, "\(measurement.request)", measurement.name],
      measurement.value, scatterText,
      places: places.isEmpty ? nil : places.joined(separator: ":"), measurement.reasons)
  }

  /// The same of a cloud, with the points that were taken, how far they are from the named places, and their
  /// frame.
  init(_ measurement: CloudMeasurement, frame: String) {
    let offsets = measurement.places.compactMap(\.offsetMeters)
      .map { "\((1000 * $0).fixed(1)) mm" }
    var places: String?
    if measurement.value != nil, !offsets.isEmpty {
      places =
        measurement.places.map(\.description).joined(separator: ":") + " (frame: \(frame); "
        + "\(offsets.joined(separator: ", ")) from what was named)"
    } else if measurement.value != nil {
      places = "frame: \(frame)"
    }
    line = Self.line(
      [measurement.request.kind, "\(measurement.request)", measurement.name],
      measurement.value, "", places: places, measurement.reasons)
  }

  private static func line(
    _ words: [String?], _ value: MeasuredValue?, _ scatter: String, places: String?,
    _ reasons: [String]
  ) -> String {
    var text = words.compactMap(\.self).joined(separator: " ")
    if let value {
      let scale = unit(of: value)
      text += "  " + number(value.value, value.sigma, scale)
      if let parts = parts(of: value, scale) { text += "  (\(parts))" }
      text += scatter
    }
    if let places { text += "  at \(places)" }
    if value == nil || !reasons.isEmpty {
      let word = value == nil ? "NOT MEASURED" : "NOT BELIEVABLE"
      text += "  \(word): \(printable(text: reasons.joined(separator: " ")))"
    }
    return text
  }

  /// The unit that a number is written in, with the factor to it.
  private struct Scale {
    let factor: Double
    let unit: String
  }

  private static func unit(of value: MeasuredValue) -> Scale {
    let size = abs(value.value)
    return switch value.unit {
    case .meters: size < 1 ? Scale(factor: 1000, unit: " mm") : Scale(factor: 1, unit: " m")
    case .radians: Scale(factor: 180 / .pi, unit: "°")
    case .squareMeters:
      size < 0.1 ? Scale(factor: 1e4, unit: " cm²") : Scale(factor: 1, unit: " m²")
    case .cubicMeters:
      size < 0.001 ? Scale(factor: 1e6, unit: " cm³") : Scale(factor: 1e3, unit: " l")
    case .one: Scale(factor: 1, unit: "")
    }
  }

  private static func number(_ value: Double, _ sigma: Double?, _ scale: Scale) -> String {
    guard value.isFinite else { return "no number" }
    // A point of the optical axis is exactly on it; another ± of 0 is not known.
    guard let sigma, sigma > 0 || value == 0 else {
      return "\((value * scale.factor).fixed(scale.unit == " mm" ? 1 : 3)) ± unknown\(scale.unit)"
    }
    if isBelowMicrometer(sigma, scale) {
      return "\((value * scale.factor).fixed(3)) ± less than 0.001\(scale.unit)"
    }
    let decimals = decimals(of: sigma * scale.factor)
    return "\((value * scale.factor).fixed(decimals)) ± \((sigma * scale.factor).fixed(decimals))"
      + scale.unit
  }

  /// Whether a length is as good as exact, as that across the optical axis is on the axis itself.
  private static func isBelowMicrometer(_ sigma: Double, _ scale: Scale) -> Bool {
    scale.unit == " mm" && sigma * scale.factor < 0.0005
  }

  private static func parts(of value: MeasuredValue, _ scale: Scale) -> String? {
    guard let sigma = value.sigma else { return knownParts(of: value, scale) }
    if isBelowMicrometer(sigma, scale) { return nil }
    // One decimal more than the whole has; what is less than that is 0.
    let decimals = min(7, decimals(of: sigma * scale.factor) + 1)
    return [("sensor", value.sensor), ("calibration", value.calibration), ("scale", value.scale)]
      .map { name, part in
        let text = ((part ?? 0) * scale.factor).fixed(decimals)
        return "\(name) \(text.contains { "123456789".contains($0) } ? text : "0")"
      }
      .joined(separator: ", ")
  }

  /// The parts that are known of a ± that is not; `nil` where none is.
  private static func knownParts(of value: MeasuredValue, _ scale: Scale) -> String? {
    let parts = [
      ("sensor", value.sensor), ("calibration", value.calibration), ("scale", value.scale),
    ]
    guard parts.contains(where: { $0.1 != nil }) else { return nil }
    return parts.map { name, part in
      "\(name) \(part.map { significant($0 * scale.factor) } ?? "unknown")"
    }
    .joined(separator: ", ")
  }

  /// Two digits of a ± that begins with 1 or 2, else one: what a rounding may cost.
  private static func decimals(of sigma: Double) -> Int {
    var exponent = 0
    var mantissa = sigma
    while mantissa >= 10, exponent < 12 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    while mantissa < 1, exponent > -12 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
    return min(6, max(0, (mantissa < 2.95 ? 1 : 0) - exponent))
  }

  private static func significant(_ value: Double) -> String {
    value > 0 ? value.fixed(decimals(of: value)) : "0"
  }
}
