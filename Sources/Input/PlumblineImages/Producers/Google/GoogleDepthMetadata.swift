package import PlumblineIO

/// Google's first depth format (GDepth 1.0), whose map is stored inside XMP itself.
///
/// Source: namespace `http://ns.google.com/photos/1.0/depthmap/`.
package struct GDepthMetadata: Sendable, Hashable {
  /// The kinds of distances that a depth map can hold.
  package enum MeasureType: String, Sendable, CaseIterable {
    /// Along the optical axis, as Apple's depth; the default.
    case opticalAxis = "OpticalAxis"
    /// Along the ray of each pixel.
    case opticRay = "OpticRay"
  }

  /// The law and the ends of the stored range.
  package var range: DynamicDepthRange
  /// The kind of distances that the map holds.
  package var measureType: MeasureType
  /// The type of the image in ``depthImage``, such as `image/png`; `nil` when not stated.
  package var mime: String?
  /// The compressed depth image, decoded from base64; it covers the whole color image.
  package var depthImage: [UInt8]
  /// The type of the image in ``confidenceImage``.
  package var confidenceMime: String?
  /// The compressed confidence image; `nil` when there is none.
  package var confidenceImage: [UInt8]?
  /// The maker of the device that measured depth.
  package var manufacturer: String?
  /// The model of the device that measured depth.
  package var model: String?
  /// The program that computed depth.
  package var software: String?

  private static let namespace = "http://ns.google.com/photos/1.0/depthmap/"

  /// Reads the properties of a packet, extended XMP merged in.
  ///
  /// - Returns: `nil` when the packet has no GDepth property at all.
  /// - Throws: `.malformed` for a range or base64 that makes no sense, `.unsupported` for an
  ///   unknown format, `.missing` without depth data, `.limitExceeded`.
  package init?(
    _ packet: XMPPacket, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let path = ["XMP", "GDepth"]
    guard packet.properties.keys.contains(where: { $0.namespace == Self.namespace }) else {
      return nil
    }
    var reader = XMPPropertyReader(packet: packet, namespace: Self.namespace)
    range = try reader.depthRange(unit: reader.text("Units"), path: path)
    measureType =
      reader.text("MeasureType").flatMap { MeasureType(rawValue: $0) } ?? .opticalAxis
    mime = reader.text("Mime")
    confidenceMime = reader.text("ConfidenceMime")
    manufacturer = reader.text("Manufacturer")
    model = reader.text("Model")
    software = reader.text("Software")
    guard let data = reader.text("Data") else {
      throw CaptureReadingError(
        .missing, path: path, expected: "depth data (GDepth:Data)", found: "none")
    }
    depthImage = try Base64.decoded(data, atMost: limits.metadataBytes, path: path + ["Data"])
    if let confidence = reader.text("Confidence") {
      confidenceImage = try Base64.decoded(
        confidence, atMost: limits.metadataBytes, path: path + ["Confidence"])
    }
  }
}

extension XMPPropertyReader {
  /// The range that `Format`, `Near` and `Far` describe; the format defaults to inverse.
  mutating func depthRange(
    unit: String?, path: [String]
  ) throws(CaptureReadingError) -> DynamicDepthRange {
    let name = text("Format") ?? DynamicDepthRange.Format.inverse.rawValue
    guard let format = DynamicDepthRange.Format(rawValue: name) else {
      throw CaptureReadingError(
        .unsupported, path: path, expected: "RangeLinear or RangeInverse",
        found: printable(name.utf8.prefix(40)))
    }
    guard let near = number("Near"), let far = number("Far") else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "finite numbers for Near and Far",
        found: "\(printable((text("Near") ?? "nothing").utf8.prefix(40))) and "
          + printable((text("Far") ?? "nothing").utf8.prefix(40)))
    }
    return try DynamicDepthRange(
      format: format, near: near, far: far, unit: DynamicDepthRange.Unit(unit))
  }
}

