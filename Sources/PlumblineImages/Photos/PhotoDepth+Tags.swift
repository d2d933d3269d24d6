package import PlumblineIO
import PlumblineModel

/// What a photo's depth map says of the portrait that is made with it.
package struct PortraitTags: Sendable {
  /// The f-number of the blur.
  package var simulatedAperture: Double?
  /// What the blur takes besides.
  package var renderingParameters: String?
  var companion: CompanionProperties?

  /// The names of all that is said; empty for nothing.
  package var names: [String] {
    (simulatedAperture == nil ? [] : ["SimulatedAperture"])
      + (renderingParameters == nil ? [] : ["RenderingParameters"])
      + (companion.map { $0.properties.map(\.name) + $0.lostNames } ?? [])
  }

  package init(_ packet: XMPPacket) {
    let metadata = AppleDepthMetadata(packet)
    simulatedAperture = metadata.simulatedAperture
    renderingParameters = metadata.blurRenderingParameters
    companion = CompanionProperties(packet)
  }

  /// Reads what the depth map of a photo says; `nil` for a photo without one, and where it says nothing
  /// that can be read.
  ///
  /// - Throws: As ``CaptureReader`` does. No pixel is decoded.
  package init?(
    ofPhoto bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    switch FileSignature(bytes) {
    case .heif:
      let file = try HEIFFile(bytes: bytes, limits: limits)
      guard let item = try file.auxiliaries().first(where: { $0.kind == .depth })?.itemID,
        let packet = try file.xmp(of: item).first.flatMap({ try? XMPPacket($0, limits: limits) })
      else { return nil }
      self.init(packet)
    case .jpeg:
      let file = try JPEGFile(bytes[...], limits: limits)
      let packets = file.images.dropFirst().lazy.compactMap { try? $0.xmpPacket(limits: limits) }
      guard
        let packet = packets.first(where: {
          AuxiliaryMeaning(AppleDepthMetadata($0)) == .depth
        })
      else { return nil }
      self.init(packet)
    case .ply, .json, .other, .empty: return nil
    }
  }
}

extension PhotoDepth {
  /// Puts in what the photo's own map said, where this one takes its place as the same map.
  package mutating func take(_ tags: PortraitTags) {
    simulatedAperture = simulatedAperture ?? tags.simulatedAperture
    blurRenderingParameters = blurRenderingParameters ?? tags.renderingParameters
    furtherProperties = tags.companion
  }

  /// Takes out what the map says of a blur.
  ///
  /// - Returns: The names of what went.
  package mutating func removeBlurTags() -> [String] {
    let blurs = ["SimulatedAperture", "RenderingParameters"]
    let names = portraitTagNames.filter(blurs.contains)
    simulatedAperture = nil
    blurRenderingParameters = nil
    return names
  }

  /// The names of what the map says of the portrait; empty for nothing.
  package var portraitTagNames: [String] {
    (simulatedAperture == nil ? [] : ["SimulatedAperture"])
      + (blurRenderingParameters == nil ? [] : ["RenderingParameters"])
      + (furtherProperties.map { $0.properties.map(\.name) } ?? [])
  }
}
