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
