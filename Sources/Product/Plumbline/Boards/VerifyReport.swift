import PlumblineImages
public import PlumblineIO
import PlumblineModel
public import PlumblineVerification
import PlumblineExport
import PlumblineVision

extension CalibrationVerification {
  /// The report: one page of HTML that needs nothing else.
  ///
  /// - Parameters:
  ///   - title: What the page is about, such as the name of the folder.
  ///   - preview: A frame that shows the board; `nil` for none.
  ///   - document: The JSON document of the same numbers.
  ///   - measurement: The camera that `calibrate` took from these frames, to be shown first; `nil`
  ///     for the assessment alone.
  /// - Returns: UTF-8 bytes.
  /// - Throws: ``CaptureReadingError`` when the image cannot be encoded.
  public func report(
    title: String, preview: BoardRecording.Preview?, document: String,
    measurement: CalibrationMeasurement? = nil
  ) throws(CaptureReadingError) -> [UInt8] {
    FigurePage(
      title: title, badge: measurement == nil ? badge.word : "Camera measured",
      tone: measurement == nil ? badge.tone : .good,
      reason: (measurement?.sentence ?? reason).boundUnits,
      source: measurement == nil ? sourceText : "\(reason.boundUnits) \(sourceText)",
      numbers: measurement.map { $0.numbers + sensorNumbers.dropLast(2) }
        ?? cameraNumbers + sensorNumbers,
      figures: try figures(preview, measurement), documentJSON: document
    ).html()
  }

  private var badge: (word: String, tone: FigurePage.Tone) {
    switch verdict {
    case .fits: ("Factory calibration fits", .good)
    case .doesNotFit where isMeasurable:
      ("Factory calibration does not fit; the measured one does", .mended)
    case .doesNotFit: ("Factory calibration does not fit", .bad)
    case .cannotTell: ("Cannot tell", .undecided)
    }
  }

  private var sourceText: String {
    var parts = ["\(frames.count) of \(frameCount.counting("frame")) used"]
    if movingCount > 0 { parts.append("\(movingCount) left out since they moved") }
    if boardlessCount > 0 { parts.append("no board found in \(boardlessCount)") }
    if imagelessCount > 0 { parts.append("\(imagelessCount) without an image") }
    if let board = frames.first?.view.board { parts.append(BoardNotation(board).words) }
    if let shape = boardShape {
      parts.append(
        "board bent by \((1000 * shape.flatnessMeters).fixed(2)) mm RMS, taken into account")
    }
    return parts.joined(separator: " · ").boundUnits
  }

  private var cameraNumbers: [FigurePage.Number] {
    let focal = factory?.intrinsics.focalLength.x
    return [
      .init(
        name: "Factory focal length", value: focal.map { "\($0.fixed(2))\u{A0}px" },
        note: focal == nil ? "the frames carry none" : "as the device says"),
      .init(
        name: "Measured focal length",
        value: measured.map { "\($0.focal.fixed(2)) ± \($0.focalSigma.fixed(2)) px".boundUnits },
        note: measured?.lens.words ?? "the views do not determine it"),
      .init(
        name: "Reprojection", value: measured.map { "\($0.rmsPixels.fixed(3))\u{A0}px" },
        note: measured.map(\.missNote)?.boundUnits ?? "no camera to project with"),
    ]
  }

