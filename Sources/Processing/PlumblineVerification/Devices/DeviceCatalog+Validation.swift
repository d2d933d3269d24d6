import PlumblineIO

extension DeviceCatalog {
  /// Checks that the members fit together: sources exist, names are unique, numbers are possible.
  func validate() throws(DeviceCatalogError) {
    let known = Set(sources.map(\.id))
    var owners: [String: String] = [:]
    for device in devices {
      for key in Set(device.keys) {
        if let owner = owners.updateValue(device.name, forKey: key) {
          throw DeviceCatalogError(
            .inconsistent, path: device.name, expected: "names of one device",
            found: "“\(key)”, which is \(owner) too")
        }
      }
      for fact in device.facts {
        let id = fact.source.prefix { $0 != "," }
        guard known.contains(String(id)) else {
          throw DeviceCatalogError(
            .inconsistent, path: device.name, expected: "a listed source", found: fact.source)
        }
      }
      try validateNumbers(of: device)
    }
  }

  private func validateNumbers(of device: Device) throws(DeviceCatalogError) {
    var numbers: [Double] = []
    for calibration in device.calibrations {
      for focal in [calibration.focalLength, calibration.color?.focalLength ?? [1, 1]] {
        numbers += [focal.x, focal.y]
      }
    }
    for measurement in device.measurements {
      numbers += [measurement.factory, measurement.measured ?? 1, measurement.sigma ?? 1]
    }
    numbers += device.depthBiases.map(\.distanceMillimeters)
    numbers += device.faults.compactMap(\.factor)
    for number in numbers where !(number > 0 && number < 1e5) {
      throw DeviceCatalogError(
        .inconsistent, path: device.name, expected: "focal lengths and factors above 0",
        found: "\(number)")
    }
  }
}

/// An error in a device catalog.
public struct DeviceCatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble.
  public enum Reason: String, Sendable, CaseIterable {
    /// No JSON, or a member is missing or of another type.
    case malformed
    /// The members are there and do not fit together.
    case inconsistent
  }

  /// The kind of trouble.
  public var reason: Reason
  /// The position in the document, such as `devices.3.measurements.0`.
  public var path: String
  /// What was expected there.
  public var expected: String
  /// What was found there.
  public var found: String

  init(_ reason: Reason, path: String, expected: String, found: String) {
    self.reason = reason
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// The error in one line.
  public var description: String {
    "device catalog, \(path): expected \(expected), found \(found)"
  }

  init(_ error: JSONReadingError) {
    let place = error.offset.map { "byte \($0)" }
    self.init(
      .malformed, path: (error.path + [place].compactMap(\.self)).joined(separator: "."),
      expected: error.expected, found: error.found)
  }
}
