import PlumblineIO
package import PlumblineModel

/// The meaning of an auxiliary image, from its own metadata and never from its position.
package enum AuxiliaryMeaning: Hashable {
  /// A map whose codes mean disparities or depths.
  case depth
  case matte(Matte.Kind)
  case gainMap
  case unknown(String)

  /// Reads the type that Apple writes; the subtype comes first, since portrait mattes call
  /// themselves `depth` and only their subtype is right.
  package init(_ metadata: AppleDepthMetadata) {
    self.init(name: metadata.effectiveType ?? "")
  }

  /// Reads a type name or URN, such as `disparity` or
  /// `urn:com:apple:photo:2019:aux:semanticskinmatte`.
  package init(name: String) {
    let last = name.split(separator: ":").last.map { $0.lowercased() } ?? ""
    switch last {
    case "depth", "disparity": self = .depth
    case "portraiteffectsmatte": self = .matte(.portraitEffects)
    case "hdrgainmap": self = .gainMap
    default:
      let isSemantic = last.hasPrefix("semantic") && last.hasSuffix("matte")
      let part = isSemantic ? String(last.dropFirst(8).dropLast(5)) : ""
      self = Matte.Kind(rawValue: part).map(Self.matte) ?? .unknown(printable(name.utf8.prefix(80)))
    }
  }
}
