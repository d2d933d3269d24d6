/// The type of a map's numbers in a message.
enum StreamSamples: String, CaseIterable {
  case uint8
  case uint16
  case float16
  case float32

  /// The bytes of one number.
  var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// What producers call depth of this type.
  func storedType(kind: String) -> String {
    switch (self, kind) {
    case (.uint8, _): "u8"
    case (.uint16, _): "u16"
    case (.float16, "disparity"): "hdis"
    case (.float16, _): "hdep"
    case (.float32, "disparity"): "fdis"
    case (.float32, _): "fdep"
    }
  }
}
