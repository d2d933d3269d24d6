import ArgumentParser
import Plumbline

/// What is to be measured, as options of `measure`: all in pixels, or all in points of a cloud.
enum MeasurementRequests {
  case pixels([MeasurementRequest])
  case points([CloudMeasurementRequest])

  /// Joins requests of both kinds; none may be of the other kind.
  init(_ pixels: [MeasurementRequest], _ points: [CloudMeasurementRequest]) throws {
    guard pixels.isEmpty || points.isEmpty else { throw MixedPlaces.error }
    self = points.isEmpty ? .pixels(pixels) : .points(points)
  }

  /// How many they are.
  var count: Int {
    switch self {
    case .pixels(let requests): requests.count
    case .points(let requests): requests.count
    }
  }
}

extension MeasureCommand {
  /// What is to be measured in pixels, kind by kind.
  var pixelRequests: [MeasurementRequest] {
    func pixels(
      _ lists: [PlaceListArgument], _ request: ([NamedPixel]) -> MeasurementRequest
    ) -> [MeasurementRequest] {
      lists.compactMap { if case .pixels(let pixels) = $0 { request(pixels) } else { nil } }
    }
    func areas(
      _ areas: [AreaArgument], _ request: (MeasuredRectangle) -> MeasurementRequest
    ) -> [MeasurementRequest] {
      areas.compactMap { if case .rectangle(let area) = $0 { request(area) } else { nil } }
    }
    return pixels(points) { .point($0[0]) } + pixels(distances) { .distance($0[0], $0[1]) }
      + pixels(angles) { .angle($0[0], $0[1], $0[2]) }
      + areas(planes) { .plane($0) } + areas(boxes) { .box($0) }
      + heights.compactMap { height in
        if case .pixel(let pixel, let area) = height { .height(pixel, area) } else { nil }
      } + areas(volumes) { .volume($0) }
  }

  /// What is to be measured in points of a cloud, kind by kind.
  var pointRequests: [CloudMeasurementRequest] {
    func places(
      _ lists: [PlaceListArgument], _ request: ([SIMD3<Double>]) -> CloudMeasurementRequest
    ) -> [CloudMeasurementRequest] {
      lists.compactMap { if case .points(let places) = $0 { request(places) } else { nil } }
    }
    func regions(
      _ areas: [AreaArgument], _ request: (CloudRegion) -> CloudMeasurementRequest
    ) -> [CloudMeasurementRequest] {
      areas.compactMap { if case .region(let region) = $0 { request(region) } else { nil } }
    }
    return places(points) { .point($0[0]) } + places(distances) { .distance($0[0], $0[1]) }
      + places(angles) { .angle($0[0], $0[1], $0[2]) }
      + regions(planes) { .plane($0) } + regions(boxes) { .box($0) }
      + heights.compactMap { height in
        if case .point(let place, let region) = height { .height(place, region) } else { nil }
      } + regions(volumes) { .volume($0) } + self.areas.map { .area($0) }
      + sections.map { .section($0.plane) }
  }
}

/// What fits one kind of input and was given with the other; a matter of usage.
enum MeasuredInputError: CategorizedError, CustomStringConvertible {
  /// Points of a cloud were named in a capture.
  case pointsOfCapture
  /// Pixels were named in a cloud.
  case pixelsOfCloud
  /// An option that needs triangles was given with a capture.
  case optionOfMesh(String)
  /// A drawing was asked for without a plan.
  case drawingWithoutPlan
  /// The path of a drawing ends in neither of its formats.
  case drawingOfOtherFormat(String)
  /// An option that needs pixels or frames was given with a cloud, for this reason.
  case optionOfCapture(String, reason: String)

  var category: FailureCategory { .usage }

  var description: String {
    switch self {
    case .pointsOfCapture:
      "X,Y,Z is a point of a cloud, and this is a capture: write X,Y for a pixel of the photo as "
        + "shown, or depth:X,Y for one of the depth map as stored"
    case .pixelsOfCloud:
      "X,Y is a pixel, and this is a cloud, which has none: write X,Y,Z in meters in its frame"
    case .optionOfMesh(let option):
      "\(option) is of a mesh, and this is a capture: fuse it to a mesh first"
    case .drawingWithoutPlan:
      "a capture is measured on an image, a .png; .svg and .dxf are floor plans of meshes"
    case .drawingOfOtherFormat(let path):
      "a floor plan is written as .svg or .dxf, and “\(printable(text: path))” ends in neither"
    case .optionOfCapture(let option, let reason): "\(option) is not for a cloud: \(reason)"
    }
  }
}
