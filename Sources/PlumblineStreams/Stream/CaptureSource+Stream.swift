package import PlumblineIO
import PlumblineModel

extension CaptureSource {
  /// The source as the object that `Documentation/formats/stream.md` describes.
  var streamJSON: JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    let texts = [
      ("make", make), ("model", model), ("lensModel", lensModel), ("system", system),
      ("capturedAt", capturedAt),
    ]
    for (key, text) in texts where text != nil { members.append((key, .string(text))) }
    members += [("camera", .string(camera.rawValue)), ("interface", .string(interface.rawValue))]
    if let isGeometryCorrected { members.append(("geometryCorrected", .bool(isGeometryCorrected))) }
    return .object(members)
  }

  /// Reads such an object; words that are not known mean `unknown`.
  ///
  /// - Throws: `.malformed` for members of another type.
  package init(stream fields: JSONFields) throws(JSONReadingError) {
    self.init(
      camera: try fields.text("camera").flatMap { Camera(rawValue: $0) } ?? .unknown,
      interface: try fields.text("interface").flatMap { Interface(rawValue: $0) } ?? .unknown)
    make = try fields.text("make").map { printable(text: $0) }
    model = try fields.text("model").map { printable(text: $0) }
    lensModel = try fields.text("lensModel").map { printable(text: $0) }
    system = try fields.text("system").map { printable(text: $0) }
    capturedAt = try fields.text("capturedAt").map { printable(text: $0) }
    isGeometryCorrected = try fields.flag("geometryCorrected")
  }
}
