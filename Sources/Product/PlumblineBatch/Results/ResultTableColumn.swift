import PlumblineModel

/// A column of a table in CSV: its name with the unit, and the field of a row.
struct ResultTableColumn<Row> {
  /// The name, whose ending is the unit: `_m`, `_mm`, `_px`, `_percent`.
  let name: String
  /// The field; `nil` if unknown.
  let field: @Sendable (Row) -> String?

  init(_ name: String, _ field: @escaping @Sendable (Row) -> String?) {
    self.name = name
    self.field = field
  }
}

extension ResultTableColumn where Row == ResultRow {
  /// The columns of `results.csv`, as `Documentation/batch-results.md` lists them.
  static var results: [Self] {
    device + accuracy + [
      Self("verdict") { $0.verdict },
      Self("reason") { $0.reason },
      Self("findings") { row in
        words(row.findings.map { "\($0.code):\($0.severity)" }, separator: " ")
      },
      Self("values") { row in words(row.values.map(\.exactText), separator: "; ") },
      Self("page") { $0.page },
      Self("error_place") { $0.error?.place },
      Self("error_expected") { $0.error?.expected },
      Self("error_found") { $0.error?.found },
      Self("error_message") { $0.error?.message },
    ]
  }

  private static var device: [Self] {
    [
      Self("path") { $0.path },
      Self("bytes") { $0.bytes?.description },
      Self("sha256") { $0.sha256 },
      Self("state") { $0.state.rawValue },
      Self("code") { $0.code.description },
      Self("kind") { $0.kind },
      Self("frames") { $0.frames?.description },
      Self("make") { $0.make },
      Self("model") { $0.model },
      Self("os") { $0.os },
      Self("camera") { $0.camera },
      Self("api") { $0.api },
      Self("captured_at") { $0.capturedAt },
    ]
  }

  private static var accuracy: [Self] {
    [
      Self("width_px") { $0.width?.description },
      Self("height_px") { $0.height?.description },
      Self("median_m") { $0.medianMeters?.description },
      Self("depth_sigma_mm") { $0.depthSigmaMillimeters?.description },
      Self("length_sigma_percent") { $0.lengthSigmaPercent?.description },
    ]
  }

  private static func words(_ words: [String], separator: String) -> String? {
    words.isEmpty ? nil : words.joined(separator: separator)
  }
}

extension ResultTableColumn where Row == (path: String, value: ResultRow.Value) {
  /// The columns of `values.csv`: a row for each number of each capture.
  static var values: [Self] {
    [
      Self("path") { $0.path },
      Self("name") { $0.value.name },
      Self("value") { $0.value.value?.description },
      Self("sigma") { $0.value.sigma?.description },
      Self("unit") { $0.value.unit },
    ]
  }
}

extension ResultTableColumn where Row == (path: String, timing: ResultEntry.Timing) {
  /// The columns of `timings.csv`.
  static var timings: [Self] {
    [
      Self("path") { $0.path },
      Self("attempt") { $0.timing.attempt.description },
      Self("seconds") { $0.timing.seconds.description },
      Self("cpu_seconds") { $0.timing.cpuSeconds?.description },
      Self("peak_mebibytes") { row in
        row.timing.peakBytes.map { (Double($0) / 1_048_576).description }
      },
    ]
  }
}

extension ResultRow.Value {
  /// The number with all its digits, its ± and its unit, such as `distance = 0.12345 ± 0.0005 m`; `?` stands
  /// for what is unknown.
  var exactText: String { text { $0.description } }

  /// The same with the digits that its ± leaves a meaning.
  var roundedText: String {
    let decimals = Self.decimals(sigma ?? (value ?? 0).magnitude / 1000)
    return text { $0.fixed(decimals) }
  }

  private func text(_ digits: (Double) -> String) -> String {
    "\(name) = \(value.map(digits) ?? "?") ± \(sigma.map(digits) ?? "?")\(unit == "1" ? "" : " " + unit)"
  }

  /// Two digits of an uncertainty.
  private static func decimals(_ sigma: Double) -> Int {
    var (decimals, scaled) = (0, sigma)
    while scaled < 9.5, decimals < 9 {
      scaled *= 10
      decimals += 1
    }
    return decimals
  }
}
