import PlumblineCorrection
import PlumblineEstimation
import PlumblineModel
import PlumblineVision

/// What was measured in an image, to which its estimate is fitted.
struct FitPlaces {
  let samples: [FitSample]
  let target: FitTarget
  /// The sensor's map of which they are taken, NaN where it is not trusted; `nil` for other places.
  private(set) var map: DepthMap?
  /// The ± of the map's depths.
  private(set) var mapSigma = SigmaCurve()

  /// Collects it; `nil` where nothing was, and nothing was requested.
  ///
  /// Distances come first, then a board, then the capture's own depth.
  init?(
    _ check: CaptureCheck, image: Raster<RGB8>, camera: PhotoCamera, request: EstimateRequest
  ) throws(EstimationError) {
    if !request.distances.isEmpty {
      for known in request.distances where !image.contains(x: known.x, y: known.y) {
        throw EstimationError(
          .mismatch, expected: "a pixel of the image of \(image.size)",
          found: "\(known.x), \(known.y)")
      }
      samples = request.distances.map {
        FitSample(
          pixel: [Double($0.x), Double($0.y)], meters: $0.meters,
          sigmaMeters: DistanceFit.tapeSigmaMeters)
      }
      target = .distances(samples.count)
      return
    }
    if let board = request.board {
      samples = try Self.samples(on: board, image, camera)
      target = .board
      return
    }
    guard request.sensorUse != .none else { return nil }
    guard let depth = check.corrected?.depth, let record = check.capture.depth,
      check.hasFilterableDepth, check.capture.estimate == nil
    else {
      if request.sensorUse == .auto { return nil }
      let relative = check.capture.depth == nil ? "none" : "a map without a known scale"
      throw EstimationError(
        .missing, expected: "sensor depth in meters to fit to", found: relative)
    }
    let (sigma, marks) = (check.sensorSigma, Self.untrusted(record, size: depth.size))
    samples = FitSample.samples(
      of: depth, sigma: sigma, untrusted: marks, imageSize: image.size)
    target = .sensorDepth
    map =
      marks.map { marks in
        DepthMap(
          meters: Raster(size: depth.size) { x, y in
            marks[x, y] == 0 ? depth.meters[x, y] : DepthMap.missing
          })
      } ?? depth
    mapSigma = check.wholeSensorSigma
    guard !samples.isEmpty else {
      if request.sensorUse == .auto { return nil }
      throw EstimationError(
        .missing, expected: "a measured pixel to fit to", found: "none in the sensor's depth")
    }
  }

  /// 1 where a sensor trusts a pixel least, or a filter invented it; `nil` for nowhere.
  private static func untrusted(_ record: DepthRecord, size: RasterSize) -> Raster<UInt8>? {
    let crop = record.cleanAperture
    func fitting(_ raster: Raster<UInt8>?) -> Raster<UInt8>? {
      guard let raster else { return nil }
      if raster.size == size { return raster }
      return crop.flatMap {
        $0.size == size && $0.isInside(raster.size) ? raster.cropped(to: $0) : nil
      }
    }
    let levels = record.confidence.flatMap { $0.maximumLevel > 0 ? fitting($0.levels) : nil }
    let invented = fitting(record.inventedPixels)
    guard levels != nil || invented != nil else { return nil }
    return Raster(size: size) { x, y in
      levels.map { $0[x, y] == 0 } ?? false || invented.map { $0[x, y] != 0 } ?? false ? 1 : 0
    }
  }

  /// The corners of a board in an image, with the depth that its pose gives each.
  private static func samples(
    on board: Board, _ image: Raster<RGB8>, _ camera: PhotoCamera
  ) throws(EstimationError) -> [FitSample] {
    guard let calibration = camera.calibration,
      camera.source == .calibration || camera.source == .exif
    else {
      throw EstimationError(
        .missing, expected: "the focal length of the photo, by which a board's distance is known",
        found: "none in the photo; give --calibration")
    }
    guard let view = BoardDetector(board: board).view(in: image.luma) else {
      throw EstimationError(
        .missing, expected: "the board in the image", found: "no such board")
    }
    var lens = LensModel.none
    if let distortion = calibration.distortion, !distortion.isZero { lens = .radial(distortion) }
    let model = CameraModel(intrinsics: calibration.intrinsics, lens: lens)
    let pose: BoardPose
    do throws(CalibrationError) {
      pose = try BoardPose.estimate(view, camera: model)
    } catch {
      throw EstimationError(.degenerate, expected: "a pose of the board", found: "\(error)")
    }
    let share = camera.focalSigmaShare ?? 0.002
    let samples = view.corners.compactMap { corner -> FitSample? in
      let meters = (pose.cameraFromBoard * view.board.cornerInBoard(corner.id)).z
      guard meters > 0, meters.isFinite else { return nil }
      let own = pose.sigmaTranslation.z
      let scale = share * meters
      let sigma = (own * own + scale * scale).squareRoot()
      return FitSample(
        pixel: corner.pixel, meters: meters, sigmaMeters: sigma.isFinite ? sigma : scale)
    }
    return samples
  }
}
