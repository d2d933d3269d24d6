import ArgumentParser
import Plumbline
import Synchronization

/// Prints each change and each signal of a watched camera as it comes, until the camera ends.
struct ProximityPrinter: Sendable {
  private var watch: ProximityWatch
  private let frameLimit: Int?
  private let secondsLimit: Double?
  private let isJSON: Bool
  private let isQuiet: Bool
  private let bell: Bool

  init(
    _ watch: ProximityWatch, frameLimit: Int?, secondsLimit: Double?, isJSON: Bool, isQuiet: Bool,
    bell: Bool
  ) {
    self.watch = watch
    self.frameLimit = frameLimit
    self.secondsLimit = secondsLimit
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.bell = bell
  }

  /// Prints the changes and signals of a camera's frames until they end.
  ///
  /// - Parameters:
  ///   - events: The camera's frames; every one is read.
  ///   - estimate: Estimates a frame's depth; `nil` to take its own.
  /// - Returns: The exit code.
  /// - Throws: ``ProximityError`` for depths that are not in meters, ``DepthCameraError`` from the camera,
  ///   and what estimating throws.
  func printAlerts(
    of events: DepthCameraEvents,
    estimate: (@Sendable (Capture) throws -> EstimateResult)? = nil
  ) async throws -> ExitCode {
    var watch = watch
    var lost = 0
    var (first, newest): (Double?, Double?)
    for try await event in events {
      switch event {
      case .capture(let capture):
        (first, newest) = (first ?? capture.timestampSeconds, capture.timestampSeconds)
        let found =
          if let estimate { try watch.next(estimate(capture)) } else { try watch.next(capture) }
        if let found { tell(found, watch, since: first ?? 0) }
        if let frameLimit, watch.frameCount >= frameLimit { events.stop() }
        if let secondsLimit, let first, let newest, newest - first >= secondsLimit { events.stop() }
      case .dropped(let frames): lost += frames.count
      case .motion, .motionLost, .thermal, .depthRate, .configured, .interrupted, .resumed: break
      }
    }
    tellEnd(of: watch, lost: lost)
    return status(of: watch)
  }

  /// The exit code, which says whether there was an answer: fewer frames than must agree give none.
  private func status(of watch: ProximityWatch) -> ExitCode {
    guard watch.frameCount > 0, watch.frameCount < watch.alert.confirmingFrames else {
      return watch.frameCount == 0 ? CommandExit.unusableInput : .success
    }
    StandardError.print(
      "plumbline: no answer: \(watch.frameCount.counting("frame")) came, and --confirm wants "
        + "\(watch.alert.confirmingFrames) in a row")
    return CommandExit.unusableInput
  }

  /// Watches the latest frames of a live camera by their estimates.
  ///
  /// - Returns: The exit code.
  /// - Throws: As ``printAlerts(of:estimate:)``.
  func printAlerts(of live: LiveEstimation, stop: RecordingStop) async throws -> ExitCode {
    let state = Mutex<(watch: ProximityWatch, first: Double?)>((watch, nil))
    let counts = try await live.run(stop: stop) { result, _ in
      try state.withLock { state in
        state.first = state.first ?? result.before.capture.timestampSeconds
        if let event = try state.watch.next(result) {
          tell(event, state.watch, since: state.first ?? 0)
        }
      }
    }
    let watch = state.withLock { $0.watch }
    tellEnd(of: watch, lost: counts.dropped)
    return status(of: watch)
  }

  private func tell(
    _ event: ProximityAlert.Event, _ watch: ProximityWatch, since first: Double
  ) {
    if bell && event.isSignal { StandardError.append("\u{7}") }
    if isJSON {
      print([
        ("event", .string(event.isChange ? "change" : "signal")),
        ("seconds", .number(event.seconds)),
        ("state", .string(event.state.rawValue)),
        ("signal", .bool(event.isSignal)),
        ("nearestMeters", .number(event.reading.nearestMeters)),
        ("sigmaMeters", .number(event.reading.sigmaMeters)),
        ("measuredShare", .number(event.reading.measuredShare)),
        ("sigmaSource", .string(watch.sigmaSource?.rawValue)),
        ("region", Self.region(of: watch).map { .object($0.documentParts) } ?? .null),
        (
          "estimate",
          watch.estimate.map {
            .object([("model", .string($0.model)), ("fittedTo", .string($0.fittedTo))])
          } ?? .null
        ),
      ])
    } else if !isQuiet {
      StandardOutput.print("\((event.seconds - first).fixed(2)) s  \(Self.words(event, watch))")
    }
  }

  private func tellEnd(of watch: ProximityWatch, lost: Int) {
    if isJSON {
      print([
        ("event", "end"), ("frames", .integer(watch.frameCount)), ("lostFrames", .integer(lost)),
        ("unfittedFrames", .integer(watch.unfittedFrameCount)),
        ("state", .string(watch.alert.state.rawValue)),
        ("region", Self.region(of: watch).map { .object($0.documentParts) } ?? .null),
      ])
    } else if watch.frameCount == 0 {
      StandardError.print("plumbline: no frame came")
    } else if !isQuiet {
      let unfitted =
        watch.unfittedFrameCount == 0
        ? "" : ", \(watch.unfittedFrameCount) without a fit that is believed"
      StandardOutput.print(
        "\(watch.frameCount.counting("frame")), \(lost) lost\(unfitted), "
          + "\(watch.alert.state.rawValue) at the end"
          + (Self.region(of: watch).map { ", region \($0.text)" } ?? ""))
    }
  }

  /// The part of the latest frame that counted, where it is not all of it.
  private static func region(of watch: ProximityWatch) -> LocatedRectangle? {
    watch.region == .whole ? nil : watch.latestRegion
  }

  private func print(_ fields: [(String, JSONValue)]) {
    StandardOutput.print(
      JSONWriter(layout: .compact).text(.object([("schema", "plumbline.watch/1")] + fields)))
  }

  private static func words(_ event: ProximityAlert.Event, _ watch: ProximityWatch) -> String {
    let word = watch.estimate == nil ? "measured" : "estimated"
    let share = "\((100 * event.reading.measuredShare).fixed(0)) % \(word)"
    guard let nearest = event.reading.nearestMeters else {
      return "\(event.state.rawValue)  nothing as large as a thing, \(share)"
    }
    let sigma = event.reading.sigmaMeters.map { "± \((1000 * $0).fixed(1)) mm" } ?? "± not known"
    let distance = "\((1000 * nearest).fixed(0)) mm \(sigma)"
    guard let estimate = watch.estimate else {
      return "\(event.state.rawValue)  \(distance), \(share)"
    }
    // An estimate is no measurement, and is never reported like one.
    let fit = estimate.fittedTo.map { "fitted to \($0)" } ?? "fitted to nothing"
    let basis = watch.sigmaSource == .published ? ", ± as published for other images" : ""
    return "\(event.state.rawValue)  about \(distance), an estimate of "
      + "\(printable(text: estimate.model)) \(fit)\(basis), \(share)"
  }
}
