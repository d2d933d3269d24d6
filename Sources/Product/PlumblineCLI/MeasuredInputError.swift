import Plumbline

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
