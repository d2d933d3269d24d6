import Plumbline

/// All facts of one device as a person reads them in a terminal of 80 columns.
struct DeviceText {
  private static let width = 79
  private(set) var lines: [String] = []

  var text: String {
    lines.map { line in
      var end = line.endIndex
      while end > line.startIndex, line[line.index(before: end)] == " " {
        end = line.index(before: end)
      }
      return String(line[..<end])
    }.joined(separator: "\n")
  }

  init(_ device: Device, in catalog: DeviceCatalog) {
    lines.append(device.name)
    if !device.aliases.isEmpty { add("also", device.aliases.joined(separator: ", ")) }
    if let hardware = device.identifiers {
      add("hardware", hardware.values.joined(separator: ", "), hardware)
    }
    let camera = [device.module, device.moduleAsPrinted.map { "printed “\($0)”" }, device.chip]
    if camera.contains(where: { $0 != nil }) {
      add("camera", camera.compactMap(\.self).joined(separator: ", "))
    }
    if let pixel = device.pixelSizeMillimeters {
      add("pixel", "\(pixel.value) mm", pixel)
    }
    if let correction = device.geometryCorrection {
      add(
        "rectified",
        correction.state == .enabled
          ? "yes: geometric distortion correction is on unless switched off"
          : "no: there is no geometric distortion correction", correction)
    }
    if let tested = device.tested {
      add("tested", "\(tested.count) with iOS \(tested.system)", tested)
    }
    for report in device.reports { add("reported", report.text, report) }
    if !device.isMeasured {
      add("measured", "by nobody in public; plumbline verify FOLDER does it with a board")
    }
    addCalibrations(device)
    addMeasurements(device)
    addFaults(device, catalog)
  }

  private mutating func addCalibrations(_ device: Device) {
    guard !device.calibrations.isEmpty else { return }
    lines.append("\n  Stated by the system, in pixels of the size given")
    for stated in device.calibrations {
      let name = [
        stated.interface.rawValue, stated.system, stated.specimen, stated.camera?.rawValue,
      ]
      lines.append("    " + name.compactMap(\.self).joined(separator: ", ") + source(of: stated))
      var parts = ["\(stated.size)".padded(11) + "f \(stated.focalLength.x.fixed(2))"]
      if let center = stated.principalPoint { parts[0] += "  c " + point(center) }
      if let center = stated.distortionCenter { parts[0] += "  lens " + point(center) }
      if let color = stated.color {
        parts.append(
          "\(color.size)".padded(11) + "f \(color.focalLength.x.fixed(2))  c "
            + point(color.principalPoint) + "  color")
      }
      lines += parts.map { "      " + $0 }
      if let note = stated.note { lines += note.wrapped(Self.width - 6).map { "      " + $0 } }
    }
  }

  private mutating func addMeasurements(_ device: Device) {
    guard !device.measurements.isEmpty else { return }
    lines.append("\n  Focal length in pixels at a width of 640, and % of what is stated")
    for measurement in device.measurements {
      let sigma = measurement.sigma.map { " ± \($0.fixed(1))" } ?? ""
      let value = measurement.measured.map { $0.fixed(2) + sigma } ?? "—"
      let percent = measurement.differencePercent.map { $0.signed(2) + " %" } ?? ""
      let rms = measurement.rmsPixels.map { "rms \($0.fixed(2)) px" } ?? ""
      lines.append(
        "    " + "\(measurement.factory.fixed(2)) → \(value)".padded(25) + percent.padded(9)
          + measurement.model.words.padded(24) + rms)
      let place = [measurement.specimen, measurement.system].compactMap(\.self)
      lines.append("      " + place.joined(separator: ", ") + source(of: measurement))
      if let note = measurement.note { lines += note.wrapped(Self.width - 6).map { "      " + $0 } }
    }
    if !device.depthBiases.isEmpty {
      lines.append("\n  Sensor minus board, which is posed with the focal length named")
    }
    for bias in device.depthBiases {
      lines.append(
        "    " + "\(bias.medianMillimeters.signed(2)) mm".padded(11)
          + "at \(bias.distanceMillimeters.fixed(0)) mm, \(bias.intrinsics)" + source(of: bias))
      if let note = bias.note { lines += note.wrapped(Self.width - 6).map { "      " + $0 } }
    }
  }

  private mutating func addFaults(_ device: Device, _ catalog: DeviceCatalog) {
    if !device.faults.isEmpty { lines.append("\n  Known faults") }
    for fault in device.faults {
      var text = fault.code.rawValue
      if let interface = fault.interface { text += ", \(interface.rawValue)" }
      if let factor = fault.factor { text += ", factor \(factor.fixed(6))" }
      if let percent = fault.lengthPercent { text += ", \(percent.fixed(2)) % of a length" }
      lines.append("    " + text)
      lines.append("    " + source(of: fault))
      if let note = fault.note { lines += note.wrapped(Self.width - 6).map { "      " + $0 } }
      guard fault.code == .focalBeforeCorrection, let interface = fault.interface else { continue }
      var source = CaptureSource(camera: .trueDepth, interface: interface)
      source.model = device.name
      if let correction = catalog.focalCorrection(for: source) {
        let ratio =
          "multiply the stated focal length by \(correction.ratio.fixed(4)) ± "
          + "\(correction.sigma.fixed(4)) [\(correction.confidence.rawValue): \(correction.basis)]"
        lines += ratio.wrapped(Self.width - 6).map { "      " + $0 }
      }
    }
  }

  private mutating func add(_ name: String, _ text: String, _ fact: (any SourcedFact)? = nil) {
    var text = text
    if let fact {
      if let note = fact.note { text += "; " + note }
      text += source(of: fact)
    }
    let rows = text.wrapped(Self.width - 13)
    lines.append("  " + name.padded(11) + rows[0])
    lines += rows.dropFirst().map { String(repeating: " ", count: 13) + $0 }
  }

  private func source(of fact: any SourcedFact) -> String {
    "  [\(fact.confidence.rawValue): \(fact.source)]"
  }

  private func point(_ point: SIMD2<Double>) -> String {
    "(\(point.x.fixed(2)), \(point.y.fixed(2)))"
  }
}

extension FocalMeasurement.Model {
  /// The camera model that the focal length was measured with, in a few words.
  var words: String {
    switch self {
    case .focalOnly: "focal length only"
    case .polynomial: "with k1, k2, k3"
    case .undistortingTable: "through inverse table"
    case .distortingTable: "through forward table"
    }
  }
}
