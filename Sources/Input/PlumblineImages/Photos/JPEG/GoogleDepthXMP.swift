import PlumblineIO
import PlumblineModel

/// The XMP of Google's two depth formats.
///
/// - Source: Google's GDepth and Dynamic Depth 1.0 documents; a Pixel's packet for the order and
///   form.
enum GoogleDepthXMP {
  /// The namespace of GDepth.
  static let gdepth = "http://ns.google.com/photos/1.0/depthmap/"
  /// The name of a map written here in the directory.
  static let depthURI = "plumbline/depthmap"
  private static let dynamic = "http://ns.google.com/photos/dd/1.0/"

  /// GDepth's properties in the main packet; the image is in ``extendedPacket(of:)``.
  static func properties(of image: GoogleDepthImage) -> [XMPWriter.Property] {
    func simple(_ name: String, _ value: String) -> XMPWriter.Property {
      .simple(gdepth, "GDepth", name, value)
    }
    return [
      simple("Format", image.format.rawValue), simple("Near", XMPNumber.exact(image.near)),
      simple("Far", XMPNumber.exact(image.far)), simple("Mime", image.mime),
    ] + (image.isMetric ? [simple("Units", "m")] : []) + [
      simple("MeasureType", "OpticalAxis"), simple("Software", "Plumbline"),
    ]
  }

  /// The description that contains the image, for an extended packet.
  static func data(of image: GoogleDepthImage) -> [XMPWriter.Property] {
    [.simple(gdepth, "GDepth", "Data", Base64.encoded(image.bytes))]
  }

  /// Dynamic Depth's description: a directory if the packet has none, a profile and the camera.
  static func dynamicDepth(
    _ image: GoogleDepthImage, calibration: CameraCalibration?, includingDirectory: Bool
  ) -> String {
    let namespaces = [
      ("Profile", "profile"), ("Item", "item"), ("Camera", "camera"), ("Device", "device"),
      ("DepthMap", "depthmap"), ("ImagingModel", "imagingmodel"), ("Container", "container"),
    ].map { "\n            xmlns:\($0)=\"\(dynamic)\($1)/\"" }.joined()
    let directory = """

               <Device:Container rdf:parseType="Resource">
                  <Container:Directory>
                     <rdf:Seq>
                        <rdf:li><Container:Item Item:Mime="image/jpeg" Item:Length="0" \
      Item:DataURI="primary_image"/></rdf:li>
                        <rdf:li>\(item(image, prefixes: ("Container", "Item")))</rdf:li>
                     </rdf:Seq>
                  </Container:Directory>
               </Device:Container>
      """
    return """
      <rdf:Description rdf:about=""\(namespaces)>\(includingDirectory ? directory : "")
               <Device:Profiles>
                  <rdf:Seq>
                     <rdf:li>
                        <Device:Profile Profile:Type="DepthPhoto">
                           <Profile:CameraIndices><rdf:Seq><rdf:li>0</rdf:li></rdf:Seq></Profile:CameraIndices>
                        </Device:Profile>
                     </rdf:li>
                  </rdf:Seq>
               </Device:Profiles>
               <Device:Cameras>
                  <rdf:Seq>
                     <rdf:li>
                        <Device:Camera Camera:Trait="Physical">
                           <Camera:DepthMap DepthMap:ItemSemantic="Depth" \
      DepthMap:Format="\(image.format.rawValue)" \
      DepthMap:Units="\(image.isMetric ? "Meters" : "None")" \
      DepthMap:Near="\(XMPNumber.exact(image.near))" DepthMap:Far="\(XMPNumber.exact(image.far))" \
      DepthMap:DepthURI="\(depthURI)" DepthMap:MeasureType="OpticalAxis" \
      DepthMap:Software="Plumbline"/>\(calibration.map(imagingModel) ?? "")
                        </Device:Camera>
                     </rdf:li>
                  </rdf:Seq>
               </Device:Cameras>
            </rdf:Description>
      """
  }

  /// The directory's item of the appended image.
  static func item(_ image: GoogleDepthImage, prefixes: (String, String)) -> String {
    let (container, item) = prefixes
    return
      "<\(container):Item \(item):Mime=\"\(image.mime)\" \(item):Length=\"\(image.bytes.count)\" "
      + "\(item):DataURI=\"\(depthURI)\"/>"
  }

