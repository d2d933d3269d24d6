package import PlumblineIO
package import PlumblineModel

/// The calibration of a camera for one image, `sensor_msgs/msg/CameraInfo`.
package struct CameraInfoMessage: ROSMessage {
  package static let name = "sensor_msgs/msg/CameraInfo"
  package static let definition = ROSDefinition.text(
    """
    std_msgs/Header header
    uint32 height
    uint32 width
    string distortion_model
    float64[] d
    float64[9] k
    float64[9] r
    float64[12] p
    uint32 binning_x
    uint32 binning_y
    sensor_msgs/RegionOfInterest roi
    """,
    with: ROSDefinition.header + [
      (
        name: "sensor_msgs/RegionOfInterest",
        fields: "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify"
      )
    ])

  package var header: ROSHeader
  package var height: Int
  package var width: Int
  /// `plumb_bob`, `rational_polynomial`, `equidistant`, or empty if not stated.
  package var distortionModel: String
  /// The terms of the distortion model: k1, k2, p1, p2, k3 and so on.
  package var d: [Double]
  /// The camera matrix of the image, row after row.
  package var k: [Double]
  /// The rotation from the camera to the rectified camera, row after row.
  package var r: [Double]
  /// The projection matrix of the rectified camera, row after row.
  package var p: [Double]
  /// The number of pixels combined, horizontally and vertically; 0 means 1.
  var binning: SIMD2<UInt32> = .zero
  /// The region of interest in the full image: x, y, height, width; all 0 for the whole image.
  package var window: SIMD4<UInt32> = .zero

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    header = try ROSHeader(from: &reader)
    height = Int(try reader.readUInt32("the height"))
    width = Int(try reader.readUInt32("the width"))
    distortionModel = try reader.readString("the distortion model")
    d = try reader.readDoubles("D", atMost: 64)
    k = try reader.readDoubles(count: 9, "K")
    r = try reader.readDoubles(count: 9, "R")
    p = try reader.readDoubles(count: 12, "P")
    binning.x = try reader.readUInt32("the binning")
    binning.y = try reader.readUInt32("the binning")
    for index in 0..<4 { window[index] = try reader.readUInt32("the window") }
    _ = try reader.readBool("the window")
  }

  package func write(to writer: inout CDRWriter) {
    header.write(to: &writer)
    writer.write(UInt32(height))
    writer.write(UInt32(width))
    writer.write(distortionModel)
    writer.write(d)
    writer.write(array: k)
    writer.write(array: r)
    writer.write(array: p)
    writer.write(binning.x)
    writer.write(binning.y)
    for index in 0..<4 { writer.write(window[index]) }
    writer.write(false)
  }
}

extension CameraInfoMessage {
  /// The message for a calibration, scaled to the size of an image.
  ///
  /// A lens is stored in `D` if it is a polynomial about the principal point. For a lens table or
  /// another center the model stays empty, since no ROS model can represent it.
  /// - Precondition: `calibration.intrinsics.matchesAspect(of: size)`.
  package init(
    header: ROSHeader, _ calibration: CameraCalibration, size: RasterSize, isRectified: Bool
  ) {
    let scaled = calibration.scaled(to: size)
    let camera = scaled.intrinsics
    self.header = header
    height = size.height
    width = size.width
    if isRectified || scaled.distortion?.isZero == true {
      distortionModel = "plumb_bob"
      d = [0, 0, 0, 0, 0]
    } else if let terms = scaled.distortion?.radialPolynomial(of: camera) {
      distortionModel = "plumb_bob"
      d = [terms.x, terms.y, 0, 0, terms.z]
    } else {
      distortionModel = ""
      d = []
    }
    let focal = camera.focalLength
    let point = camera.principalPoint
    k = [focal.x, 0, point.x, 0, focal.y, point.y, 0, 0, 1]
    r = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    p = [focal.x, 0, point.x, 0, 0, focal.y, point.y, 0, 0, 0, 1, 0]
  }

  /// The calibration in the message, with findings about what could not be represented.
  ///
  /// `plumb_bob` without tangential terms, and `rational_polynomial` without tangential terms and
  /// denominator, are radial polynomials; for every other model the distortion is unknown.
  /// - Returns: No calibration if `K` is all zeros, which ROS drivers write for "not calibrated".
  package func calibration(topic: String) -> (calibration: CameraCalibration?, findings: [Finding])
  {
    let evidence = printable(text: topic)
    func finding(_ code: FindingCode, _ message: String) -> [Finding] {
      [Finding(code, .caution, message, evidence: evidence)]
    }
    if k.allSatisfy({ $0 == 0 }) {
      return (nil, finding(.calibrationMissing, "the camera info has no camera matrix (K is 0)"))
    }
    let columns = (0..<9).map { (index: Int) -> Double in k[index % 3 * 3 + index / 3] }
    guard (1...1_000_000).contains(width), (1...1_000_000).contains(height),
      let intrinsics = PinholeIntrinsics(
        columnMajor: columns, size: RasterSize(width: width, height: height))
    else {
      return (
        nil, finding(.calibrationDamaged, "K is no pinhole camera's matrix for \(width)×\(height)")
      )
    }
    var calibration = CameraCalibration(intrinsics: intrinsics)
    var findings: [Finding] = []
    if binning.max() > 1 || window[2] > 0 && window[2] != UInt32(height)
      || window[3] > 0 && window[3] != UInt32(width)
    {
      findings += finding(
        .calibrationOtherSize,
        "the camera info binds K to a binned or cut image, which is not taken into account")
    }
    if d.contains(where: { $0 != 0 }) {
      if let terms = radialTerms {
        let lens = LensDistortion(radialPolynomial: terms, of: intrinsics)
        if lens.isFinite {
          calibration.distortion = lens
        } else {
          findings += finding(.calibrationDamaged, "D moves points out of sight: \(d)")
        }
      } else {
        findings += finding(
          .calibrationDistortionUnknown,
          "the lens model \(printable(text: distortionModel.prefix(40))) with \(d.count) terms is "
            + "no radial polynomial and is left out")
      }
    }
    return (calibration, findings)
  }

  /// k1, k2, k3 if the other terms are 0 or absent; `nil` otherwise.
  private var radialTerms: SIMD3<Double>? {
    guard ["plumb_bob", "rational_polynomial"].contains(distortionModel),
      d.count >= 4, d.allSatisfy(\.isFinite), d[2] == 0, d[3] == 0,
      d.dropFirst(5).allSatisfy({ $0 == 0 })
    else { return nil }
    return [d[0], d[1], d.count > 4 ? d[4] : 0]
  }
}