/// Google's second depth format (Dynamic Depth 1.0), whose maps are appended to the file.
///
/// Source: namespaces under `http://ns.google.com/photos/dd/1.0/`.
package struct DynamicDepthMetadata: Sendable, Hashable {
  /// The depth map of one camera.
  package struct DepthMap: Sendable, Hashable {
    /// The law and the ends of the stored range.
    package var range: DynamicDepthRange
    /// The kind of distances that the map holds.
    package var measureType: GDepthMetadata.MeasureType
    /// What the map is: `Depth`, or `Segmentation` for a cut-out that is no measurement.
    package var itemSemantic: String?
    /// The name of the depth image in the directory.
    package var depthURI: String
    /// The name of the confidence image in the directory.
    package var confidenceURI: String?
    /// The program that computed depth.
    package var software: String?
  }

  /// The pinhole of one camera, in pixels of its own image size; pixel origin not documented.
  package struct ImagingModel: Sendable, Hashable {
    /// The focal length along x, in pixels.
    package var focalLengthX: Double
    /// The focal length along y, in pixels.
    package var focalLengthY: Double
    /// The column of the principal point.
    package var principalPointX: Double
    /// The row of the principal point.
    package var principalPointY: Double
    /// The image width that the numbers refer to, in pixels.
    package var imageWidth: Double
    /// The image height that the numbers refer to, in pixels.
    package var imageHeight: Double
  }

  /// One camera of the device.
  package struct Camera: Sendable, Hashable {
    /// Its depth map; `nil` when it has none.
    package var depthMap: DepthMap?
    /// Its pinhole; `nil` when it is absent or incomplete.
    package var imagingModel: ImagingModel?
  }

  /// The cameras in their order.
  package var cameras: [Camera]
  /// The directory of appended images.
  package var directory: AppendedImageDirectory?

  private static let base = "http://ns.google.com/photos/dd/1.0/"

  /// Reads the properties of a packet, extended XMP merged in.
  ///
  /// - Returns: `nil` when the packet has no `Device:Cameras`.
  /// - Throws: `.malformed` for a range that makes no sense or a map without image name,
  ///   `.unsupported` for an unknown format.
  package init?(_ packet: XMPPacket) throws(CaptureReadingError) {
    let device = Self.base + "device/"
    guard let list = packet[device, "Cameras"] else { return nil }
    cameras = []
    for item in list.items {
      let camera = item[device, "Camera"] ?? item
      let namespace = Self.base + "camera/"
      cameras.append(
        Camera(
          depthMap: try camera[namespace, "DepthMap"].map(Self.depthMap),
          imagingModel: camera[namespace, "ImagingModel"].flatMap(Self.imagingModel)))
    }
    directory = AppendedImageDirectory(packet)
  }

  private static func depthMap(_ value: XMPValue) throws(CaptureReadingError) -> DepthMap {
    let path = ["XMP", "Dynamic Depth"]
    var reader = XMPPropertyReader(structure: value, namespace: base + "depthmap/")
    guard let uri = reader.text("DepthURI") else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "the name of the depth image (DepthURI)", found: "none")
    }
    return DepthMap(
      range: try reader.depthRange(unit: reader.text("Units"), path: path),
      measureType: reader.text("MeasureType")
        .flatMap { GDepthMetadata.MeasureType(rawValue: $0) } ?? .opticalAxis,
      itemSemantic: reader.text("ItemSemantic"), depthURI: uri,
      confidenceURI: reader.text("ConfidenceURI"), software: reader.text("Software"))
  }

  private static func imagingModel(_ value: XMPValue) -> ImagingModel? {
    var reader = XMPPropertyReader(structure: value, namespace: base + "imagingmodel/")
    guard let fx = reader.number("FocalLengthX"), let fy = reader.number("FocalLengthY"),
      let cx = reader.number("PrincipalPointX"), let cy = reader.number("PrincipalPointY"),
      let width = reader.number("ImageWidth"), let height = reader.number("ImageHeight"),
      fx > 0, fy > 0, width > 0, height > 0
    else { return nil }
    return ImagingModel(
      focalLengthX: fx, focalLengthY: fy, principalPointX: cx, principalPointY: cy,
      imageWidth: width, imageHeight: height)
  }
}
