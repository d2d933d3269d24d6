extension Int {
  /// The number with its noun, which takes an s unless there is one, for messages: `1 frame`,
  /// `0 frames`.
  public func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
