import PlumblineIO
import PlumblineModel

/// The XMP of Google's two depth formats.
///
/// - Source: Google's GDepth and Dynamic Depth 1.0 documents; a Pixel's packet for the order and form.
enum GoogleDepthXMP {
  /// The namespace of GDepth.
  static let gdepth = "http://ns.google.com/photos/1.0/depthmap/"
  /// The name under which the directory lists a map written here.
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

  /// The description with the image itself, for an extended packet.
  static func data(of image: GoogleDepthImage) -> [XMPWriter.Property] {
    [.simple(gdepth, "GDepth", "Data", Base64.encoded(image.bytes))]
  }

  /// Dynamic Depth's description: a directory where the packet has none, a profile and the camera.
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

  /// The same where prefixes are not known, so that it declares its own.
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
