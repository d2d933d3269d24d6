public import PlumblineVerification
public import PlumblineIO
import PlumblineModel

extension DeviceCatalog {
  /// The document `plumbline.devices/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameters:
  ///   - model: A name of a device or a part of one; `nil` for all devices.
  ///   - ownFile: The path of the file that the user's own measurements are from; `nil` for none.
  /// - Returns: The document; `devices` is empty for a model that is not known, and `note` says what
  ///   to do then.
  public func document(model: String?, ownFile: String? = nil) -> JSONValue {
    let found = model.map { name in
      device(named: name).map { [$0] } ?? devices(matching: name)
    }
    let listed = found ?? devices
    let note =
      "nothing is known of this device; " + Remedy.verifyWithBoard.sentence
    let cited = sources.map { source -> JSONValue in
      .object([
        ("id", .string(source.id)), ("title", .string(source.title)),
        ("place", .string(source.place)),
      ])
    }
    let resolved = resolutions.map { resolution -> JSONValue in
      .object([
        ("id", .string(resolution.id)), ("printed", .string(resolution.printed)),
        ("taken", .string(resolution.taken)), ("why", .string(resolution.why)),
      ])
    }
    let own = pooledMeasurements(ofModel: model)
    return .object([
      ("schema", "plumbline.devices/1"),
      ("model", .string(model)),
      ("devices", .array(listed.map { document(of: $0) })),
      (
        "own",
        .object([("file", .string(ownFile)), ("configurations", .array(own.map(\.document)))])
      ),
      ("note", .string(listed.isEmpty && own.isEmpty ? note : nil)),
      ("sources", .array(cited)),
      ("resolutions", .array(model == nil ? resolved : [])),
    ])
  }

  private func document(of device: Device) -> JSONValue {
    var members = device.identity
    members.append(("calibrations", .array(device.calibrations.map(\.document))))
    members.append(("measurements", .array(device.measurements.map(\.document))))
    members.append(("depthBiases", .array(device.depthBiases.map(\.document))))
    members.append(("faults", .array(device.faults.map { document(of: $0, device) })))
    let reports = device.reports.map { $0.sourced([("text", .string($0.text))]) }
    members.append(("reports", .array(reports)))
    return .object(members)
  }

  private func document(of fault: DeviceFault, _ device: Device) -> JSONValue {
    var correction: FocalCorrection?
    if fault.code == .focalBeforeCorrection, let interface = fault.interface {
      var source = CaptureSource(camera: .trueDepth, interface: interface)
      source.model = device.name
      correction = focalCorrection(for: source)
    }
    return fault.sourced([
      ("code", .string(fault.code.rawValue)),
      ("interface", .string(fault.interface?.rawValue)),
      ("factor", .number(fault.factor)),
      ("lengthPercent", .number(fault.lengthPercent)),
      ("focalCorrection", correction?.document ?? .null),
    ])
  }
}

extension FocalCorrection {
  fileprivate var document: JSONValue {
    .object([
      ("ratio", .number(ratio)), ("sigma", .number(sigma)), ("basis", .string(basis)),
      ("confidence", .string(confidence.rawValue)),
    ])
  }
}

extension Device {
  /// Names and parts of the device.
  fileprivate var identity: [(key: String, value: JSONValue)] {
    let hardware = identifiers.map { fact in
      fact.sourced([("values", .array(fact.values.map { .string($0) }))])
    }
    let specimens = tested.map { fact in
      fact.sourced([("count", .integer(fact.count)), ("system", .string(fact.system))])
    }
    let pixel = pixelSizeMillimeters.map { $0.sourced([("value", .number($0.value))]) }
    let rectified = geometryCorrection.map { $0.sourced([("state", .string($0.state.rawValue))]) }
    return [
      ("name", .string(name)),
      ("aliases", .array(aliases.map { .string($0) })),
      ("identifiers", hardware ?? .null),
      ("chip", .string(chip)),
      ("module", .string(module)),
      ("moduleAsPrinted", .string(moduleAsPrinted)),
      ("tested", specimens ?? .null),
      ("pixelSizeMillimeters", pixel ?? .null),
      ("geometryCorrection", rectified ?? .null),
    ]
  }
}

extension DepthBias {
  fileprivate var document: JSONValue {
    sourced([
      ("intrinsics", .string(intrinsics)),
      ("distanceMillimeters", .number(distanceMillimeters)),
      ("medianMillimeters", .number(medianMillimeters)),
    ])
  }
}

extension SourcedFact {
  /// The members of a fact, then where it comes from.
  fileprivate func sourced(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
    .object(
      members + [
        (key: "source", value: .string(source)),
        (key: "confidence", value: .string(confidence.rawValue)),
        (key: "note", value: .string(note)),
      ])
  }
}

extension FactoryCalibration {
  fileprivate var document: JSONValue {
    sourced([
      ("specimen", .string(specimen)),
      ("interface", .string(interface.rawValue)),
      ("camera", .string((camera ?? .trueDepth).rawValue)),
      ("system", .string(system)),
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("focalLength", .numbers([focalLength.x, focalLength.y])),
      ("principalPoint", .numbers(principalPoint.map { [$0.x, $0.y] })),
      ("distortionCenter", .numbers(distortionCenter.map { [$0.x, $0.y] })),
      ("color", color?.document ?? .null),
    ])
  }
}

extension FactoryCalibration.ColorIntrinsics {
  fileprivate var document: JSONValue {
    .object([
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("focalLength", .numbers([focalLength.x, focalLength.y])),
      ("principalPoint", .numbers([principalPoint.x, principalPoint.y])),
    ])
  }
}

extension FocalMeasurement {
  fileprivate var document: JSONValue {
    sourced([
      ("specimen", .string(specimen)),
      ("system", .string(system)),
      ("model", .string(model.rawValue)),
      ("rectified", .bool(isRectified)),
      ("width", 640),
      ("factoryPixels", .number(factory)),
      ("measuredPixels", .number(measured)),
      ("sigmaPixels", .number(sigma)),
      ("rmsPixels", .number(rmsPixels)),
      ("differencePercent", .number(differencePercent)),
      ("printedPercent", .number(printedPercent)),
    ])
  }
}

extension PooledMeasurements {
  /// One entry of `own.configurations`.
  fileprivate var document: JSONValue {
    let entries = measurements.map { measurement -> JSONValue in
      .object([
        ("id", .string(measurement.identifier)), ("measurement", measurement.document),
      ])
    }
    return .object([
      ("device", configuration.document),
      ("devices", .integer(deviceCount)),
      ("sessions", .integer(measurements.count)),
      ("ratio", .number(ratio)),
      ("sigma", .number(sigma)),
      ("sigmaInAnotherSession", .number(sigmaInAnotherSession)),
      ("sigmaOfAnotherDevice", .number(sigmaOfAnotherDevice)),
      ("sessionScatter", .number(sessionScatter)),
      ("deviceScatter", .number(deviceScatter)),
      ("measurements", .array(entries)),
    ])
  }
}
