extension ResultRow {
  /// What the captures of a batch are counted by: the verdict, `done` without one, `failed` without a result.
  var verdictKey: String { state == .failed ? "failed" : verdict ?? "done" }

  /// The model and which of its cameras, as in `iPhone X, TrueDepth`; `nil` if neither is known.
  ///
  /// Cameras of one phone are kept apart, since their depths differ by more than those of two phones.
  var device: String? {
    let camera = camera.map { Self.cameraWords[$0] ?? $0 }
    guard let model else { return camera.map { "\($0), model not named" } }
    return camera.map { "\(model), \($0)" } ?? model
  }

  private static let cameraWords = [
    "trueDepth": "TrueDepth", "dual": "dual camera", "dualWide": "dual wide camera",
    "lidar": "LiDAR", "stereo": "stereo camera",
  ]

  /// Why the capture failed, without what differs between captures: numbers, and the path itself; `nil` unless
  /// it failed.
  var failureReason: String? {
    guard state == .failed, let error else { return nil }
    if let expected = error.expected {
      return "Expected \(Self.withoutNumbers(expected.prefix(Self.reasonCharacters)))"
    }
    let message = error.message.split(separator: path, omittingEmptySubsequences: false)
      .joined(separator: "…")
    return String(message.prefix(Self.reasonCharacters))
  }

  private static let reasonCharacters = 200

  /// The text with `…` for each number, and for bytes that are written as `\xNN`; digits of a name such as
  /// `hvc1` stay.
  private static func withoutNumbers(_ text: Substring) -> String {
    var result = ""
    var (isInNumber, isInName) = (false, false)
    var characters = text[...]
    while let character = characters.first {
      let isByte = characters.hasPrefix("\\x")
      let isDigit = character.isASCII && character.isNumber
      isInName = character.isLetter || (isInName && isDigit && !isInNumber)
      if isByte || (isDigit && !isInName) {
        if !isInNumber { result.append("…") }
        isInNumber = true
        characters = characters.dropFirst(isByte ? 4 : 1)
      } else {
        isInNumber = false
        result.append(character)
        characters = characters.dropFirst()
      }
    }
    return result
  }
}
