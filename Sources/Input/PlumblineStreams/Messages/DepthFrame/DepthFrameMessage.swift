package import PlumblineIO
package import PlumblineModel

/// The data of a capture that no ROS message can represent, `plumbline_msgs/msg/DepthFrame`; its
/// fields are described in `Documentation/formats/mcap-ros2.md`.
///
/// It is the last message of a frame. All messages of a frame share its log time, so if it is
/// present, they are too.
package struct DepthFrameMessage: ROSMessage {
  package static let name = "plumbline_msgs/msg/DepthFrame"
  package static let version: UInt16 = 1

  package var header: ROSHeader
  /// The name of the frame.
  package var frameName: String
  /// The capture without the pixels of its color image; if ``depthImage`` is set, the depth values
  /// have size 0 after reading.
  package var capture: Capture
  /// The image that contains the depth values; `nil` if they are in this message.
  package var depthImage: DepthImageReference?
  /// The size of the depth map, even if its values are in an image.
  package var depthSize: RasterSize?
  /// The number of findings of later versions, which this version does not know.
  package var unknownFindings = 0

  package init(
    header: ROSHeader, frameName: String, capture: Capture, depthImage: DepthImageReference?
  ) {
    self.header = header
    self.frameName = frameName
    self.capture = capture
    self.depthImage = depthImage
    depthSize = capture.depth?.size
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    let version = try reader.readUInt16("the version")
    guard version == Self.version else {
      throw CaptureReadingError(
        .unsupported, path: [Self.name], expected: "version \(Self.version)", found: "\(version)")
    }
    frameName = try reader.readText("the frame's name")
    let time = try reader.readOptionalDouble("the time")
    let pose = try reader.readDoubles("the pose", atMost: 12)
    capture = Capture(source: try reader.readSource())
    guard time?.isFinite != false, pose.isEmpty || pose.count == 12, pose.allSatisfy(\.isFinite)
    else {
      throw reader.malformed(
        expected: "finite times and poses of 12 numbers", found: "\(pose.count) numbers")
    }
    capture.timestampSeconds = time
    if !pose.isEmpty {
      let column = { (index: Int) in
        SIMD3(pose[3 * index], pose[3 * index + 1], pose[3 * index + 2])
      }
      capture.worldFromCamera = RigidTransform(
        rotation: Rotation(x: column(0), y: column(1), z: column(2)), translation: column(3))
    }
    let colorSize = try reader.readSize("the color image")
    capture.colorSize = colorSize.pixelCount > 0 ? colorSize : nil
    capture.colorOrientation = try reader.readOrientation()
    capture.colorCalibration = try reader.readCalibration()
    (capture.depth, depthSize, depthImage) = try reader.readDepth()
    for _ in 0..<(try reader.readCount("steps", minimumBytes: 8)) {
      capture.provenance.append(
        ProvenanceStep(
          name: try reader.readText("a step"), detail: try reader.readText("a step")))
    }
    for _ in 0..<(try reader.readCount("findings", minimumBytes: 28)) {
      if let finding = try reader.readFinding() {
        capture.findings.append(finding)
      } else {
        unknownFindings += 1
      }
    }
  }

  package var byteCountEstimate: Int {
    guard let depth = capture.depth else { return 4096 }
    var perPixel = depthImage == nil ? 4 : depthImage?.residuals.isEmpty == true ? 0 : 1
    if depth.confidence != nil { perPixel += 1 }
    if depth.sigmaMeters != nil { perPixel += 4 }
    switch depth.storedSamples {
    case .uint8: perPixel += 1
    case .uint16: perPixel += 2
    case nil: break
    }
    // 4096 covers lens tables of 42 numbers, and strings.
    return perPixel * depth.size.pixelCount + 4096
  }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(Self.version)
    writer.write(frameName)
    writer.write(optional: capture.timestampSeconds)
    if let pose = capture.worldFromCamera {
      let columns = [pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translation]
      writer.write(columns.flatMap { [$0.x, $0.y, $0.z] })
    } else {
      writer.write([Double]())
    }
    writer.write(capture.source)
    writer.write(capture.colorSize ?? RasterSize(width: 0, height: 0))
    writer.write(UInt8(capture.colorOrientation.rawValue))
    writer.write(optional: capture.colorCalibration)
    writer.write(capture.depth, depthImage)
    writer.write(UInt32(capture.provenance.count))
    for step in capture.provenance {
      writer.write(step.name)
      writer.write(step.detail)
    }
    writer.write(UInt32(capture.findings.count))
    for finding in capture.findings { writer.write(finding) }
  }
}

