import PlumblineIO
import PlumblineInference

extension RuntimeDescription {
  /// The `runtime` of a document: `name`, `version`, `device`.
  var document: JSONValue {
    .object([
      ("name", .string(name)), ("version", .string(version)), ("device", .string(device)),
    ])
  }
}
