import PlumblineCorrection
import PlumblineModel
import Synchronization

/// The steps of frames that are alike in all but their pixels, found out once.
final class CorrectionPlans: Sendable {
  /// What the steps of a frame depend on.
  struct Key: Hashable {
    var source: CaptureSource
    var depthSize: RasterSize?
    var calibrations: [CameraCalibration?]
    var isRectified: Bool?
    var cleanAperture: PixelRectangle?
    var orientations: [ImageOrientation?]
    var colorSize: RasterSize?
    /// Names alone: details have the numbers of each frame.
    var steps: [String]
    var findings: [String]

    init(_ capture: Capture) {
      let record = capture.depth
      source = capture.source
      depthSize = record?.size
      calibrations = [record?.calibration, capture.colorCalibration]
      isRectified = record?.isRectified
      cleanAperture = record?.cleanAperture
      orientations = [record?.orientation, capture.colorOrientation]
      colorSize = capture.color?.size ?? (capture.colorFile == nil ? nil : capture.colorSize)
      steps = capture.provenance.map(\.name)
      findings = capture.findings.map { "\($0.code.rawValue) \($0.correction.rawValue)" }
    }
  }

  /// The steps of such frames, and where a rectification takes each pixel from.
  struct Plan: Sendable {
    var key: Key
    var steps: [any CaptureCorrection]
  }

  private let plans = Mutex(RecentlyUsed<Key, Plan>())
  private let rectifications = Mutex(RecentlyUsed<Key, RectificationPlan>())

  /// The plan of a frame, made if no frame like it came before.
  func plan(
    for capture: Capture, _ make: (Capture) throws -> [any CaptureCorrection]
  ) throws -> Plan {
    let key = Key(capture)
    if let known = plans.withLock({ $0.value(of: key) }) { return known }
    let plan = Plan(key: key, steps: try make(capture))
    plans.withLock { $0.keep(plan, for: key) }
    return plan
  }

  /// A frame after the steps of its plan; `applied` gets each of them.
  func corrected(
    _ capture: Capture, by plan: Plan, _ applied: (CorrectionApplication) -> Void
  ) throws(CorrectionError) -> Capture {
    var capture = capture
    for step in plan.steps {
      let application: CorrectionApplication
      if let step = step as? CaptureRectification {
        application = try step.application(
          to: capture, by: rectification(step, of: capture, plan.key))
      } else {
        application = try step.application(to: capture)
      }
      capture = application.capture
      applied(application)
    }
    return capture
  }

  /// The plan of a rectification; there is one step of the kind at most, and equal frames come to it
  /// equal but for their pixels.
  private func rectification(
    _ step: CaptureRectification, of capture: Capture, _ key: Key
  ) throws(CorrectionError) -> RectificationPlan {
    var key = key
    // A color file that could not be decoded has no pixels to be planned for.
    key.colorSize = capture.color?.size
    if let known = rectifications.withLock({ $0.value(of: key) }) { return known }
    let plan = try step.plan(for: capture)
    rectifications.withLock { $0.keep(plan, for: key) }
    return plan
  }
}

/// The eight values that were used last: a lens that focuses comes back to the same few states.
private struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Few, since the maps of one rectification take 12 bytes a pixel.
  private static var maximumCount: Int { 8 }
  /// The one used last is the last.
  private var entries: [(key: Key, value: Value)] = []

  mutating func value(of key: Key) -> Value? {
    guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.value
  }

  mutating func keep(_ value: Value, for key: Key) {
    // Another thread may have made the same.
    entries.removeAll { $0.key == key }
    if entries.count >= Self.maximumCount { entries.removeFirst() }
    entries.append((key, value))
  }
}
