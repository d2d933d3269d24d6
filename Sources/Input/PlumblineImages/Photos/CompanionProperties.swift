import PlumblineIO
import PlumblineModel

/// The further XMP properties of a depth map, matte or gain map, such as a portrait's score; they
/// are carried as text.
package struct CompanionProperties: Sendable, Hashable {
  /// The properties that can be carried, sorted by name.
  package var properties: [XMPWriter.Property] = []
  /// The names of properties that cannot be carried: structures, and names that this project's
  /// packets cannot contain.
  var lostNames: [String] = []

  /// Divides the properties of a packet.
  package init(_ packet: XMPPacket) {
    let names = packet.properties.keys.sorted {
      ($0.namespace, $0.local) < ($1.namespace, $1.local)
    }
    var prefixes: [String: String] = Self.usualPrefixes
    for name in names where !Self.isWritten(name) {
      guard let value = packet.properties[name], Self.isPlain(name.namespace),
        Self.isName(name.local), let property = Self.property(name, value, &prefixes)
      else {
        lostNames.append(printable(name.local.utf8.prefix(80)))
        continue
      }
      properties.append(property)
    }
  }

  private static func property(
    _ name: XMPName, _ value: XMPValue, _ prefixes: inout [String: String]
  ) -> XMPWriter.Property? {
    let prefix = prefixes[name.namespace] ?? "ns\(prefixes.count)"
    prefixes[name.namespace] = prefix
    switch value {
    case .text(let text): return .simple(name.namespace, prefix, name.local, text)
    case .array(let items):
      let texts = items.compactMap(\.text)
      return texts.count == items.count ? .array(name.namespace, prefix, name.local, texts) : nil
    case .structure: return value.text.map { .simple(name.namespace, prefix, name.local, $0) }
    }
  }

  private static let usualPrefixes = [
    ApplePhotoXMP.pixels: "apdi", ApplePhotoXMP.depthData: "depthData",
    ApplePhotoXMP.portraitMatte: "portraitEffectsMatte",
    ApplePhotoXMP.semanticMatte: "semanticSegmentationMatte", ApplePhotoXMP.gain: "HDRGainMap",
    ApplePhotoXMP.blur: "depthBlurEffect", ApplePhotoXMP.provenance: "plumbline",
    "http://ns.apple.com/portraitLightingEffect/2.0/": "portraitLightingEffect",
  ]

  /// Whether a property is written from its interpreted value, or is not true for a file of this
  /// program.
  private static func isWritten(_ name: XMPName) -> Bool {
    switch name.namespace {
    case ApplePhotoXMP.pixels, ApplePhotoXMP.blur, ApplePhotoXMP.provenance: true
    case ApplePhotoXMP.depthData: depthNames.contains(name.local)
    case ApplePhotoXMP.portraitMatte: name.local == "PortraitEffectsMatteVersion"
    case ApplePhotoXMP.semanticMatte: name.local == "SemanticSegmentationMatteVersion"
    case ApplePhotoXMP.gain: ["HDRGainMapVersion", "HDRGainMapHeadroom"].contains(name.local)
    // Adobe's form of a gain map is valid only with the properties in the photo's own packet.
    case XMPPacketText.adobeGainMap, "http://ns.adobe.com/xmp/note/": true
    default: false
    }
  }

  private static let depthNames: Set<String> = [
    "DepthDataVersion", "Quality", "Accuracy", "Filtered", "IntrinsicMatrix",
    "IntrinsicMatrixReferenceWidth", "IntrinsicMatrixReferenceHeight", "ExtrinsicMatrix",
    "PixelSize", "LensDistortionCenterOffsetX", "LensDistortionCenterOffsetY",
    "LensDistortionCoefficients", "InverseLensDistortionCoefficients",
  ]

  /// Whether a namespace can be written in quotes without escaping.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"&'<>".utf8.contains($0) }
  }

  /// Whether a name is a valid XML name in ASCII.
  private static func isName(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 200 else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
    }
  }
}
