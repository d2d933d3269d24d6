import Plumbline

/// What is measured: the settings of `measure`.
struct MeasurementSettings {
  /// The measurements, kind by kind: at pixels, or at points of a cloud or mesh.
  let requests: MeasurementRequests

  /// Reads what to measure.
  init(_ settings: inout Settings) throws {
    var requests: [PlacedRequest] = []
    for kind in MeasurementKind.allCases {
      requests += try settings.parsedTexts(
        kind.rawValue, atMost: MeasurementRequests.maximumCount, kind.request)
    }
    guard requests.count <= MeasurementRequests.maximumCount else {
      throw Settings.wrong(
        "point", expected: "at most \(MeasurementRequests.maximumCount) measurements",
        found: "\(requests.count)")
    }
    do throws(SettingTextError) {
      self.requests = try MeasurementRequests(requests)
    } catch {
      throw InterfaceError.usage("settings", expected: error.expected, found: error.found)
    }
  }

  /// Refuses settings that ask for nothing.
  func requireAny(besides other: String? = nil) throws {
    guard requests.count > 0 else {
      let kinds = MeasurementKind.allCases.dropFirst().map(\.rawValue) + [other].compactMap(\.self)
      throw Settings.wrong(
        "point", expected: "this or \(kinds.joined(separator: ", "))", found: "none")
    }
  }

  /// The measurements in a capture.
  ///
  /// - Throws: A matter of usage for points of a cloud.
  func pixels() throws -> [MeasurementRequest] {
    guard case .pixels(let requests) = requests else {
      throw InterfaceError.usage(
        "settings",
        expected: "X,Y of pixels of the photo, or depth:X,Y of the map, since this is a capture",
        found: "points of a cloud")
    }
    return requests
  }

  /// The measurements in a cloud or mesh.
  ///
  /// - Throws: A matter of usage for pixels.
  func points() throws -> [CloudMeasurementRequest] {
    switch requests {
    case .points(let requests): return requests
    case .pixels(let requests) where requests.isEmpty: return []
    case .pixels:
      throw InterfaceError.usage(
        "settings", expected: "X,Y,Z in meters in its frame, since this is a cloud or mesh",
        found: "pixels")
    }
  }
}
