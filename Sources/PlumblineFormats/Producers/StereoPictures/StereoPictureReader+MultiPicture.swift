import PlumblineModel

extension StereoPictureReader {
  /// The first two views of a multi-picture JPEG, as 3D cameras write them (MPO).
  ///
  /// - Source: CIPA DC-007 §5.2.3.3: images of the type *multi-view, disparity* are in the order of
  ///   their viewpoints, from left to right.
  func viewsOfJPEG(
    _ bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoPicture, right: StereoPicture) {
    let file = try JPEGFile(bytes[...], limits: limits)
    // Depth maps, mattes and gain maps are smaller than the picture, or gray.
    let views = file.images.filter { image in
      image.frame?.size == file.primary.frame?.size && image.frame != nil
        && (image.frame?.components.count == file.primary.frame?.components.count)
    }
    guard views.count >= 2 else {
      throw Self.onePicture("a JPEG with one view")
    }
    let exif = file.primary.exif.flatMap { try? ExifMetadata(tiff: $0, limits: limits) }
    func view(_ image: JPEGImage) throws(CaptureReadingError) -> StereoPicture {
      _ = try image.checkedFrame(maximumPixels: limits.colorPixels, limits: limits)
      let decoded = try image.color(scale: .full, limits: limits)
      let remapping = ColorRemapping.toSRGB(
        profile: image.iccProfile ?? file.primary.iccProfile, nil)
      var picture = StereoPicture(
        color: remapping?.applied(to: decoded.raster) ?? decoded.raster,
        source: CaptureSource(exif, accuracy: nil, isStereo: true))
      picture.findings = decoded.notes.map { Finding($0) }
      picture.orientation = exif?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
      if let camera = exif?.camera(of: decoded.raster.size) {
        picture.camera = CameraCalibration(intrinsics: camera)
        picture.cameraBasis = .exif
      }
      return picture
    }
    return (try view(views[0]), try view(views[1]))
  }
}
