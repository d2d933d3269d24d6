import PlumblineIO
import PlumblineModel

extension StereoImageReader {
  /// The first two views of a multi-picture JPEG, as 3D cameras write them (MPO).
  ///
  /// - Source: CIPA DC-007 §5.2.3.3: images of the type *multi-view, disparity* are in the order of
  ///   their viewpoints, from left to right.
  func viewsOfJPEG(
    _ bytes: [UInt8]
  ) throws(CaptureReadingError) -> (left: StereoImage, right: StereoImage) {
    let file = try JPEGFile(bytes[...], limits: limits)
    // Depth maps, mattes and gain maps are smaller than the image, or gray.
    let views = file.images.filter { image in
      image.frame?.size == file.primary.frame?.size && image.frame != nil
        && (image.frame?.components.count == file.primary.frame?.components.count)
    }
    guard views.count >= 2 else {
      throw Self.oneImage("a JPEG with one view")
    }
    let exif = file.primary.exif.flatMap { try? ExifMetadata(tiff: $0, limits: limits) }
    func view(_ stored: JPEGImage) throws(CaptureReadingError) -> StereoImage {
      _ = try stored.checkedFrame(maximumPixels: limits.colorPixels, limits: limits)
      let decoded = try stored.color(scale: .full, limits: limits)
      let remapping = ColorRemapping.toSRGB(
        profile: stored.iccProfile ?? file.primary.iccProfile, nil)
      var view = StereoImage(
        color: remapping?.applied(to: decoded.raster) ?? decoded.raster,
        source: CaptureSource(exif, accuracy: nil, isStereo: true))
      view.findings = decoded.notes.map { Finding($0) }
      view.orientation = exif?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
      if let camera = exif?.camera(of: decoded.raster.size) {
        view.camera = CameraCalibration(intrinsics: camera)
        view.cameraBasis = .exif
      }
      return view
    }
    return (try view(views[0]), try view(views[1]))
  }
}
