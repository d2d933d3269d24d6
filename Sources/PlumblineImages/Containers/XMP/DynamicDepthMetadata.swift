public import PlumblineIO

/// Google's second depth format (Dynamic Depth 1.0), whose maps are appended to the file.
///
/// Source: namespaces under `http://ns.google.com/photos/dd/1.0/`.
public struct DynamicDepthMetadata: Sendable, Hashable {
  /// The depth map of one camera.
  public struct DepthMap: Sendable, Hashable {
    /// The law and the ends of the stored range.
    public var range: DynamicDepthRange
    /// The kind of distances that the map holds.
    public var measureType: GDepthMetadata.MeasureType
    /// What the map is: `Depth`, or `Segmentation` for a cut-out that is no measurement.
    public var itemSemantic: String?
    /// The name of the depth image in the directory.
    public var depthURI: String
    /// The name of the confidence image in the directory.
    public var confidenceURI: String?
    /// The program that computed depth.
    public var software: String?
  }

  /// The pinhole of one camera, in pixels of its own image size; pixel origin not documented.
  public struct ImagingModel: Sendable, Hashable {
    /// The focal length along x, in pixels.
    public var focalLengthX: Double
    /// The focal length along y, in pixels.
    public var focalLengthY: Double
    /// The column of the principal point.
    public var principalPointX: Double
    /// The row of the principal point.
    public var principalPointY: Double
    /// The image width that the numbers refer to, in pixels.
    public var imageWidth: Double
    /// The image height that the numbers refer to, in pixels.
    public var imageHeight: Double
  }

  /// One camera of the device.
  public struct Camera: Sendable, Hashable {
    /// Its depth map; `nil` when it has none.
    public var depthMap: DepthMap?
    /// Its pinhole; `nil` when it is absent or incomplete.
    public var imagingModel: ImagingModel?
  }

  /// The cameras in their order.
  public var cameras: [Camera]
  /// The directory of appended images.
  public var directory: AppendedImageDirectory?

  private static let base = "http://ns.google.com/photos/dd/1.0/"

  /// Reads the properties of a packet, extended XMP merged in.
  ///
  /// - Returns: `nil` when the packet has no `Device:Cameras`.
  /// - Throws: `.malformed` for a range that makes no sense or a map without image name,
  ///   `.unsupported` for an unknown format.
  public init?(_ packet: XMPPacket) throws(CaptureReadingError) {
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
