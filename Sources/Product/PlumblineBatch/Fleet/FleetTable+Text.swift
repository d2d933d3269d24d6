import Plumbline

extension FleetTable {
  /// The tables as a person reads them in a terminal of 80 columns, safe to print.
  public var text: String {
    var lines: [String] = []
    for group in groups {
      if !lines.isEmpty { lines.append("") }
      lines += FleetGroupText(group).lines
    }
    if !unused.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append("\(unused.count.counting("session")) without a measured focal length")
      for session in unused {
        lines.append("  \(session.path)")
        lines += FleetGroupText.wrapped(session.reason, 4)
      }
    }
    return (lines.isEmpty ? ["no sessions"] : lines).joined(separator: "\n")
  }
}

/// One group as lines of text.
struct FleetGroupText {
  let group: FleetGroup

  init(_ group: FleetGroup) { self.group = group }

  var lines: [String] {
    var lines = [group.title]
    lines += [
      "  " + group.words,
      "  \(group.devices.count.counting("device")), \(group.sessionCount.counting("session")): "
        + "\(group.fitCount) fit, \(group.misfitCount) do not fit, "
        + "\(group.undecidedCount) cannot tell",
      "",
    ]
    lines += table + [""]
    lines += Self.wrapped(group.scatterSentence, 2) + Self.wrapped(group.otherDeviceSentence, 2)
    if !group.outliers.isEmpty { lines.append("") }
    for outlier in group.outliers {
      lines += ["  outlier: \(outlier.session)"] + Self.wrapped(outlier.sentence, 4)
    }
    return lines
  }

  /// A sentence in lines of at most 80 columns where its words allow it.
  static func wrapped(_ sentence: String, _ indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    var lines = [space]
    for word in sentence.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.count == indent {
        lines[lines.count - 1] += word
      } else if line.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(space + word)
      }
    }
    return lines
  }

  /// A row for each device with the number of its sessions, then one for all.
  private var table: [String] {
    let heads = [
      ["device", "of", "stated f", "measured f", "difference", "sensor−board", "lengths"],
      ["", "", "px", "px", "%", "mm", "%"],
    ]
    var rows = heads
    for device in group.devices {
      rows.append(
        ["\(device.number)", "\(device.sessions.count)"] + Self.cells(device.numbers))
    }
    if group.devices.count > 1 {
      rows.append(["all", "\(group.sessionCount)"] + Self.cells(group.numbers))
    }
    let widths = heads[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      "  "
        + zip(row, widths).map { cell, width in
          String(repeating: " ", count: width - cell.count) + cell
        }.joined(separator: "  ")
    }
  }

  private static func cells(_ numbers: FleetGroup.Numbers) -> [String] {
    [
      numbers.factoryFocal.map { $0.value.fixed(2) } ?? "—",
      numbers.measuredFocal.text(2), numbers.differencePercent.text(2, isSigned: true),
      numbers.depthMillimeters.measured.text(1, isSigned: true),
      numbers.lengthPercent.measured.text(1, isSigned: true),
    ]
  }
}

extension FleetGroup {
  /// The model, or that it is not named.
  var title: String { configuration.model ?? "Device not named" }

  /// What the group shares besides the model.
  var words: String {
    var words: [String] = []
    words.append(configuration.system.map { "system \($0)" } ?? "system not known")
    if configuration.interface != .unknown { words.append(configuration.interface.rawValue) }
    if configuration.camera != .unknown { words.append(configuration.camera.rawValue) }
    if let size = configuration.referenceSize { words.append("\(size)") }
    switch configuration.isRectified {
    case true?: words.append("rectified")
    case false?: words.append("not rectified")
    case nil: break
    }
    return words.joined(separator: ", ")
  }

  /// How much sessions and devices scatter.
  var scatterSentence: String {
    let sessions =
      sessionScatterPercent.map { "\($0.fixed(2))\u{A0}%" } ?? "not known from one each"
    let devices = deviceScatterPercent.map { "\($0.fixed(2))\u{A0}%" } ?? "not known from one"
    return "Scatter of the difference (1 σ): between sessions \(sessions), "
      + "between devices \(devices)."
  }

  /// What a device that was not measured gets.
  var otherDeviceSentence: String {
    let mean = numbers.differencePercent.map { $0.value.signed(2) } ?? "—"
    return
      "Another device of this model: \(mean) ± \(otherDevicePlusMinusPercent.fixed(2))\u{A0}%."
  }
}

extension FleetGroup.Outlier {
  /// Why it is one.
  var sentence: String {
    let others = comparedWith == "devices" ? "all devices" : "the sessions of device \(device)"
    return "device \(device): \(percent.signed(2)) %, where the median of \(others) is "
      + "\(medianPercent.signed(2)) ± \(limitPercent.fixed(2)) % (3 σ)"
  }
}

extension FleetMean? {
  /// The number with its ±, or a dash.
  func text(_ decimals: Int, isSigned: Bool = false) -> String {
    guard let self else { return "—" }
    let value = isSigned ? self.value.signed(decimals) : self.value.fixed(decimals)
    return "\(value) ± \(self.plusMinus.fixed(decimals))"
  }
}

extension Double {
  /// The number with its sign, also when it is positive.
  func signed(_ decimals: Int) -> String {
    let text = fixed(decimals)
    return (self > 0 && text.contains { ("1"..."9").contains($0) } ? "+" : "") + text
  }
}
