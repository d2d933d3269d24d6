public import PlumblineExport
public import PlumblineGeometry
import PlumblineImages
public import PlumblineIO
public import PlumblineModel
import PlumblineRecordings
import PlumblineViewer

extension CaptureCheck {
  /// The color image in the frame of the depth map's stored pixels; `nil` when none was decoded.
  ///
  /// The two are stored alike in every file seen; where their orientations differ, the color is
  /// turned, since the depth must not be.
  public var colorInDepthFrame: Raster<RGB8>? {
    guard let color = capture.color else { return nil }
    let orientation = capture.depth?.orientation ?? capture.colorOrientation
    return color.oriented(by: capture.colorOrientation.followed(by: orientation.inverse))
  }

  /// The measured pixels as points with color and, in meters, ±; `nil` without a calibration.
  ///
  /// Frame: the camera of the depth map as stored, `x` right, `y` down, `z` forward. Cost: O(*n*).
  public var pointCloud: PointCloud? {
    guard let corrected, let rays = corrected.rays else { return nil }
    return PointCloud(
      depth: corrected.depth, rays: rays, color: colorInDepthFrame,
      uncertainty: pointUncertainty,
      isMetric: corrected.isMetric)
  }

  /// The ± of depths in meters; `nil` for a relative map, whose sensor noise has no unit either.
  var metricSigma: SigmaCurve? {
    corrected?.isMetric == true ? assessment.uncertainty?.total : nil
  }

  /// The program that made an output, and its source file.
  public var origin: ExportOrigin {
    ExportOrigin(producer: "plumbline \(PlumblineVersion.text)", sourceSHA256: sha256)
  }

  /// A cloud turned about the optical axis, and mirrored where the file says so, to stand as the
  /// photo is shown; O(*n*).
  public func upright(_ cloud: PointCloud) -> PointCloud {
    guard let orientation = capture.depth?.orientation, orientation != .up else { return cloud }
    let axes = orientation.uprightFromStoredAxes
    var turned = cloud
    turned.positions = cloud.positions.map { point in
      PackedPoint(
        x: Float(axes.x.x) * point.x + Float(axes.y.x) * point.y,
        y: Float(axes.x.y) * point.x + Float(axes.y.y) * point.y, z: point.z)
    }
    return turned
  }

  /// The camera of the depth map with its frames and conventions in words, for `calibration.json`;
  /// `nil` without a depth map.
  public var calibrationDocument: CalibrationDocument? {
    guard let record = capture.depth, let corrected else { return nil }
    // A cropped map has a camera of its own; otherwise the file's own reference says more.
    let calibration = record.cleanAperture == nil ? record.calibration : corrected.calibration
    return CalibrationDocument(
      calibration: calibration, mapSize: corrected.depth.size, orientation: record.orientation,
      isRectified: assessment.rectified == "unknown" ? nil : assessment.rectified == "yes",
      sigma: metricSigma, uncertainty: record.calibrationUncertainty, origin: origin)
  }

  /// The report: one page of HTML that needs nothing else.
  ///
  /// - Parameter cloud: The path of the cloud beside it; `nil` for none.
  /// - Returns: UTF-8 bytes.
  /// - Throws: ``CaptureReadingError`` when the preview cannot be encoded.
  public func report(cloud: String? = nil) throws(CaptureReadingError) -> [UInt8] {
    let document = JSONWriter(layout: .compact).text(document(cloud: cloud))
    return ReportPage(title: fileName, documentJSON: document, scene: try reportScene).html()
  }

  private var reportScene: ReportScene? {
    get throws(CaptureReadingError) {
      guard let corrected, let record = capture.depth, let scene = FrameScene(self) else {
        return nil
      }
      let preview = colorInDepthFrame?.reduced(toMaximumSide: FrameScene.maximumColorSide)
      var jpeg: [UInt8]?
      if let preview, max(preview.width, preview.height) <= JPEGEncoder.maximumSide {
        jpeg = try JPEGEncoder(quality: 80).encoded(preview)
      }
      return ReportScene(
        colorJPEG: jpeg, depthMeters: corrected.depth.meters, isMetric: scene.isMetric,
        rays: scene.rays, isCalibrated: scene.isCalibrated, sigma: scene.sigma,
        lengthPercent: scene.lengthPercent, displayOrientation: record.orientation.rawValue)
    }
  }
}
