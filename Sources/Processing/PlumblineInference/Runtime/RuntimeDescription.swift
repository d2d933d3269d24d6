/// Which runtime runs a network, and on what.
public struct RuntimeDescription: Sendable, Hashable {
  /// The name, such as `OpenVINO`.
  public var name: String
  /// The version that the library reports, such as `2026.4.1`; `nil` where it reports none.
  public var version: String?
  /// What computes, such as `cpu`.
  public var device: String

  /// Describes a runtime, whose ``InferenceRuntime/name`` ends with its version.
  package init(_ runtime: any InferenceRuntime) {
    let words = runtime.name.split(separator: " ")
    let version = words.last.flatMap { word in
      word.utf8.first.map { (0x30...0x39).contains($0) } == true ? String(word) : nil
    }
    name = words.dropLast(version == nil ? 0 : 1).joined(separator: " ")
    self.version = version
    device = runtime.device
  }

  /// In words, such as `OpenVINO 2026.4.1 (cpu)`.
  public var summary: String { "\(name)\(version.map { " \($0)" } ?? "") (\(device))" }
}
