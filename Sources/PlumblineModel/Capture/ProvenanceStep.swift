/// One thing that was done between the file's bytes and the numbers at hand.
public struct ProvenanceStep: Hashable, Sendable {
  /// A short stable name, such as `dequantized` or `rectified-points`.
  public var name: String
  /// The step in words, with its numbers.
  public var detail: String

  /// Creates a step.
  public init(_ name: String, _ detail: String) {
    self.name = name
    self.detail = detail
  }
}
