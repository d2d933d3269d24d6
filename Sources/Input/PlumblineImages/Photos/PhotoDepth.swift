package import PlumblineIO
public import PlumblineModel

/// A depth map as a photo file stores it: whole codes, the rule from codes to values, and what the
/// file says about the camera.
///
/// Codes are what is written, never values: a map that only moves, is cropped or is copied keeps
/// every code and so does not drift however often it is written. The map covers the same field of view
/// as the photo and lies as the photo's stored pixels lie.
public struct PhotoDepth: Sendable {
  /// The quantity that values are in.
  public enum Quantity: String, Sendable, CaseIterable {
    /// Reciprocal meters, as phones write; the largest value is nearest.
    case disparity
    /// Meters along the optical axis.
    case depth
  }

  /// The codes, 8 or 16 bits.
  public var codes: StoredSamples
  /// The rule from codes to values, in 1/m or m.
  public var quantization: LinearQuantization
  /// The quantity of the values.
  public var quantity: Quantity
  /// The accuracy that the file shall state.
  public var accuracy: DepthRecord.Accuracy
  /// Whether holes were filled and values smoothed; `nil` to leave it unsaid.
  public var isFiltered: Bool?
  /// The file's own rating, `high` or `low`; `nil` to leave it unsaid.
  public var quality: String?
  /// The samples' type before they became codes, such as `hdis`; `nil` for `hdis` or `hdep` by quantity.
  public var nativeType: String?
  /// The f-number that the file requests for a portrait blur; `nil` for none.
  public var simulatedAperture: Double?
  /// What Apple's blur takes besides, in base64; opaque, carried along; `nil` for none.
  public var blurRenderingParameters: String?
  /// The camera's numbers at their own reference size, in the orientation of the stored photo.
  public var calibration: CameraCalibration?
  /// One standard deviation of disparity in 1/m, written in Plumbline's own XMP namespace; `nil` where
  /// it is unknown.
  public var disparitySigma: Double?
  /// What was done to the numbers before they came here; written in Plumbline's own XMP namespace.
  public var provenance: [ProvenanceStep]
  /// What else the map's XMP said, such as a portrait's score and light; `nil` for nothing.
  var furtherProperties: CompanionProperties?

  /// Creates a map from its codes; absolute, unfiltered and without a camera until said otherwise.
  package init(codes: StoredSamples, quantization: LinearQuantization, quantity: Quantity) {
    self.codes = codes
    self.quantization = quantization
    self.quantity = quantity
    accuracy = .unknown
    provenance = []
  }

  /// The number of columns and rows.
  public var size: RasterSize { codes.size }
}

extension PhotoDepth {
  /// The same map with values that ascend with codes, as Apple's files demand: where they descend,
  /// as in Google's, each code is replaced by its mirror image.
  ///
  /// The values stay what they are but for the last bit of a double. O(*n*).
  package var ascending: PhotoDepth {
    guard quantization.minimumValue > quantization.maximumValue else { return self }
    let (low, high) = (quantization.minimumCode, quantization.maximumCode)
    func mirrored(_ code: Int) -> Int { min(max(low + high - code, 0), codes.maximumCode) }
    var copy = self
    switch codes {
    case .uint8(let raster):
      let table = (0...255).map { UInt8(mirrored($0)) }
      copy.codes = .uint8(raster.map { table[Int($0)] })
    case .uint16(let raster, let bitDepth):
      copy.codes = .uint16(raster.map { UInt16(mirrored(Int($0))) }, bitDepth: bitDepth)
    }
    copy.quantization = LinearQuantization(
      minimumCode: low, maximumCode: high, minimumValue: quantization.maximumValue,
      maximumValue: quantization.minimumValue)
    return copy
  }
}

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
