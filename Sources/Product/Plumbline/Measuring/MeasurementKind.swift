/// What can be measured at places that a user names, by the names of its settings.
package enum MeasurementKind: String, CaseIterable, Sendable {
  case point, distance, angle, plane, box, height, volume, area, section

  /// Reads the places of one measurement: pixels of a capture, or points of a cloud or mesh.
  package func request(parsing text: String) throws(SettingTextError) -> PlacedRequest {
    switch self {
    case .point: try .places(text, 1, { .point($0[0]) }, { .point($0[0]) })
    case .distance:
      try .places(text, 2, { .distance($0[0], $0[1]) }, { .distance($0[0], $0[1]) })
    case .angle:
      try .places(
        text, 3, { .angle($0[0], $0[1], $0[2]) }, { .angle($0[0], $0[1], $0[2]) })
    case .plane: try .area(text, { .plane($0) }, { .plane($0) })
    case .box: try .area(text, { .box($0) }, { .box($0) })
    case .volume: try .area(text, { .volume($0) }, { .volume($0) })
    case .height: try .height(text)
    case .area:
      switch try AreaText(parsing: text) {
      case .region(let region): .points(.area(region))
      case .rectangle:
        throw SettingTextError(
          "the part of a mesh as X,Y,Z,WxHxD in meters, or all", found: text)
      }
    case .section: .points(.section(try SectionPlane(parsing: text)))
    }
  }
}

/// One measurement with its places: in pixels, or in points of a cloud.
package enum PlacedRequest: Hashable, Sendable {
  /// At pixels of a capture.
  case pixels(MeasurementRequest)
  /// At points of a cloud or mesh.
  case points(CloudMeasurementRequest)

  fileprivate static func places(
    _ text: String, _ count: Int, _ pixels: ([NamedPixel]) -> MeasurementRequest,
    _ points: ([SIMD3<Double>]) -> CloudMeasurementRequest
  ) throws(SettingTextError) -> PlacedRequest {
    switch try PlaceList(parsing: text, count: count) {
    case .pixels(let places): .pixels(pixels(places))
    case .points(let places): .points(points(places))
    }
  }

  fileprivate static func area(
    _ text: String, _ rectangle: (MeasuredRectangle) -> MeasurementRequest,
    _ region: (CloudRegion) -> CloudMeasurementRequest
  ) throws(SettingTextError) -> PlacedRequest {
    switch try AreaText(parsing: text) {
    case .rectangle(let area): .pixels(rectangle(area))
    case .region(let area): .points(region(area))
    }
  }

  /// A point and the area of a plane: `X,Y:X,Y,WxH`, of a cloud `X,Y,Z:X,Y,Z,WxHxD`.
  fileprivate static func height(_ text: String) throws(SettingTextError) -> PlacedRequest {
    let parts = PlaceList.parts(of: text)
    guard parts.count == 2 else {
      throw SettingTextError(
        "the point first, then the area of the plane: X,Y:X,Y,WxH, or of a cloud "
          + "X,Y,Z:X,Y,Z,WxHxD", found: text)
    }
    return switch (PointText.isOne(parts[0]), try AreaText(parsing: parts[1])) {
    case (false, .rectangle(let rectangle)):
      .pixels(.height(try NamedPixel(parsing: parts[0]), rectangle))
    case (true, .region(let region)): .points(.height(try PointText.point(parts[0]), region))
    case (true, .rectangle), (false, .region): throw SettingTextError.mixedPlaces(text)
    }
  }
}

/// All measurements of one call: all in pixels, or all in points.
package enum MeasurementRequests: Sendable {
  /// At pixels of a capture; also where there are none at all.
  case pixels([MeasurementRequest])
  /// At points of a cloud or mesh.
  case points([CloudMeasurementRequest])

  /// The most measurements of one call.
  package static let maximumCount = 1000

  /// Joins measurements, which must be of one kind.
  package init(_ requests: [PlacedRequest]) throws(SettingTextError) {
    var (pixels, points): ([MeasurementRequest], [CloudMeasurementRequest]) = ([], [])
    for request in requests {
      switch request {
      case .pixels(let request): pixels.append(request)
      case .points(let request): points.append(request)
      }
    }
    guard pixels.isEmpty || points.isEmpty else {
      throw .mixedPlaces(
        "\(pixels.first.map(\.description) ?? ""), \(points.first.map(\.description) ?? "")")
    }
    self = points.isEmpty ? .pixels(pixels) : .points(points)
  }

  /// How many they are.
  package var count: Int {
    switch self {
    case .pixels(let requests): requests.count
    case .points(let requests): requests.count
    }
  }
}
