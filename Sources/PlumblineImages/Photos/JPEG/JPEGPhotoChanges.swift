import PlumblineModel

/// What becomes of a JPEG photo, coded and ready to be put in.
struct JPEGPhotoChanges {
  /// A map for one of Google's layouts.
  enum GoogleDepth {
    case gdepth(GoogleDepthImage)
    case dynamicDepth(GoogleDepthImage, CameraCalibration?)
  }

  var removesDepth = false
  var removesMattes = false
  var removesGainMap = false
  /// Whether the file is new, so that what its metadata say of images behind it is not true of it.
  var isNewFile = false
  /// Complete images to stand behind the photo, found through the index.
  var images: [[UInt8]] = []
  var googleDepth: GoogleDepth?
  /// What was done to depth that has no image of its own to say it.
  var provenance: [ProvenanceStep] = []
  var orientation: ImageOrientation?

  /// Whether nothing changes but an index that is wrong.
  var isEmpty: Bool {
    !removesDepth && !removesMattes && !removesGainMap && !isNewFile && images.isEmpty
      && googleDepth == nil && orientation == nil
  }

  /// Puts a map into the layout that the options name.
  mutating func add(
    _ depth: PhotoDepth, _ options: PhotoWritingOptions
  ) throws(PhotoWritingError) {
    let depth = depth.ascending
    switch options.depthLayout {
    case .apple:
      images.append(
        try JPEGAuxiliaryImage.image(
          depth.codes, options.depthCoding, packet: ApplePhotoXMP().packet(for: depth)))
      return
    case .googleDepth:
      googleDepth = .gdepth(try GoogleDepthImage(depth, coding: options.depthCoding))
    case .dynamicDepth:
      googleDepth = .dynamicDepth(
        try GoogleDepthImage(depth, coding: options.depthCoding), depth.calibration)
    }
    provenance = depth.provenance
  }
}
