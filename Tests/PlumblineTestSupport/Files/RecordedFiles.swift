import PlumblineImages
package import PlumblineModel

/// Small files as recording apps write them, with a depth of `300 + x + 10·y` mm at each pixel and
/// nothing measured at the first.
package enum RecordedFiles {
  /// The size of every map.
  package static let size = RasterSize(width: 8, height: 6)
  /// The size that the camera's numbers belong to.
  package static let referenceSize = RasterSize(width: 80, height: 60)
  /// The focal length and principal point at the reference size.
  package static let intrinsics = PinholeIntrinsics(
    focalLength: [70, 70], principalPoint: [40.5, 29.25], size: referenceSize)
  /// Both distortion tables, shortened.
  package static let tables: (distorting: [Float], undistorting: [Float]) = (
    [0, 0.01, 0.02, 0.03], [0, -0.01, -0.0195, -0.029]
  )

  /// The depth of a pixel in millimeters; 0 at the first.
  package static func millimeters(_ x: Int, _ y: Int) -> Int {
    x == 0 && y == 0 ? 0 : 300 + x + 10 * y
  }

  /// The depth map as 16-bit PNG in 0.1 mm.
  package static var depthPNG: [UInt8] {
    PNGEncoder().encoded(Raster<UInt16>(size: size) { x, y in UInt16(millimeters(x, y) * 10) })
  }

  /// A color image whose red is the column.
  package static func colorPNG(_ size: RasterSize = size) -> [UInt8] {
    PNGEncoder().encoded(
      Raster(size: size) { x, y in RGB8(red: UInt8(x), green: UInt8(y), blue: 7) })
  }

  /// One entry of `DepthMetadata.json`, with the matrix as the app scales it, or unscaled.
  package static func depthMetadata(_ timestamp: Int, isScaled: Bool = true) -> String {
    let s = isScaled ? Double(size.width) / Double(referenceSize.width) : 1
    let f = intrinsics.focalLength * s
    let c = intrinsics.principalPoint * s
    return """
      {"Accuracy": 1, "DepthDataFiltered": false, "Width": \(size.width), "Height": \(size.height),
       "IntrinsicMatrix.0": "(\(f.x), 0.0, \(c.x))", "IntrinsicMatrix.1": "(0.0, \(f.y), \(c.y))",
       "IntrinsicMatrix.2": "(0.0, 0.0, 1.0)", "LensDistortionCenter": "(40.5, 29.25)",
       "IntrinsicMatrixReferenceDimensions": "(\(referenceSize.width).0, \(referenceSize.height).0)",
       "ExtrinsicMatrix.0": "(1.0, 0.0, 0.0, 5.0)", "ExtrinsicMatrix.1": "(0.0, 1.0, 0.0, 6.0)",
       "ExtrinsicMatrix.2": "(0.0, 0.0, 1.0, 7.0)", "MediaSubType": "fdep", "PixelSize": 0.001,
       "LensDistortionLookupTable": \(tables.distorting), "Quality": 1,
       "LensDistortionInverseLookupTable": \(tables.undistorting), "Timestamp": \(timestamp)}
      """
  }

  /// One entry of `CameraMetadata.json`.
  package static func cameraMetadata(_ timestamp: Int, isCorrected: Bool = true) -> String {
    """
    {"DeviceType": "AVCaptureDeviceTypeBuiltInTrueDepthCamera", "Timestamp": \(timestamp),
     "GeometricDistortionCorrectionEnabled": \(isCorrected)}
    """
  }

  /// A whole dump.
  package static func dump(_ timestamps: [Int], isScaled: Bool = true) -> MemoryFolder {
    var folder = MemoryFolder(texts: [
      "DepthMetadata.json":
        "[\(timestamps.map { depthMetadata($0, isScaled: isScaled) }.joined(separator: ","))]",
      "CameraMetadata.json": "[\(timestamps.map { cameraMetadata($0) }.joined(separator: ","))]",
      "checkersize.txt": "2.0875",
    ])
    for timestamp in timestamps {
      folder.files["depth_\(timestamp).png"] = depthPNG
      folder.files["rgb_\(timestamp).png"] = colorPNG()
    }
    return folder
  }

  /// The JSON of a PLY depth frame.
  package static func frameMetadata(timestamp: Double) -> String {
    """
    {"timestamp":\(timestamp),"width":\(size.width),"height":\(size.height),"camera_intrinsics":{
    "intrinsic_matrix":[70.0,0.0,0.0,0.0,70.0,0.0,40.5,29.25,1.0],
    "extrinsic_matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1],"pixel_size_mm":0.001,
    "intrinsic_matrix_reference_dimensions_width":80,
    "intrinsic_matrix_reference_dimensions_height":60,
    "lens_distortion_center_x":40.5,"lens_distortion_center_y":29.25,
    "lens_distortion_lookup_table":\(tables.distorting),
    "inverse_lens_distortion_lookup_table":\(tables.undistorting)}}
    """
  }

  /// A PLY depth frame in one of the three encodings.
  package static func plyFrame(
    timestamp: Double = 12.5, encoding: String = "binary_little_endian", json: String? = nil
  ) -> [UInt8] {
    let metadata = Array((json ?? frameMetadata(timestamp: timestamp)).utf8)
    let count = size.pixelCount
    let header = """
      ply
      format \(encoding) 1.0
      comment StandardCyborgFusionVersion 1.2.0
      element metadata \(metadata.count)
      property uchar char
      element color \(count)
      property float r
      property float g
      property float b
      element depth \(count)
      property float d
      end_header

      """
    var floats: [Float] = []
    for y in 0..<size.height {
      for x in 0..<size.width { floats += [Float(x) / 255, Float(y) / 255, 0] }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let depth = millimeters(x, y)
        floats.append(depth == 0 ? 9999 : Float(depth) / 1000)
      }
    }
    if encoding == "ascii" {
      let lines = metadata.map { "\($0)" } + floats.map { "\($0)" }
      return Array((header + lines.joined(separator: "\n") + "\n").utf8)
    }
    let isBig = encoding == "binary_big_endian"
    return Array(header.utf8) + metadata
      + floats.flatMap { value in
        let bits = isBig ? value.bitPattern.byteSwapped : value.bitPattern
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      }
  }

  /// An RGB-D JSON text; `calibration_data` lists columns.
  package static func rgbdJSON(hasCalibration: Bool = true, scale: Double = 1) -> String {
    let rows = (0..<size.height).map { y in
      "[" + (0..<size.width).map { "\(Double(millimeters($0, y)) * scale)" }.joined(separator: ",")
        + "]"
    }
    let calibration = """
      "calibration_data": {"intrinsic_matrix": [[70.0,0,0],[0,70.0,0],[40.5,29.25,1]],
      "pixel_size": 0.001, "intrinsic_matrix_reference_dimensions": [80, 60],
      "lens_distortion_center": [40.5, 29.25],
      "lens_distortion_lookup_table": \(tables.distorting),
      "inverse_lens_distortion_lookup_table": \(tables.undistorting)},
      """
    return "{\(hasCalibration ? calibration : "") \"depth_data\": [\(rows.joined(separator: ","))]}"
  }
}