extension DepthFrameMessage {
  package static let definition = ROSDefinition.text(
    """
    # One capture of a depth camera: what no message of ROS holds. Optional things are sequences of
    # none or one. Made by Plumbline; described in its Documentation/formats/mcap-ros2.md.
    std_msgs/Header header
    uint16 version
    string name
    float64[] timestamp_seconds
    float64[] world_from_camera
    plumbline_msgs/Source source
    uint32 color_width
    uint32 color_height
    uint8 color_orientation
    plumbline_msgs/Calibration[] color_calibration
    plumbline_msgs/DepthMap[] depth
    plumbline_msgs/ProvenanceStep[] provenance
    plumbline_msgs/Finding[] findings
    """,
    with: [
      (
        name: "plumbline_msgs/Source",
        fields: """
        string[] make
        string[] model
        string[] lens_model
        string[] system
        string camera
        string interface
        int8 is_geometry_corrected
        string[] captured_at
        """
      ),
      (
        name: "plumbline_msgs/DepthMap",
        fields: """
        string kind
        uint32 width
        uint32 height
        string image_topic
        string image_rule
        uint8[] residuals
        float32[] values
        string stored_type
        string[] native_type
        string accuracy
        bool has_unit
        int8 is_filtered
        string[] quality
        plumbline_msgs/Calibration[] calibration
        plumbline_msgs/CalibrationUncertainty[] calibration_uncertainty
        int8 is_rectified
        int32[] clean_aperture
        uint8 orientation
        plumbline_msgs/Raster8[] confidence
        uint8 confidence_maximum
        plumbline_msgs/Raster32F[] sigma_meters
        plumbline_msgs/Raster8[] invented_pixels
        plumbline_msgs/Raster8[] codes8
        plumbline_msgs/Raster16[] codes16
        uint8 code_bits
        int64[] quantization_codes
        float64[] quantization_values
        """
      ),
      (
        name: "plumbline_msgs/Calibration",
        fields: """
        uint32 width
        uint32 height
        float64[2] focal_length
        float64[2] principal_point
        float64[] pixel_size_millimeters
        plumbline_msgs/Distortion[] distortion
        float64[] extrinsics
        """
      ),
      (
        name: "plumbline_msgs/Distortion",
        fields: """
        float64[2] center
        float64 maximum_radius
        float64 pixel_size_millimeters
        plumbline_msgs/Magnification[] distorting
        plumbline_msgs/Magnification[] undistorting
        """
      ),
      (
        name: "plumbline_msgs/Magnification",
        fields: "bool is_table\nfloat32[] table\nfloat64[] coefficients"
      ),
      (
        name: "plumbline_msgs/CalibrationUncertainty",
        fields: """
        float64[] focal_length
        float64[] principal_point
        bool has_radial_terms
        float64[] radial_terms
        string basis
        """
      ),
      (name: "plumbline_msgs/Raster8", fields: "uint32 width\nuint32 height\nuint8[] data"),
      (name: "plumbline_msgs/Raster16", fields: "uint32 width\nuint32 height\nuint16[] data"),
      (name: "plumbline_msgs/Raster32F", fields: "uint32 width\nuint32 height\nfloat32[] data"),
      (name: "plumbline_msgs/ProvenanceStep", fields: "string name\nstring detail"),
      (
        name: "plumbline_msgs/Finding",
        fields: """
        string code
        string severity
        string message
        string evidence
        string correction
        float64[] z_millimeters
        float64[] length_percent
        """
      ),
    ] + ROSDefinition.header)
}
