import Plumbline

/// Devices as a person reads them in a terminal of 80 columns: one line each.
struct DeviceListText {
  let text: String

  init(_ devices: [Device]) {
    var lines = [
      "  " + "device".padded(39) + "measured − stated  known faults",
      "  " + "".padded(39) + "focal length",
    ]
    for device in devices {
      var words: [String] = []
      for fault in device.faults where !words.contains(fault.code.word) {
        words.append(fault.code.word)
      }
      lines.append(
        "  " + device.name.padded(39) + Self.difference(device).padded(19)
          + (words.isEmpty ? "none known" : words.joined(separator: ", ")))
    }
    lines += [
      "",
      "  focal: stated before geometric distortion correction  zoom, mirror: ARKit",
      "  drift: changes with the system   turned: sensor   file: contradicts itself",
      "  plumbline devices MODEL prints all facts of one, with source and confidence.",
    ]
    text = lines.joined(separator: "\n")
  }

  /// The advice for a device that is in no list.
  static func unknown(_ model: String) -> String {
    """
    note: nothing is known of “\(printable(text: model))”; its ± is that of similar devices.
      Measure it: print or show a ChArUco board, take about 20 images of it from
      different sides, and run
        plumbline verify FOLDER
      which says whether the stated focal length fits, with its ±.
    """
  }

  private static func difference(_ device: Device) -> String {
    let percents = device.measurements.filter { $0.model == .focalOnly }
      .compactMap(\.differencePercent)
    guard let least = percents.min(), let most = percents.max() else { return "not measured" }
    let (a, b) = (least.signed(1), most.signed(1))
    return a == b ? "\(a) %" : "\(a) … \(b) %"
  }
}

extension DeviceFault.Code {
  /// One word for a column.
  var word: String {
    switch self {
    case .focalBeforeCorrection: "focal"
    case .arkitZoom: "zoom"
    case .arkitMirrored: "mirror"
    case .focalDrift: "drift"
    case .calibrationInconsistent: "file"
    case .orientation: "turned"
    }
  }
}

extension String {
  /// The text with spaces up to a width, one at least.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(isEmpty ? width : 1, width - count))
  }

  /// The text broken at spaces into lines of at most so many characters.
  func wrapped(_ width: Int) -> [String] {
    var lines = [""]
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Double {
  /// The number with its sign, also when it is positive.
  func signed(_ decimals: Int) -> String { (self > 0 ? "+" : "") + fixed(decimals) }
}
