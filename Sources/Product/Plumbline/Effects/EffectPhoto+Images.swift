public import PlumblineEffects
public import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings

extension EffectPhoto {
  /// An image whose numbers are sRGB's, in the colors of the photo.
  public func inOwnColors(_ image: Raster<RGB8>) -> Raster<RGB8> {
    PhotoColors.sRGB.converted(image, to: metadata.colors)
  }

  /// A color of sRGB, in the colors of the photo.
  public func inOwnColors(_ color: RGB8) -> RGB8 {
    inOwnColors(Raster(size: RasterSize(width: 1, height: 1), repeating: color))[0, 0]
  }

  /// Notes about the colors of a loop; empty where nothing is lost.
  public func colorFindings(in format: LoopEncoder.Format) -> [Finding] {
    let colors = metadata.colors
    guard colors.profile != nil else { return [] }
    if colors.isUnreadable {
      guard format != .webp else { return [] }
      return [
        Finding(
          .photoColorsUnnamed, .caution,
          "the photo's color profile is of a kind that is not read here; its numbers were taken for sRGB's"
        )
      ]
    }
    switch format {
    case .webp: return []
    case .mp4 where colors.coded != nil: return []
    case .mp4, .gif:
      return [
        Finding(
          .photoColorsConverted, .note,
          "the photo's colors were converted to sRGB, which \(format.rawValue.uppercased()) means; those "
            + "beyond it became the nearest")
      ]
    }
  }
}

extension EffectPhoto {
  /// Notes before the photo's own image is blurred: that the phone may have blurred it already; empty
  /// where nothing speaks for it.
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

extension StereoViews {
  /// Both views beside each other, the left one left, upright.
  public func sideBySide(orientation: ImageOrientation) -> Raster<RGB8> {
    let left = self.left.oriented(by: orientation)
    let right = self.right.oriented(by: orientation)
    let size = RasterSize(width: left.width + right.width, height: left.height)
    let samples = (0..<size.height).flatMap { Array(left.row($0)) + Array(right.row($0)) }
    return Raster(size: size, samples: samples)
  }
}

extension EffectPhoto {
  /// Two views as a spatial photo, upright, as headsets show them.
  ///
  /// - Throws: ``EffectError`` where the scene has no meters or no camera, ``PhotoWritingError``.
  public func spatialPhoto(
    _ views: StereoViews, _ scene: EffectScene, options: PhotoWritingOptions
  ) throws -> [UInt8] {
    guard let baseline = views.baselineMeters, let camera = views.intrinsics else {
      throw EffectError(
        .missing, effect: "stereo", expected: "depth in meters and a camera for a spatial photo",
        found: scene.isMetric ? "no camera" : "relative depth")
    }
    let turned = camera.oriented(by: scene.orientation)
    let photo = SpatialPhoto(
      left: views.left.oriented(by: scene.orientation),
      right: views.right.oriented(by: scene.orientation), intrinsics: turned,
      baselineMillimeters: baseline * 1000, metadata: metadata)
    return try SpatialPhotoWriter().bytes(of: photo, options: options)
  }
}
