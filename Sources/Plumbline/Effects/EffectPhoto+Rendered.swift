import PlumblineImages
public import PlumblineModel

extension EffectPhoto {
  /// Notes before the photo is blurred: that the phone may have blurred it already; empty where
  /// nothing speaks for it.
  ///
  /// Exif's CustomRendered says that the camera rendered a portrait, and so does an aperture in the depth
  /// map's XMP, which Photos shows the image with. Neither says whether this file is the rendered image
  /// or the one before.
  public var blurFindings: [Finding] {
    var signs: [String] = []
    if let block = metadata.exif, let exif = try? ExifMetadata(tiff: block[...]),
      let rendered = exif.customRendered, [7, 8].contains(rendered)
    {
      signs.append("Exif CustomRendered \(rendered)")
    }
    if let aperture = capture.depth?.simulatedAperture {
      signs.append("SimulatedAperture \(aperture.fixed(1))")
    }
    guard !signs.isEmpty else { return [] }
    return [
      Finding(
        .photoAlreadyBlurred, .caution,
        "the photo is a rendered portrait: where its background is blurred already, both blurs add up",
        evidence: signs.joined(separator: ", "))
    ]
  }
}
