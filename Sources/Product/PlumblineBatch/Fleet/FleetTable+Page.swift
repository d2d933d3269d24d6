import Plumbline
import PlumblineExport

extension FleetTable {
  /// The page of the tables: one file of HTML that needs nothing else; O(*n*).
  ///
  /// - Parameter title: What the page is about, such as the name of the results.
  /// - Returns: UTF-8 bytes.
  public func page(title: String) -> [UInt8] {
    var page = FigurePage(
      title: title, badge: badge.word, tone: badge.tone, reason: reason, source: source,
      numbers: pageNumbers, figures: groups.compactMap(\.figure),
      documentJSON: JSONWriter(layout: .compact).text(document()))
    page.tables = groups.flatMap(\.pageTables) + unusedTables
    return page.html()
  }

  private var badge: (word: String, tone: FigurePage.Tone) {
    let misfits = groups.reduce(0) { $0 + $1.misfitCount }
    let undecided = groups.reduce(0) { $0 + $1.undecidedCount }
    if sessionCount == 0 { return ("Nothing measured", .undecided) }
    if misfits > 0 { return ("\(misfits) of \(sessionCount) do not fit", .bad) }
    return undecided > 0
      ? ("\(undecided) of \(sessionCount) cannot tell", .undecided) : ("All fit", .good)
  }

  /// Which model is off, by how much.
  private var reason: String {
    let off = groups.filter { group in
      group.numbers.differencePercent.map { abs($0.value) > 1 + $0.plusMinus } ?? false
    }
    guard !off.isEmpty else {
      return sessionCount == 0
        ? "No session has a measured focal length."
        : "No model states a focal length that is more than 1 % off."
    }
    return off.map { group in
      "\(group.title): stated focal length off by \(group.numbers.differencePercent.text(2, isSigned: true)) %."
    }.joined(separator: " ")
  }

  private var source: String {
    let devices = groups.reduce(0) { $0 + $1.devices.count }
    return "\(sessionCount.counting("session")) of \(devices.counting("device")), "
      + "\(groups.count.counting("configuration")); \(unused.count) without a measured focal length"
  }

  private var pageNumbers: [FigurePage.Number] {
    groups.prefix(8).map { group in
      FigurePage.Number(
        name: group.title,
        value: group.numbers.differencePercent.map { _ in
          group.numbers.differencePercent.text(2, isSigned: true) + " %"
        },
        note: "measured against stated focal length; \(group.words)")
    }
  }

  private var unusedTables: [FigurePage.Table] {
    guard !unused.isEmpty else { return [] }
    return [
      FigurePage.Table(
        title: "Sessions without a measured focal length", caption: "",
        heads: ["session", "reason"], rows: unused.map { [$0.path, $0.reason] })
    ]
  }
}

extension FleetGroup {
  /// The ± of each device as a figure; `nil` for one device, whose numbers are in the table.
  fileprivate var figure: FigurePage.Figure? {
    guard devices.count > 1 else { return nil }
    // A page with hundreds of bars is read by its table.
    let rows = devices.prefix(40).compactMap { device in
      device.numbers.differencePercent.map {
        IntervalFigure.Row(
          name: "device \(device.number)", value: $0.value, sigma: $0.plusMinus,
          remark: device.sessions.count.counting("session"),
          isMain: outliers.contains { $0.device == device.number })
      }
    }
    return FigurePage.Figure(
      title: title,
      caption: "Measured minus stated focal length of each device, in percent of the stated one; "
        + "thick: ± 1 σ, thin: ± 3 σ. \(words). \(scatterSentence)",
      drawing: .intervals(
        IntervalFigure(
          rows: rows, reference: numbers.differencePercent?.value, toleranceShare: 0, unit: "%")))
  }

  fileprivate var pageTables: [FigurePage.Table] {
    let rows = devices.map { device in
      ["\(device.number)", device.sessions.joined(separator: ", ")] + Self.cells(device.numbers)
    }
    let total =
      devices.count > 1 ? [["all", sessionCount.counting("session")] + Self.cells(numbers)] : []
    let table = FigurePage.Table(
      title: title, caption: "\(words). \(scatterSentence) \(otherDeviceSentence)",
      heads: [
        "device", "sessions", "stated f, px of 640", "measured f, px of 640", "difference, %",
        "sensor − board, stated camera, mm", "measured camera, mm", "at, mm",
        "lengths, stated camera, %", "measured camera, %",
      ],
      rows: rows + total)
    guard !outliers.isEmpty else { return [table] }
    return [
      table,
      FigurePage.Table(
        title: "Outliers: \(title)", caption: "", heads: ["session", "why"],
        rows: outliers.map { [$0.session, $0.sentence] }),
    ]
  }

  private static func cells(_ numbers: Numbers) -> [String] {
    [
      numbers.factoryFocal.map { $0.value.fixed(2) } ?? "—",
      numbers.measuredFocal.text(2), numbers.differencePercent.text(2, isSigned: true),
      numbers.depthMillimeters.factory.text(1, isSigned: true),
      numbers.depthMillimeters.measured.text(1, isSigned: true),
      numbers.distanceMillimeters.map { $0.fixed(0) } ?? "—",
      numbers.lengthPercent.factory.text(1, isSigned: true),
      numbers.lengthPercent.measured.text(1, isSigned: true),
    ]
  }
}
