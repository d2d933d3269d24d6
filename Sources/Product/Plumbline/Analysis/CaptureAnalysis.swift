public import PlumblineCorrection
public import PlumblineExport
public import PlumblineGeometry
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineRecordings
public import PlumblineVerification

/// A capture as read, its depth as corrected, and the assessment of both: what ``CaptureAnalyzer`` returns.
public struct CaptureAnalysis: Sendable {
  /// The name that outputs carry.
  public var fileName: String
  /// The SHA-256 of the file, hexadecimal; `nil` for a frame of several files.
  public var sha256: String?
  /// The capture as read, with the steps of the correction in its provenance.
  public var capture: Capture
  /// Its depth as corrected; `nil` when it has none.
  public var corrected: CorrectedDepth?
  /// The assessment.
  public var assessment: CaptureAssessment
  /// The 35 mm equivalent focal length that the photo's Exif states; `nil` where it states none, for a
  /// frame of a recording, and where color was not requested.
  public var exifFocal: FilmFocalLength?
  /// The measured distances that were applied, with the places of their pixels; empty without any.
  public var distances: [LocatedDistance] = []
}

extension CaptureAnalysis {
  /// What the user said of the depth map in place of its file, in words; see ``DepthStatement``.
  public var statements: [String] {
    capture.provenance.filter { $0.kind == .statedUnit || $0.kind == .statedAbsolute }
      .map(\.detail)
  }

  /// The color image in the frame of the depth map's stored pixels; `nil` when none was decoded.
  ///
  /// The two are stored alike in every file seen; where their orientations differ, the color is
  /// turned, since the depth must not be.
  public var colorInDepthFrame: Raster<RGB8>? { capture.colorInDepthFrame }

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

  /// The points of ``pointCloud``, or why there are none.
  ///
  /// - Throws: `.missing` with the finding that says what the capture lacks.
  package func requiredPointCloud() throws(CaptureReadingError) -> PointCloud {
    if let pointCloud { return pointCloud }
    let missing = assessment.findings.first {
      $0.code == .calibrationMissing || $0.code == .depthMissing
    }
    throw CaptureReadingError(
      .missing, expected: "a depth map with a camera calibration", found: missing?.message ?? "none"
    )
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
    var turned = cloud
    turned.positions = orientation.upright(cloud.positions)
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
      isRectified: assessment.isRectified,
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
        lengthPercent: scene.lengthPercent, errors: scene.errorsDocument,
        displayOrientation: record.orientation.rawValue)
    }
  }
}

extension CaptureAnalysis {
  /// One standard deviation of each corrected depth, where the map brings its own, in the unit of the
  /// depths; `nil` elsewhere, NaN where the depth is missing.
  ///
  /// That of known distances is in it. Cost: O(*n*).
  var pixelSigma: Raster<Float>? {
    guard let corrected, let own = corrected.sigmaMeters else { return nil }
    guard corrected.distanceFit != nil, let fit = assessment.uncertainty?.calibration else {
      return own
    }
    return Raster(size: own.size) { x, y in
      let shared = Float(fit.sigmaMeters(atDepth: Double(corrected.depth.meters[x, y])))
      return (own[x, y] * own[x, y] + shared * shared).squareRoot()
    }
  }
}

extension Capture {
  /// The color image in the frame of the depth map's stored pixels; `nil` when none was decoded.
  var colorInDepthFrame: Raster<RGB8>? {
    guard let color else { return nil }
    let orientation = depth?.orientation ?? colorOrientation
    return color.oriented(by: colorOrientation.followed(by: orientation.inverse))
  }
}

extension DepthRecord {
  /// The confidence of the pixels inside of the clean aperture, as depths are cropped to it; `nil`
  /// without any, or where it has not the map's size.
  package var croppedConfidence: ConfidenceMap? {
    guard let confidence, confidence.levels.size == size else { return nil }
    guard let crop = cleanAperture, crop.size != size else { return confidence }
    return ConfidenceMap(
      levels: confidence.levels.cropped(to: crop), maximumLevel: confidence.maximumLevel)
  }
}

extension DepthRecord {
  /// The marks of invented pixels inside of the clean aperture; `nil` without any, or where they have not the
  /// map's size.
  package var croppedInventedPixels: Raster<UInt8>? {
    guard let inventedPixels, inventedPixels.size == size else { return nil }
    guard let crop = cleanAperture, crop.size != size else { return inventedPixels }
    return inventedPixels.cropped(to: crop)
  }
}

extension ImageOrientation {
  /// Points or directions in a camera's axes, turned about the optical axis to stand as the photo is shown; O(*n*).
  func upright(_ points: [PackedPoint]) -> [PackedPoint] {
    let axes = uprightFromStoredAxes
    return points.map { point in
      PackedPoint(
        x: Float(axes.x.x) * point.x + Float(axes.y.x) * point.y,
        y: Float(axes.x.y) * point.x + Float(axes.y.y) * point.y, z: point.z)
    }
  }
}