  private var sensorNumbers: [FigurePage.Number] {
    func length(_ depth: DepthAgainstBoard?) -> String? {
      depth?.length.map {
        "\((100 * $0.share).signed(1)) ± \((100 * $0.sigmaShare).fixed(1)) %".boundUnits
      }
    }
    func offset(_ depth: DepthAgainstBoard?) -> String? {
      depth.map {
        "\((1000 * $0.differences.median).signed(1)) ± "
          + "\((1000 * $0.differenceSigmaMeters).fixed(1))\u{A0}mm"
      }
    }
    func spread(_ depth: DepthAgainstBoard?) -> String {
      depth.map {
        "median at \((1000 * $0.distanceMeters).fixed(0)) mm; half of the corners within "
          + "± \((1000 * $0.differences.medianAbsoluteDeviation).fixed(2)) mm of it".boundUnits
      } ?? "no depth, or no camera"
    }
    let plane = (measuredDepth ?? factoryDepth)?.planeRMSMeters
    let fill = fillShare.map { "RMS from a plane; \((100 * $0).fixed(0)) % filled".boundUnits }
    return [
      .init(
        name: "Sensor − board, factory", value: offset(factoryDepth), note: spread(factoryDepth)),
      .init(
        name: "Sensor − board, measured", value: offset(measuredDepth), note: spread(measuredDepth)),
      .init(
        name: "Lengths, factory", value: length(factoryDepth), note: "against the board's own"),
      .init(
        name: "Lengths, measured", value: length(measuredDepth), note: "against the board's own"),
      .init(
        name: "Sensor on the board",
        value: plane.map { "\((1000 * $0).fixed(2))\u{A0}mm" }, note: fill ?? "RMS from a plane"),
      .init(
        name: "Noise in time",
        value: temporalSigmaMeters.map { "\((1000 * $0).fixed(2))\u{A0}mm" },
        note: temporalSigmaMeters == nil ? "no two frames of one pose" : "one corner, 1 σ"),
      .init(
        name: "Images rectified", value: rectification.rawValue,
        note: "judged by how well corners fit"),
    ]
  }

  private func figures(
    _ preview: BoardRecording.Preview?, _ measurement: CalibrationMeasurement?
  ) throws(CaptureReadingError) -> [FigurePage.Figure] {
    var figures: [FigurePage.Figure] = []
    if let drawing = focalFigure { figures.append(drawing) }
    if let drawing = depthFigure { figures.append(drawing) }
    if let drawing = lengthFigure { figures.append(drawing) }
    if let preview {
      figures.append(
        .init(
          title: "The board in frame \(preview.name)",
          caption: "The frame with the most corners; each circle is a corner of the board.",
          drawing: .photo(
            PhotoFigure(
              jpeg: try JPEGEncoder(quality: 75).encoded(preview.color),
              imageSize: preview.imageSize, marks: preview.corners))))
    }
    if let drawing = differenceFigure(measurement) { figures.append(drawing) }
    return figures + coverageFigures
  }

  private var focalFigure: FigurePage.Figure? {
    guard !estimates.isEmpty || given != nil else { return nil }
    let focal = factory?.intrinsics.focalLength.x
    var rows: [IntervalFigure.Row] = []
    if let focal { rows.append(.init(name: "factory", value: focal, sigma: nil)) }
    if let given {
      rows.append(
        .init(
          name: "given calibration", value: given.camera.intrinsics.focalLength.x,
          sigma: given.focalSigma, isMain: true))
    }
    for estimate in estimates {
      rows.append(
        .init(
          name: estimate.lens.name, value: estimate.focal, sigma: estimate.focalSigma,
          remark: "RMS \((estimate.leftOut?.rmsPixels ?? estimate.rmsPixels).fixed(2)) px",
          isMain: given == nil && estimate.lens == measured?.lens))
    }
    return .init(
      title: "Focal length",
      caption: "Thick bars are ± 1 σ, thin ones ± 3 σ; the green band is 1 % around the factory's "
        + "number. RMS is how far corners of frames that were left out lie from where the model puts them: a "
        + "focal length is worth something only where it is small.",
      drawing: .intervals(
        IntervalFigure(rows: rows, reference: focal, toleranceShare: 0.01, unit: "pixels")))
  }

