import PlumblineExport
import PlumblineGeometry
import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

extension Scan {
  /// The figures of the report.
  var figures: [FigurePage.Figure] {
    [residualFigure, pathFigure, sigmaFigure, scaleFigure].compactMap(\.self)
  }

  private var residualFigure: FigurePage.Figure {
    let frames = trajectory.frames.map { frame in
      let millimeters = frame.isFused ? frame.quality.map { 1000 * $0.medianMeters } : nil
      return FrameFigure.Frame(
        value: millimeters.flatMap { $0.isFinite ? $0 : nil }, tone: frame.state.tone)
    }
    return .init(
      title: "Tracking",
      caption:
        "How far the pixels of each frame lie from the surface so far along its normal, in the median, "
        + "and below it what became of the frame.",
      drawing: .frames(
        FrameFigure(
          frames: frames, verticalName: "residual in mm",
          toneNames: ["fits", "motion alone", "left out"])))
  }

  private var pathFigure: FigurePage.Figure? {
    let refined = pieces { $0.isFused ? $0.estimate?.aFromB : nil }
    guard !refined.isEmpty else { return nil }
    let (across, up) = drawnAxes(of: refined.flatMap(\.self))
    func path(_ name: String, _ pieces: [[SIMD3<Double>]], isMain: Bool) -> PathFigure.Path {
      let drawn = pieces.map { piece in
        piece.map { SIMD2(($0 * across).sum(), ($0 * up).sum()) }
      }
      return PathFigure.Path(name: name, pieces: drawn, isMain: isMain)
    }
    let recorded = pieces(\.recordedWorldFromCamera)
    let paths =
      (recorded.isEmpty ? [] : [path("as recorded", recorded, isMain: false)])
      + [path("as registered", refined, isMain: true)]
    return .init(
      title: hasUp ? "Path of the camera from above" : "Path of the camera",
      caption: recorded.isEmpty
        ? "Seen across the plane in which it is widest. No poses were recorded."
        : "Both begin at the first frame's recorded pose. Where they part, depths and recorded poses disagree.",
      drawing: .paths(PathFigure(paths: paths)))
  }

  /// Whether the world says what is up.
  private var hasUp: Bool { frame != .camera && axes != .unknown }

  /// The directions of the world that are drawn to the right and upward: as seen from above, or those in which
  /// the path is widest.
  private func drawnAxes(of path: [SIMD3<Double>]) -> (SIMD3<Double>, SIMD3<Double>) {
    if hasUp { return ([1, 0, 0], axes == .yUp ? [0, 0, -1] : [0, 1, 0]) }
    let middle = path.reduce(SIMD3<Double>.zero, +) / Double(max(path.count, 1))
    var spread = SymmetricMatrix(count: 3)
    for point in path {
      let offset = point - middle
      for row in 0..<3 {
        for column in 0..<3 { spread[row, column] += offset[row] * offset[column] }
      }
    }
    let widest = spread.eigen.pairs.sorted { $0.value > $1.value }.map(\.vector)
    return (
      SIMD3(widest[0][0], widest[0][1], widest[0][2]),
      SIMD3(widest[1][0], widest[1][1], widest[1][2])
    )
  }

  /// The positions, in pieces where a pose is missing or another surface begins.
  private func pieces(_ pose: (TrackedFrame) -> RigidTransform?) -> [[SIMD3<Double>]] {
    var pieces: [[SIMD3<Double>]] = []
    var fragment: Int?
    for frame in trajectory.frames {
      guard let position = pose(frame)?.translation else {
        fragment = nil
        continue
      }
      if fragment == frame.fragment {
        pieces[pieces.count - 1].append(position)
      } else {
        pieces.append([position])
      }
      fragment = frame.fragment
    }
    return pieces
  }

  private var sigmaFigure: FigurePage.Figure? {
    guard let sigmas = fragments[0].mesh.sigmaMeters else { return nil }
    // So many show a histogram as well as all.
    let step = max(1, sigmas.count / 200_000)
    let samples = stride(from: 0, to: sigmas.count, by: step).map { 1000 * Double(sigmas[$0]) }
      .filter(\.isFinite).sorted()
    guard let median = samples.middleOfSorted else { return nil }
    func percentile(_ percent: Int) -> String {
      samples[min(samples.count - 1, samples.count * percent / 100)].fixed(2)
    }
    return .init(
      title: "Expected error of vertices",
      caption: ("One standard deviation along the normal: 10 % of the vertices are below \(percentile(10)) mm, "
        + "90 % below \(percentile(90)) mm, 99 % below \(percentile(99)) mm. The scale, which all lengths "
        + "share, is not in it.").boundUnits,
      drawing: .histogram(
        HistogramFigure(
          series: [
            .init(
              name: "vertices: median \(median.fixed(2)) mm", samples: samples, median: median,
              isMain: true)
          ], unit: "mm")))
  }

  private var scaleFigure: FigurePage.Figure? {
    var rows = [
      IntervalFigure.Row(name: "depths, by their sensor", value: 100, sigma: 100 * scaleSigma)
    ]
    if let ratio = tracking.pathRatio, ratio > 0 {
      rows.append(.init(name: "recorded path, against the depths", value: 100 / ratio, sigma: nil))
    }
    if let scale {
      rows.append(
        .init(
          name: "depths, against what is known", value: 100 * (1 + scale.share),
          sigma: 100 * scale.sigmaShare, isMain: true))
    }
    guard rows.count > 1 else { return nil }
    return .init(
      title: "Scale",
      caption:
        "Lengths in percent of the true ones. Thick bars are ± 1 σ, thin ones ± 3 σ; the green band is ± 1 %. Only "
        + "a known length tells whether depths or the recorded path are off.",
      drawing: .intervals(
        IntervalFigure(rows: rows, reference: 100, toleranceShare: 0.01, unit: "% of true lengths"))
    )
  }
}

extension TrackingState {
  /// The color of a frame in the report.
  fileprivate var tone: FrameFigure.Tone {
    switch self {
    case .started, .tracked, .relocalized: .good
    case .followed: .weak
    case .lost, .skipped: .lost
    }
  }
}
