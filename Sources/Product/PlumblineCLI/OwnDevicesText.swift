import Plumbline

/// The user's own measurements as a person reads them in a terminal of 80 columns.
struct OwnDevicesText {
  /// The text; `nil` where there is none of the model.
  let text: String?

  init(_ catalog: DeviceCatalog, model: String?, file: String?) {
    let pooled = catalog.pooledMeasurements(ofModel: model)
    guard !pooled.isEmpty else {
      text = nil
      return
    }
    var lines = ["Measured by you; these go before what is listed above."]
    if let file { lines.append("  [your list: \(printable(text: file))]") }
    for group in pooled { lines += Self.lines(group) }
    text = lines.joined(separator: "\n")
  }

  private static func lines(_ group: PooledMeasurements) -> [String] {
    var lines = ["", "  " + (group.configuration.model ?? "")]
    lines += group.configuration.words.wrapped(75).map { "    " + $0 }
    for measurement in group.measurements {
      let focal = measurement.focal
      let percent = 100 * (measurement.ratio - 1)
      lines.append(
        "    \(measurement.identifier)  " + (measurement.month ?? "month ?").padded(9)
          + "\(focal.factoryPixels.fixed(2)) → \(focal.measuredPixels.fixed(2)) ± "
          + "\(focal.sigmaPixels.fixed(2)) px  \(percent.signed(2)) ± "
          + "\((100 * measurement.ratioSigma).fixed(2)) %")
      let rest = measurement.lengthWords
      if let rest { lines.append("              " + rest) }
    }
    let count =
      "\(group.measurements.count.counting("session")) of \(group.deviceCount.counting("device")): "
    var sentence =
      count + "the stated focal length times \(group.ratio.fixed(4)) ± \(group.sigma.fixed(4))"
    if let sigma = group.sigmaInAnotherSession {
      sentence += "; in another session ± \(sigma.fixed(4))"
    }
    sentence += "; of another device ± \(group.sigmaOfAnotherDevice.fixed(4))"
    lines += sentence.wrapped(75).map { "    " + $0 }
    return lines
  }
}

extension DeviceConfiguration {
  /// What a measurement holds for besides the model.
  var words: String {
    var words = ["\(camera.rawValue) camera"]
    if interface != .unknown { words.append("through \(interface.rawValue)") }
    if let system { words.append("system \(system)") }
    if let referenceSize { words.append("\(referenceSize)") }
    switch isRectified {
    case true?: words.append("rectified")
    case false?: words.append("not rectified")
    case nil: break
    }
    return words.joined(separator: ", ")
  }
}

extension DeviceMeasurement {
  /// The measurement in one line.
  var line: String {
    "\(identifier) (\(configuration.model ?? "?"), "
      + "\((100 * (ratio - 1)).signed(2)) ± \((100 * ratioSigma).fixed(2)) %)"
  }

  /// Depth and lengths through the measured camera; `nil` without them.
  var lengthWords: String? {
    var words: [String] = []
    if let depth = measured.depthMillimeters, let sigma = measured.depthSigmaMillimeters {
      words.append("sensor−board \(depth.signed(2)) ± \(sigma.fixed(2)) mm")
    }
    if let length = measured.lengthPercent, let sigma = measured.lengthSigmaPercent {
      words.append("lengths \(length.signed(2)) ± \(sigma.fixed(2)) %")
    }
    words.append("\(frameCount) frames")
    return words.joined(separator: ", ")
  }
}
