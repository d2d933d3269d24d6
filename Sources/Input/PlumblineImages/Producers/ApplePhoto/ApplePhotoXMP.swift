package import PlumblineModel

/// The XMP packets of auxiliary images, as Apple writes them: what JPEG keeps in an image's own
/// segment and HEIF in an item of its own.
///
/// - Source: real files; see `Documentation/formats/xmp-apple-depth.md`.
package struct ApplePhotoXMP: Sendable {
  /// The namespace of what an auxiliary image is.
  package static let pixels = "http://ns.apple.com/pixeldatainfo/1.0/"
  /// The namespace of depth and of its camera.
  package static let depthData = "http://ns.apple.com/depthData/1.0/"
  /// The namespace of portrait mattes.
  package static let portraitMatte = "http://ns.apple.com/portraitEffectsMatte/1.0/"
  /// The namespace of the other mattes.
  package static let semanticMatte = "http://ns.apple.com/semanticSegmentationMatte/1.0/"
  /// The namespace of gain maps.
  package static let gain = "http://ns.apple.com/HDRGainMap/1.0/"
  /// The namespace of the blur that a portrait photo is shown with.
  package static let blur = "http://ns.apple.com/depthBlurEffect/1.0/"
  /// Plumbline's own namespace, which says what was done to the numbers.
  package static let provenance = "urn:x-plumbline:photo:1.0#"

  /// The writer of the XMP packets.
  package var writer: XMPWriter

  /// Creates packets in Apple's form: elements and their usual prefixes.
  package init(writer: XMPWriter = XMPWriter()) { self.writer = writer }

  /// The packet of a depth map: its kind, range and promises, its camera, and what was done to it.
  ///
  /// Ranges have the six decimals of Apple's files where these say the number exactly, else as many
  /// digits as it takes; a camera's numbers have single precision as in all such files. Numbers that
  /// are not finite are left out.
  ///
  /// - Precondition: Values ascend with codes, as ``PhotoDepth/ascending`` sees to.
  package func packet(for depth: PhotoDepth) -> [UInt8] {
    Array(writer.packet(Self.properties(of: depth)).utf8)
  }

  /// The packet of a matte.
  package func packet(for kind: Matte.Kind) -> [UInt8] {
    Array(writer.packet(Self.properties(of: kind)).utf8)
  }

  /// The packet of a gain map; the version is 65536 where the map knows none.
  package func packet(for gainMap: GainMap) -> [UInt8] {
    Array(writer.packet(Self.properties(of: gainMap)).utf8)
  }

  /// The packet of a matte with what else its source's said.
  package func packet(for kind: Matte.Kind, _ further: CompanionProperties?) -> [UInt8] {
    Array(writer.packet(Self.properties(of: kind) + (further?.properties ?? [])).utf8)
  }

  /// The packet of a gain map with what else its source's said.
  package func packet(for gainMap: GainMap, _ further: CompanionProperties?) -> [UInt8] {
    Array(writer.packet(Self.properties(of: gainMap) + (further?.properties ?? [])).utf8)
  }

  package static func properties(of map: PhotoDepth) -> [XMPWriter.Property] {
    func pixel(_ name: String, _ value: String) -> XMPWriter.Property {
      .simple(pixels, "apdi", name, value)
    }
    func simple(_ name: String, _ value: String?) -> XMPWriter.Property? {
      value.map { .simple(depthData, "depthData", name, $0) }
    }
    let native =
      map.nativeType.flatMap(code) ?? (map.quantity == .depth ? 1_751_410_032 : 1_751_411_059)
    let stored = if case .uint8 = map.codes { 1_278_226_488 } else { 1_278_226_742 }
    let accuracy = map.accuracy == .unknown ? nil : map.accuracy.rawValue
    let described = [
      pixel("IntMaxValue", String(map.quantization.maximumCode)),
      pixel("StoredFormat", String(stored)),
      pixel("NativeFormat", String(native)),
      pixel("IntMinValue", String(map.quantization.minimumCode)),
      pixel("FloatMaxValue", XMPNumber.exact(map.quantization.maximumValue)),
      pixel("FloatMinValue", XMPNumber.exact(map.quantization.minimumValue)),
      pixel("AuxiliaryImageType", map.quantity.rawValue),
    ]
    let promised = [
      simple("DepthDataVersion", "85538"), simple("Quality", map.quality),
      simple("Accuracy", accuracy),
      simple("Filtered", map.isFiltered.map { $0 ? "True" : "False" }),
    ].compactMap(\.self)
    let blurred = [
      map.simulatedAperture.flatMap { $0.isFinite ? $0 : nil }.map {
        XMPWriter.Property.simple(
          blur, "depthBlurEffect", "SimulatedAperture", XMPNumber.exact($0))
      },
      map.blurRenderingParameters.map {
        .simple(blur, "depthBlurEffect", "RenderingParameters", $0)
      },
    ].compactMap(\.self)
    return described + promised + (map.calibration.map(properties) ?? []) + blurred
      + (map.furtherProperties?.properties ?? [])
      + provenanceProperties(map.provenance)
      + (map.disparitySigma.flatMap { $0.isFinite ? $0 : nil }.map {
        [.simple(provenance, "plumbline", "DisparitySigma", XMPNumber.exact($0))]
      } ?? [])
  }

  /// The list of what was done, empty for nothing.
  package static func provenanceProperties(_ steps: [ProvenanceStep]) -> [XMPWriter.Property] {
    guard !steps.isEmpty else { return [] }
    return [
      .array(provenance, "plumbline", "Provenance", steps.map { "\($0.name): \($0.detail)" })
    ]
  }

  /// What a packet's list says was done; a step without a detail has its name alone.
  package static func provenance(in packet: XMPPacket) -> [ProvenanceStep] {
    (packet[provenance, "Provenance"]?.texts ?? []).map { text in
      guard let range = text.firstRange(of: ": ") else {
        return ProvenanceStep(name: text, detail: "")
      }
      return ProvenanceStep(
        name: String(text[..<range.lowerBound]), detail: String(text[range.upperBound...]))
    }
  }

  package static func properties(of kind: Matte.Kind) -> [XMPWriter.Property] {
    guard kind == .portraitEffects else {
      return [
        .simple(pixels, "apdi", "AuxiliaryImageType", kind.auxiliaryTypeURN),
        .simple(pixels, "apdi", "NativeFormat", "1278226488"),
        .simple(pixels, "apdi", "StoredFormat", "1278226488"),
        .simple(
          semanticMatte, "semanticSegmentationMatte", "SemanticSegmentationMatteVersion", "65536"),
      ]
    }
    return [
      .simple(pixels, "apdi", "AuxiliaryImageSubType", "portraiteffectsmatte"),
      .simple(pixels, "apdi", "NativeFormat", "1278226488"),
      .simple(pixels, "apdi", "AuxiliaryImageType", "depth"),
      .simple(pixels, "apdi", "StoredFormat", "1278226488"),
      .simple(portraitMatte, "portraitEffectsMatte", "PortraitEffectsMatteVersion", "65537"),
    ]
  }

  package static func properties(of gainMap: GainMap) -> [XMPWriter.Property] {
    let properties: [XMPWriter.Property] = [
      .simple(pixels, "apdi", "AuxiliaryImageType", GainMap.auxiliaryTypeURN),
      .simple(pixels, "apdi", "NativeFormat", "1278226488"),
      .simple(pixels, "apdi", "StoredFormat", "1278226488"),
      .simple(gain, "HDRGainMap", "HDRGainMapVersion", String(gainMap.version ?? 65536)),
    ]
    guard let headroom = gainMap.headroom, headroom.isFinite else { return properties }
    return properties + [
      .simple(gain, "HDRGainMap", "HDRGainMapHeadroom", XMPNumber.exact(headroom))
    ]
  }

  /// The number of a four-character code; `nil` for text of another length.
  private static func code(_ name: String) -> Int? {
    guard name.utf8.count == 4 else { return nil }
    return name.utf8.reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Matte.Kind {
  /// Apple's name of the matte's image in an `auxC` box and in XMP.
  package var auxiliaryTypeURN: String {
    switch self {
    case .portraitEffects: "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
    case .skin, .hair, .teeth: "urn:com:apple:photo:2019:aux:semantic\(rawValue)matte"
    case .glasses, .sky: "urn:com:apple:photo:2020:aux:semantic\(rawValue)matte"
    }
  }
}

extension GainMap {
  /// Whether nothing but the numbers of ISO 21496-1 says what the codes mean.
  package var isInISOFormAlone: Bool { toneMapping != nil && version == nil && headroom == nil }

  /// Apple's name of the map's image in an `auxC` box and in XMP.
  package static let auxiliaryTypeURN = "urn:com:apple:photo:2020:aux:hdrgainmap"
}