  private var depthFigure: FigurePage.Figure? {
    func series(_ depth: DepthAgainstBoard?, _ name: String, isMain: Bool)
      -> HistogramFigure.Series?
    {
      depth.map { depth in
        .init(
          name: "\(name): median \((1000 * depth.differences.median).signed(1)) mm",
          samples: depth.frames.flatMap(\.sortedDifferences).map { 1000 * $0 },
          median: 1000 * depth.differences.median, isMain: isMain)
      }
    }
    let sets = [
      series(factoryDepth, "factory camera", isMain: false),
      series(measuredDepth, "measured camera", isMain: true),
    ].compactMap(\.self)
    guard let first = factoryDepth ?? measuredDepth, !sets.isEmpty else { return nil }
    return .init(
      title: "Sensor depth minus board depth",
      caption: "How many corners have which difference, at all corners of \(first.framesText), "
        + "each set to its own height. A wrong focal length moves the board, the more the farther "
        + "it is; the sensor's depth stays.",
      drawing: .histogram(HistogramFigure(series: sets, unit: "mm")))
  }

  private var lengthFigure: FigurePage.Figure? {
    func points(_ depth: DepthAgainstBoard?) -> [SIMD2<Double>] {
      depth?.frames.compactMap { frame in
        frame.length.map { SIMD2(1000 * frame.distanceMeters, 100 * $0.share) }
      } ?? []
    }
    func sigmas(_ depth: DepthAgainstBoard?) -> [Double] {
      depth?.frames.compactMap { $0.length.map { 100 * $0.sigmaShare } } ?? []
    }
    let sets = [
      ScatterFigure.Series(
        name: "factory camera", points: points(factoryDepth), sigmas: sigmas(factoryDepth),
        isMain: false),
      ScatterFigure.Series(
        name: "measured camera", points: points(measuredDepth), sigmas: sigmas(measuredDepth),
        isMain: true),
    ].filter { !$0.points.isEmpty }
    guard !sets.isEmpty else { return nil }
    return .init(
      title: "Lengths between corners",
      caption:
        "Each dot is the median of all lengths in one frame, against the board's; its bar, where it is "
        + "longer than the dot, ± 1 σ of the sensor's noise. The green band is ± 1 %; the sensor's own scale is known to "
        + "± 0.6 % only, alike for all dots.",
      drawing: .scatter(
        ScatterFigure(
          series: sets, horizontalName: "distance of the board in mm", verticalName: "error in %",
          tolerance: 1))
    )
  }

  private var coverageFigures: [FigurePage.Figure] {
    guard let coverage else { return [] }
    func grid(showsArrows: Bool) -> ImageGridFigure {
      ImageGridFigure(
        imageSize: coverage.imageSize, columns: ViewCoverage.columns,
        cells: coverage.cells.map { .init(count: $0.count, arrow: $0.meanResidual) },
        showsArrows: showsArrows)
    }
    let uncertainty = projection.map { map in
      FigurePage.Figure(
        title: "How far pixels can be off",
        caption:
          "± of where a ray meets the image, 68 %, once a turn of the whole camera is taken out; "
          + "lengths do not change by one. Stars mark parts in which no corner was seen: there the lens "
          + "is extrapolated, and calibration.json says so.",
        drawing: .grid(
          ImageGridFigure(
            imageSize: coverage.imageSize, columns: map.columns,
            cells: zip(map.cornerCounts, map.sigmaPixels).map { .init(count: $0, value: $1) },
            showsArrows: false, valueCaption: "± in pixels; * no corner seen")))
    }
    return [uncertainty].compactMap(\.self) + [
      .init(
        title: "Coverage",
        caption:
          "Corners were seen in \((100 * coverage.areaShare).fixed(0)) % of the image, out to "
          + "\((100 * coverage.radiusShare).fixed(0)) % of the way to its corners. What was not "
          + "seen is extrapolated.",
        drawing: .grid(grid(showsArrows: false))),
      .init(
        title: "Residuals",
        caption: "Mean of corner minus projection in each part of the image. Arrows that swirl or "
          + "point outward together mean a lens that the model does not have.",
        drawing: .grid(grid(showsArrows: true))),
    ]
  }
}
