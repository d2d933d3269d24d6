import ArgumentParser
import Plumbline

struct DevicesCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Print what is known of the depth cameras of devices, with source and confidence.",
    discussion: """
      Without a model, one line for each device. MODEL is any of its names, in any case and \
      spacing: as EXIF has it, iPad13,8, iPad 12.9" 5gen, or a part of it. A device that nobody \
      has measured is a note and no error.

        plumbline verify frames --share ipad.json
        plumbline devices --add ipad.json

      keeps what was measured of an own device: from then on check, correct and all that analyze \
      captures take its focal length, with its ±, for captures of the same model, camera, interface, \
      size and version of the system. Measurements of others can be added as well.
      """)

  @Argument(help: "A name of the device, or a part of one.")
  var model: String?

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp(
      "Keep a measurement that verify --share wrote; repeatable.", valueName: "FILE"),
    completion: .file(extensions: ["json"]))
  var additions: [String] = []

  @Option(
    name: .customLong("remove"),
    help: ArgumentHelp(
      "Remove one of your measurements, by the number in the list, or all of a model; repeatable.",
      valueName: "NUMBER|MODEL"))
  var removals: [String] = []

  @Option(help: OwnCatalog.help, completion: .file(extensions: ["json"]))
  var catalog: String?

  @OptionGroup var printing: DocumentOptions<DevicesCommand>

  func validate() throws {
    guard model == nil || additions.isEmpty && removals.isEmpty else {
      throw ValidationError("--add and --remove change your list; print a model by itself.")
    }
  }

  func run() throws {
    throw try CommandExit.running(catalog ?? "devices") {
      let own = OwnCatalog.file(catalog)
      let changes = try change(own)
      // A file that was named must be there, unless this run has just written or emptied it.
      let devices = changes.isEmpty ? try OwnCatalog.devices(catalog) : try own?.catalog ?? .bundled
      printing.print(devices.document(model: model, ownFile: own?.path)) {
        for line in changes { StandardOutput.print(line) }
        if changes.isEmpty { StandardOutput.print(text(of: devices, ownFile: own?.path)) }
      }
      return .success
    }
  }

  /// Adds and removes measurements; one line for each.
  private func change(_ own: UserDeviceCatalog?) throws -> [String] {
    guard !additions.isEmpty || !removals.isEmpty else { return [] }
    guard let own else {
      throw DeviceMeasurementError(
        .missing, expected: "PLUMBLINE_DEVICES or HOME, which say where your list is",
        found: "neither is set")
    }
    // All are read before the list changes, so that a damaged one leaves it as it is.
    var limits = ReadingLimits()
    limits.fileBytes = DeviceMeasurement.byteLimit
    let measurements = try additions.map { path in
      do {
        return try DeviceMeasurement(parsing: InputFile(path: path, limits: limits).bytes)
      } catch var error as DeviceMeasurementError {
        error.file = path
        throw error
      }
    }
    let place = printable(text: own.path)
    var lines: [String] = []
    if !removals.isEmpty {
      lines += try own.remove(removals).map { "removed \($0.line) from \(place)" }
    }
    if !measurements.isEmpty {
      let new = try own.add(measurements)
      lines += measurements.map { measurement in
        new.contains(measurement)
          ? "added \(measurement.line) to \(place)"
          : "\(measurement.line) is in \(place) already"
      }
    }
    return lines
  }

  /// The device of that name, those whose names hold it, all without a name, or what to do.
  private func text(of catalog: DeviceCatalog, ownFile: String?) -> String {
    let own = OwnDevicesText(catalog, model: model, file: ownFile).text.map { "\n\n" + $0 } ?? ""
    guard let model else { return DeviceListText(catalog.devices).text + own }
    if let device = catalog.device(named: model) {
      return DeviceText(device, in: catalog).text + own
    }
    let found = catalog.devices(matching: model)
    return switch found.count {
    case 0: own.isEmpty ? DeviceListText.unknown(model) : String(own.dropFirst(2))
    case 1: DeviceText(found[0], in: catalog).text + own
    default: DeviceListText(found).text + own
    }
  }
}

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
  /// The fault's short name in the list of devices, whose last lines explain it.
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