  /// The same item with its own prefix declarations, if the prefixes are not known.
  static func declaredItem(_ image: GoogleDepthImage) -> String {
    let start =
      "<Container:Item xmlns:Container=\"\(dynamic)container/\" xmlns:Item=\"\(dynamic)item/\" "
    return start + item(image, prefixes: ("Container", "Item")).dropFirst("<Container:Item ".count)
  }

  private static func imagingModel(_ calibration: CameraCalibration) -> String {
    let intrinsics = calibration.intrinsics
    let numbers = [
      ("FocalLengthX", intrinsics.focalLength.x), ("FocalLengthY", intrinsics.focalLength.y),
      ("PrincipalPointX", intrinsics.principalPoint.x),
      ("PrincipalPointY", intrinsics.principalPoint.y),
    ]
    guard numbers.allSatisfy({ $0.1.isFinite }) else { return "" }
    return "\n                     <Camera:ImagingModel"
      + numbers.map { " ImagingModel:\($0)=\"\(XMPNumber.exact($1))\"" }.joined()
      + " ImagingModel:ImageWidth=\"\(intrinsics.size.width)\""
      + " ImagingModel:ImageHeight=\"\(intrinsics.size.height)\" ImagingModel:Skew=\"0.000000\""
      + " ImagingModel:PixelAspectRatio=\"1.000000\"/>"
  }
}

/// A depth map in the form of Google's two formats: codes from near to far, a conversion rule, a
/// compressed image.
///
/// - Source: `Documentation/formats/gdepth-dynamic-depth.md`.
struct GoogleDepthImage {
  /// The conversion rule, and the values of code 0 and of the maximum code.
  let format: DynamicDepthRange.Format
  let near: Double
  let far: Double
  /// Whether distances are in meters; `false` for relative maps, whose scale is unknown.
  let isMetric: Bool
  /// `image/png` or `image/jpeg`.
  let mime: String
  /// The compressed codes.
  let bytes: [UInt8]

  /// Mirrors the codes if necessary, so that code 0 is near, and compresses the map.
  ///
  /// - Throws: `.unrepresentable` for disparities with holes, since with equal steps in 1/m no code
  ///   means "missing"; for depths below 0; for 9 to 15 bits; for 16 bits with lossy coding.
  init(
    _ depth: PhotoDepth, coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws(PhotoWritingError) {
    let maximum = depth.codes.maximumCode
    func refused(_ expected: String, _ found: String) -> PhotoWritingError {
      .unrepresentable(format: "GDepth", place: "depth map", expected: expected, found: found)
    }
    guard maximum == 255 || maximum == 65_535 else {
      throw refused("codes of 8 or 16 bits", "a largest code of \(maximum)")
    }
    let ends = [depth.quantization.value(0), depth.quantization.value(maximum)]
    let codes: StoredSamples
    switch depth.quantity {
    case .disparity:
      format = .inverse
      near = 1 / ends[1]
      far = 1 / ends[0]
      guard depth.holeCount == 0, ends[0] > 0 else {
        throw refused(
          "disparities above 0 everywhere, since the format has no code for a missing one; depths "
            + "can have holes", ends[0] > 0 ? "\(depth.holeCount) holes" : "a range from \(ends[0])"
        )
      }
      codes = Self.mirrored(depth.codes)
    case .depth:
      format = .linear
      near = ends[0]
      far = ends[1]
      codes = depth.codes
    }
    do {
      _ = try DynamicDepthRange(format: format, near: near, far: far, unit: .meters)
    } catch {
      throw refused("positive, finite distances from near to far", "\(near) to \(far)")
    }
    isMetric = depth.accuracy != .relative
    switch (coding, codes) {
    case (.lossless, .uint8(let raster)):
      (mime, bytes) = ("image/png", PNGEncoder().encoded(raster))
    case (.lossless, .uint16(let raster, _)):
      (mime, bytes) = ("image/png", PNGEncoder().encoded(raster))
    case (.lossy, _):
      (mime, bytes) = ("image/jpeg", try JPEGAuxiliaryImage.compressed(codes, coding))
    }
  }

  private static func mirrored(_ codes: StoredSamples) -> StoredSamples {
    switch codes {
    case .uint8(let raster): .uint8(raster.map { 255 - $0 })
    case .uint16(let raster, let bitDepth): .uint16(raster.map { 65_535 - $0 }, bitDepth: bitDepth)
    }
  }
}
