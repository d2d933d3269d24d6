import ArgumentParser
import Plumbline

/// Watches a camera until it ends and prints each change and each signal as it comes.
struct ProximitySession: Sendable {
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

  /// Runs to the end.
  ///
  /// - Throws: ``ProximityError`` where depths are no meters, ``DepthCameraError`` of the camera.
  func run(_ events: DepthCameraEvents) async throws -> ExitCode {
    var watch = watch
    var lost = 0
    var (first, newest): (Double?, Double?)
    for try await event in events {
      switch event {
      case .capture(let capture):
        (first, newest) = (first ?? capture.timestampSeconds, capture.timestampSeconds)
        if let event = try watch.next(capture) { tell(event, since: first ?? 0) }
        if let frameLimit, watch.frameCount >= frameLimit { events.stop() }
        if let secondsLimit, let first, let newest, newest - first >= secondsLimit { events.stop() }
      case .dropped(let frames): lost += frames.count
      case .motion, .motionLost, .thermal, .depthRate: break
      }
    }
    tellEnd(of: watch, lost: lost)
    return watch.frameCount == 0 ? CommandExit.unusableInput : .success
  }

  private func tell(_ event: ProximityAlert.Event, since first: Double) {
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
      ])
    } else if !isQuiet {
      StandardOutput.print("\((event.seconds - first).fixed(2)) s  \(Self.words(event))")
    }
  }

  private func tellEnd(of watch: ProximityWatch, lost: Int) {
    if isJSON {
      print([
        ("event", "end"), ("frames", .integer(watch.frameCount)), ("lostFrames", .integer(lost)),
        ("state", .string(watch.alert.state.rawValue)),
      ])
    } else if watch.frameCount == 0 {
      StandardError.print("plumbline: no frame came")
    } else if !isQuiet {
      StandardOutput.print(
        "\(watch.frameCount.counting("frame")), \(lost) lost, \(watch.alert.state.rawValue) at the end"
      )
    }
  }

  private func print(_ fields: [(String, JSONValue)]) {
    StandardOutput.print(
      JSONWriter(layout: .compact).text(.object([("schema", "plumbline.watch/1")] + fields)))
  }

  private static func words(_ event: ProximityAlert.Event) -> String {
    let share = "\((100 * event.reading.measuredShare).fixed(0)) % measured"
    guard let nearest = event.reading.nearestMeters else {
      return "\(event.state.rawValue)  nothing as large as a thing, \(share)"
    }
    let sigma = event.reading.sigmaMeters.map { "± \((1000 * $0).fixed(1)) mm" } ?? "± not known"
    return "\(event.state.rawValue)  \((1000 * nearest).fixed(0)) mm \(sigma), \(share)"
  }
}
