import PlumblineIO
import PlumblineModel

/// What the XMP of a depth map, matte or gain map says beside what is read of it, such as a portrait's
/// score: carried along as text.
package struct CompanionProperties: Sendable, Hashable {
  /// What can be carried, sorted by name.
  package var properties: [XMPWriter.Property] = []
  /// The names of what cannot: structures, and names that no packet here may hold.
  var lostNames: [String] = []

  /// Sorts the properties of a packet out.
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

  /// Whether a property is written from what was read of it, or is not true of a file of this program.
  private static func isWritten(_ name: XMPName) -> Bool {
    switch name.namespace {
    case ApplePhotoXMP.pixels, ApplePhotoXMP.blur, ApplePhotoXMP.provenance: true
    case ApplePhotoXMP.depthData: depthNames.contains(name.local)
    case ApplePhotoXMP.portraitMatte: name.local == "PortraitEffectsMatteVersion"
    case ApplePhotoXMP.semanticMatte: name.local == "SemanticSegmentationMatteVersion"
    case ApplePhotoXMP.gain: ["HDRGainMapVersion", "HDRGainMapHeadroom"].contains(name.local)
    // Adobe's form of a gain map counts only with what the photo's own packet says of it.
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

  /// Whether a namespace can stand between quotes as it is.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"&'<>".utf8.contains($0) }
  }

  /// Whether a name is one of XML in ASCII.
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
