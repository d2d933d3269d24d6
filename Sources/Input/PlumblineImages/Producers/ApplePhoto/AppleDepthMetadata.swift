package import PlumblineModel

/// The properties of one auxiliary image in Apple's XMP, without interpretation.
///
/// Every property is `nil` when it is absent or makes no sense; what made no sense is noted. The
/// meaning of each is in `Documentation/formats/xmp-apple-depth.md`.
package struct AppleDepthMetadata: Sendable, Hashable {
  /// The type of the image, such as `disparity`, `depth` or a URN.
  ///
  /// Portrait mattes also say `depth`.
  package var auxiliaryImageType: String?
  /// The subtype of the image, such as `portraiteffectsmatte`.
  package var auxiliaryImageSubType: String?
  /// The four-character code of the samples before they were stored, such as `hdis`.
  package var nativeFormat: UInt32?
  /// The four-character code of the samples as stored, such as `L008`.
  package var storedFormat: UInt32?
  /// The codes that stand for the ends of ``floatRange``; never empty.
  package var intRange: ClosedRange<Int>?
  /// The values at the ends of ``intRange``: 1/m for disparity, m for depth.
  package var floatRange: ClosedRange<Double>?

  /// The version of the depth data, such as 65538.
  package var depthDataVersion: Int?
  /// `high` or `low`.
  package var quality: String?
  /// `absolute` or `relative`.
  package var accuracy: String?
  /// Whether holes were filled and noise smoothed.
  package var isFiltered: Bool?

  /// The pinhole matrix in column-major order, 9 numbers: fx, 0, 0, 0, fy, 0, cx, cy, 1; pixels
  /// of ``intrinsicMatrixReferenceSize``.
  package var intrinsicMatrix: [Double]?
  /// The image size that the intrinsic matrix and the distortion center refer to.
  package var intrinsicMatrixReferenceSize: RasterSize?
  /// The rotation and translation in column-major order, 12 numbers; translation in mm.
  package var extrinsicMatrix: [Double]?
  /// The pitch of one pixel of the reference size, in mm.
  package var pixelSizeInMillimeters: Double?
  /// The column of the center of distortion, in pixels of the reference size.
  package var lensDistortionCenterX: Double?
  /// The row of the center of distortion, in pixels of the reference size.
  package var lensDistortionCenterY: Double?
  /// Eight coefficients in percent by even powers of mm; generate the *inverse* lookup table.
  package var lensDistortionCoefficients: [Double]?
  /// Eight coefficients in percent by even powers of mm; generate the forward lookup table.
  package var inverseLensDistortionCoefficients: [Double]?

  /// The version of an HDR gain map, such as 65536.
  package var hdrGainMapVersion: Int?
  /// The headroom of an HDR gain map, as a ratio of luminances.
  package var hdrGainMapHeadroom: Double?
  /// The version of a portrait matte, such as 65536.
  package var portraitEffectsMatteVersion: Int?
  /// The version of a semantic matte, such as 65536.
  package var semanticSegmentationMatteVersion: Int?
  /// The f-number of the portrait blur that the photo is shown with, such as 4.5.
  package var simulatedAperture: Double?
  /// What Apple's blur takes besides, in base64; opaque, carried along.
  package var blurRenderingParameters: String?
  /// What a program of this project did to the map before it wrote it.
  package var provenance: [ProvenanceStep]
  /// One standard deviation of disparity in 1/m, as a program of this project wrote it.
  package var disparitySigma: Double?
  /// The properties that were there but make no sense.
  package var notes: [ContainerNote] = []

  /// What the image is: the subtype, which is the more exact, else the type.
  package var effectiveType: String? { auxiliaryImageSubType ?? auxiliaryImageType }

  /// Reads the properties of a packet in element or attribute form.
  package init(_ packet: XMPPacket) {
    var image = XMPPropertyReader(
      packet: packet, namespace: "http://ns.apple.com/pixeldatainfo/1.0/")
    auxiliaryImageType = image.text("AuxiliaryImageType")
    auxiliaryImageSubType = image.text("AuxiliaryImageSubType")
    nativeFormat = image.integer("NativeFormat").flatMap { UInt32(exactly: $0) }
    storedFormat = image.integer("StoredFormat").flatMap { UInt32(exactly: $0) }
    intRange = image.range(image.integer("IntMinValue"), image.integer("IntMaxValue"), "IntValue")
    floatRange = image.range(
      image.number("FloatMinValue"), image.number("FloatMaxValue"), "FloatValue")
    if let range = intRange, range.lowerBound == range.upperBound {
      image.reject("IntMaxValue", "\(range.upperBound), the same as IntMinValue")
      intRange = nil
    }

    var depth = XMPPropertyReader(packet: packet, namespace: "http://ns.apple.com/depthData/1.0/")
    depthDataVersion = depth.integer("DepthDataVersion")
    quality = depth.text("Quality")
    accuracy = depth.text("Accuracy")
    isFiltered = depth.boolean("Filtered")
    intrinsicMatrix = depth.numbers("IntrinsicMatrix", count: 9)
    intrinsicMatrixReferenceSize = depth.size(
      "IntrinsicMatrixReferenceWidth", "IntrinsicMatrixReferenceHeight")
    extrinsicMatrix = depth.numbers("ExtrinsicMatrix", count: 12)
    pixelSizeInMillimeters = depth.number("PixelSize")
    lensDistortionCenterX = depth.number("LensDistortionCenterOffsetX")
    lensDistortionCenterY = depth.number("LensDistortionCenterOffsetY")
    lensDistortionCoefficients = depth.numbers("LensDistortionCoefficients", count: 8)
    inverseLensDistortionCoefficients = depth.numbers(
      "InverseLensDistortionCoefficients", count: 8)

    var gain = XMPPropertyReader(packet: packet, namespace: "http://ns.apple.com/HDRGainMap/1.0/")
    hdrGainMapVersion = gain.integer("HDRGainMapVersion")
    hdrGainMapHeadroom = gain.number("HDRGainMapHeadroom")
    var portrait = XMPPropertyReader(
      packet: packet, namespace: "http://ns.apple.com/portraitEffectsMatte/1.0/")
    portraitEffectsMatteVersion = portrait.integer("PortraitEffectsMatteVersion")
    var semantic = XMPPropertyReader(
      packet: packet, namespace: "http://ns.apple.com/semanticSegmentationMatte/1.0/")
    semanticSegmentationMatteVersion = semantic.integer("SemanticSegmentationMatteVersion")
    var blur = XMPPropertyReader(
      packet: packet, namespace: "http://ns.apple.com/depthBlurEffect/1.0/")
    simulatedAperture = blur.number("SimulatedAperture")
    if let number = simulatedAperture, !(number > 0 && number <= 1000) {
      blur.reject("SimulatedAperture", "\(number)")
      simulatedAperture = nil
    }
    blurRenderingParameters = blur.text("RenderingParameters")
    provenance = ApplePhotoXMP.provenance(in: packet)
    var own = XMPPropertyReader(packet: packet, namespace: ApplePhotoXMP.provenance)
    disparitySigma = own.number("DisparitySigma")
    if let sigma = disparitySigma, !(sigma >= 0 && sigma <= 1e4) {
      own.reject("DisparitySigma", "\(sigma)")
      disparitySigma = nil
    }
    notes =
      own.notes + image.notes + depth.notes + gain.notes + portrait.notes + semantic.notes
      + blur.notes
  }
}
