package import PlumblineIO
public import PlumblineModel

/// A depth map as a photo file stores it: integer codes, the conversion from codes to values, and
/// the camera's data.
///
/// Codes are written, never values: a map that is only moved, cropped or copied keeps every code,
/// so repeated writing causes no loss. The map has the field of view of the photo and the
/// orientation of its stored pixels.
public struct PhotoDepth: Sendable {
  /// The quantity of the values.
  public enum Quantity: String, Sendable, CaseIterable {
    /// Reciprocal meters, as phones write; the maximum value is nearest.
    case disparity
    /// Meters along the optical axis.
    case depth
  }

  /// The codes, 8 or 16 bits.
  public var codes: StoredSamples
  /// The conversion from codes to values, in 1/m or m.
  public var quantization: LinearQuantization
  /// The quantity of the values.
  public var quantity: Quantity
  /// The accuracy that the file will state.
  public var accuracy: DepthRecord.Accuracy
  /// Whether holes were filled and values smoothed; `nil` to state nothing.
  public var isFiltered: Bool?
  /// The file's own quality rating, `high` or `low`; `nil` to state nothing.
  public var quality: String?
  /// The type of samples before quantization, such as `hdis`; `nil` for `hdis` or `hdep` by
  /// quantity.
  public var nativeType: String?
  /// The f-number that the file specifies for the portrait blur; `nil` for none.
  public var simulatedAperture: Double?
  /// The other parameters of Apple's blur in base64, copied without interpretation; `nil` for none.
  public var blurRenderingParameters: String?
  /// The calibration at its own reference size, in the orientation of the stored photo.
  public var calibration: CameraCalibration?
  /// One standard deviation of disparity in 1/m, written in Plumbline's own XMP namespace; `nil` if
  /// unknown.
  public var disparitySigma: Double?
  /// The provenance of the values, written in Plumbline's own XMP namespace.
  public var provenance: [ProvenanceStep]
  /// The map's further XMP properties, such as a portrait's score and light; `nil` for none.
  var furtherProperties: CompanionProperties?

  /// Creates a map from its codes; the defaults are absolute, unfiltered and without a camera.
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
  /// The same map with values that ascend with codes, as Apple's files require: if they descend, as
  /// in Google's, each code is mirrored.
  ///
  /// The values are unchanged except for the last bit of a double. O(*n*).
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

/// The portrait settings in a photo's depth map.
package struct PortraitTags: Sendable {
  /// The f-number of the blur.
  package var simulatedAperture: Double?
  /// The other parameters of the blur.
  package var renderingParameters: String?
  var companion: CompanionProperties?

  /// The names of the settings that are present; empty for none.
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

  /// Reads the settings from the depth map of a photo; `nil` for a photo without one, and if
  /// nothing readable is stated.
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
  /// Adds the settings of the photo's own map, if this map replaces it as the same map.
  package mutating func take(_ tags: PortraitTags) {
    simulatedAperture = simulatedAperture ?? tags.simulatedAperture
    blurRenderingParameters = blurRenderingParameters ?? tags.renderingParameters
    furtherProperties = tags.companion
  }

  /// Removes the settings of a blur.
  ///
  /// - Returns: The names of the removed settings.
  package mutating func removeBlurTags() -> [String] {
    let blurs = ["SimulatedAperture", "RenderingParameters"]
    let names = portraitTagNames.filter(blurs.contains)
    simulatedAperture = nil
    blurRenderingParameters = nil
    return names
  }

  /// The names of the portrait settings; empty for none.
  package var portraitTagNames: [String] {
    (simulatedAperture == nil ? [] : ["SimulatedAperture"])
      + (blurRenderingParameters == nil ? [] : ["RenderingParameters"])
      + (furtherProperties.map { $0.properties.map(\.name) } ?? [])
  }
}
