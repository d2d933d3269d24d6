import PlumblineCorrection
import PlumblineInference
import PlumblineModel
import PlumblineVision

/// What was measured in an image, to which its estimate is fitted.
struct FitReference {
  /// What was measured, pixel by pixel.
  let samples: [FitSample]
  /// The kind of it.
  let target: FitTarget
  /// The sensor's map of which the samples are taken, NaN where it is not trusted; `nil` for other targets.
  var map: DepthMap?
  /// The ± of the map's depths.
  var mapSigma = SigmaCurve()

  /// Distances and corners are put on a grid of at most so many columns and rows: on the image's own
  /// grid a single pixel would not be visible.
  static let maximumGridSide = 256

  /// What a fit leaves at every position that was measured and took part in it, before edges are
  /// sharpened.
  ///
  /// Of a sensor's map it has the grid; distances and corners are one pixel each of a coarser one, and
  /// of several in one pixel the last counts. O(*n*) of the sensor's map.
  func residual(of estimate: DepthEstimate, by fit: EstimateFit) -> DepthResidual {
    let image = estimate.grid.placement.imageSize
    if let map {
      let scale = Self.scale(from: map.size, to: image)
      let own = Raster(size: map.size) { x, y in
        Float(
          estimate.meters(at: (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5, by: fit))
      }
      return DepthResidual(estimate: DepthMap(meters: own), measured: map) { [mapSigma] in
        mapSigma.sigmaMeters(atDepth: $0)
      }
    }
    let share = min(1, Double(Self.maximumGridSide) / Double(max(image.width, image.height)))
    let size = RasterSize(
      width: max(1, Int(Double(image.width) * share)),
      height: max(1, Int(Double(image.height) * share)))
    let scale = Self.scale(from: size, to: image)
    var meters = Raster(size: size, repeating: Float.nan)
    var sigmas = meters
    for sample in samples {
      let own = estimate.meters(at: sample.pixel, by: fit)
      guard own.isFinite else { continue }
      let place = (sample.pixel + 0.5) / scale
      let x = min(max(Int(place.x), 0), size.width - 1)
      let y = min(max(Int(place.y), 0), size.height - 1)
      meters[x, y] = Float(own - sample.meters)
      sigmas[x, y] = Float(sample.sigmaMeters)
    }
    return DepthResidual(meters: meters, sigmaMeters: sigmas)
  }

  private static func scale(from size: RasterSize, to image: RasterSize) -> SIMD2<Double> {
    SIMD2(
      Double(image.width) / Double(max(size.width, 1)),
      Double(image.height) / Double(max(size.height, 1)))
  }
}

extension EstimateRequest {
  /// Collects what was measured in an image; `nil` where nothing was, and nothing was requested.
  ///
  /// Distances come first, then a board, then the capture's own depth.
  ///
  /// - Parameters:
  ///   - analysis: The capture, assessed.
  ///   - image: Its image in the depth map's frame.
  ///   - camera: The camera of the image.
  /// - Returns: The samples and what they are of.
  /// - Throws: ``EstimationError`` for a distance outside of the image, a board that is not in it, and
  ///   where sensor depth is required and there is none in meters; ``PixelError``. Cost: O(*n*).
  func fitReference(
    in analysis: CaptureAnalysis, image: Raster<RGB8>, camera: PhotoCamera
  ) throws -> FitReference? {
    let located = try located(in: analysis, imageSize: image.size)
    let distances = distances + located.map(\.inImage)
    if !distances.isEmpty {
      for known in distances where !image.contains(x: known.x, y: known.y) {
        throw EstimationError(
          .mismatch, expected: "a pixel of the image of \(image.size)",
          found: "\(known.x), \(known.y)")
      }
      let samples = distances.map {
        FitSample(
          pixel: [Double($0.x), Double($0.y)], meters: $0.meters,
          sigmaMeters: DistanceFit.tapeSigmaMeters)
      }
      return FitReference(samples: samples, target: .distances(samples.count))
    }
    if let board {
      return FitReference(samples: try Self.samples(on: board, image, camera), target: .board)
    }
    return try sensorUse == .none ? nil : sensorReference(in: analysis, imageSize: image.size)
  }

  /// The capture's own depth where it is trusted.
  private func sensorReference(
    in analysis: CaptureAnalysis, imageSize: RasterSize
  ) throws(EstimationError) -> FitReference? {
    guard let depth = analysis.corrected?.depth, let record = analysis.capture.depth,
      analysis.hasFilterableDepth, analysis.capture.estimate == nil
    else {
      if sensorUse == .auto { return nil }
      let relative = analysis.capture.depth == nil ? "none" : "a map without a known scale"
      throw EstimationError(
        .missing, expected: "sensor depth in meters to fit to", found: relative)
    }
    let marks = Self.untrusted(record, size: depth.size)
    let samples = FitSample.samples(
      of: depth, sigma: analysis.sensorSigma, untrusted: marks, imageSize: imageSize)
    guard !samples.isEmpty else {
      if sensorUse == .auto { return nil }
      throw EstimationError(
        .missing, expected: "a measured pixel to fit to", found: "none in the sensor's depth")
    }
    let trusted = marks.map { marks in
      DepthMap(
        meters: Raster(size: depth.size) { x, y in
          marks[x, y] == 0 ? depth.meters[x, y] : DepthMap.missing
        })
    }
    return FitReference(
      samples: samples, target: .sensorDepth, map: trusted ?? depth,
      mapSigma: analysis.wholeSensorSigma)
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
        .cameraUnknown,
        expected: "the focal length of the photo, by which a board's distance is known",
        found: "none in the photo")
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
