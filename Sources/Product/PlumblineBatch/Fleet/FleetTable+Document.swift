public import Plumbline

extension FleetTable {
  /// The document `plumbline.fleet/1`, as `Documentation/cli.md` describes it; what is unknown is `null`.
  ///
  /// - Parameter report: The path of the page; `nil` when none was written.
  /// - Returns: The document; the same documents give the same bytes, in whatever order they came.
  public func document(report: String? = nil) -> JSONValue {
    .object([
      ("schema", .string(Self.schema)),
      ("sessions", .integer(sessionCount)),
      ("groups", .array(groups.map(\.document))),
      (
        "unused",
        .array(
          unused.map {
            .object([("path", .string($0.path)), ("reason", .string($0.reason))])
          })
      ),
      ("outputs", .object([("report", .string(report))])),
    ])
  }
}

extension FleetGroup {
  /// One entry of `groups`.
  var document: JSONValue {
    .object(
      [
        ("device", configuration.document),
        ("devices", .integer(devices.count)),
        ("sessions", .integer(sessionCount)),
        (
          "verdicts",
          .object([
            ("fits", .integer(fitCount)), ("doesNotFit", .integer(misfitCount)),
            ("cannotTell", .integer(undecidedCount)),
          ])
        ),
      ] + numbers.members + [
        ("otherDevicePlusMinusPercent", .number(otherDevicePlusMinusPercent)),
        ("sessionScatterPercent", .number(sessionScatterPercent)),
        ("deviceScatterPercent", .number(deviceScatterPercent)),
        ("rows", .array(devices.map(\.document))),
        ("outliers", .array(outliers.map(\.document))),
      ])
  }
}

extension FleetGroup.DeviceRow {
  /// One entry of `rows`.
  fileprivate var document: JSONValue {
    .object(
      [
        ("number", .integer(number)),
        ("sessions", .array(sessions.map { .string($0) })),
      ] + numbers.members)
  }
}

extension FleetGroup.Numbers {
  /// The numbers of a device or of all, each a value with its ±.
  fileprivate var members: [(key: String, value: JSONValue)] {
    [
      ("factoryFocalPixels", factoryFocal.document),
      ("measuredFocalPixels", measuredFocal.document),
      ("differencePercent", differencePercent.document),
      ("depthMillimeters", depthMillimeters.document),
      ("distanceMillimeters", .number(distanceMillimeters)),
      ("lengthPercent", lengthPercent.document),
    ]
  }
}

extension FleetGroup.Pair {
  fileprivate var document: JSONValue {
    .object([("factory", factory.document), ("measured", measured.document)])
  }
}

extension FleetGroup.Outlier {
  fileprivate var document: JSONValue {
    .object([
      ("session", .string(session)), ("device", .integer(device)),
      ("differencePercent", .number(percent)), ("medianPercent", .number(medianPercent)),
      ("limitPercent", .number(limitPercent)), ("comparedWith", .string(comparedWith)),
    ])
  }
}

extension FleetMean? {
  fileprivate var document: JSONValue {
    guard let self else { return .null }
    return .object([
      ("value", .number(self.value)), ("plusMinus", .number(self.plusMinus)),
      ("scatter", .number(self.scatter)), ("of", .integer(self.count)),
    ])
  }
}
