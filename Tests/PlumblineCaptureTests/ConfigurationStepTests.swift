import PlumblineCapture
import PlumblineModel
import Testing

@Suite("The order in which a stream is configured")
struct ConfigurationStepTests {
  static func plan(
    _ settings: DepthStreamSettings, canCorrect: Bool = true,
    among formats: DeviceFormats = .iPhone7Plus, system: SystemVersion = SystemVersion(18)
  ) throws -> DepthStreamConfiguration {
    let choice = try FormatChoice(
      for: FormatRequest(depthTypes: [.depth32, .depth16, .disparity16], system: system),
      among: formats)
    return DepthStreamConfiguration(
      choice: choice, settings: settings, canCorrectGeometricDistortion: canCorrect)
  }

  @Test("For metrology: correction off before anything else, nothing filtered, a matrix per frame")
  func metrology() throws {
    let plan = try Self.plan(.metrology)
    let thirtieth = FrameDuration(framesPerSecond: 30)
    let fifteenth = FrameDuration(framesPerSecond: 15)
    #expect(
      plan.steps == [
        .lockDevice, .setGeometricDistortionCorrection(false), .unlockDevice,
        .beginConfiguration, .addDeviceInput(.dual), .setInputPriority,
        .addVideoOutput(discardsLateFrames: true),
        .addDepthOutput(isFiltered: false, discardsLateData: true),
        .lockDevice, .setFormat(index: 0), .setDepthFormat(index: 0), .turnOffAutomaticFrameRate,
        .setVideoDuration(thirtieth), .setDepthDuration(fifteenth), .unlockDevice,
        .setVideoPixelType(.fullRange8),
        .setRotation(.color, degrees: 0), .setRotation(.depth, degrees: 0),
        .turnOffMirroring(.color), .turnOffMirroring(.depth),
        .turnOffStabilization, .setIntrinsicsDelivery(true),
        .turnOffDeferredStart(.color), .turnOffDeferredStart(.depth),
        .synchronizeVideoFirst, .commitConfiguration,
        .verifyGeometricDistortionCorrection(false), .verifyFormat(index: 0), .startRunning,
      ])
  }

  /// What a session's own rules say of the position of each step.
  private struct SessionModel {
    private(set) var session = SessionRules()
    var hasInput = false
    var hasOutputs = false
    var hasFormat = false
    var isStabilized = true
    var isAutomatic = true

    /// Carries out a step; returns whether AVFoundation would accept it here.
    mutating func take(_ step: ConfigurationStep) -> Bool {
      guard !session.isRunning else { return false }
      switch step {
      case .lockDevice: return session.lock()
      case .unlockDevice: return session.unlock()
      case .beginConfiguration: return session.begin()
      case .commitConfiguration: return session.commit()
      case .addDeviceInput:
        hasInput = true
        return session.isConfiguring
      case .setInputPriority: return session.isConfiguring
      case .addVideoOutput, .addDepthOutput:
        hasOutputs = true
        return session.isConfiguring && hasInput
      case .setGeometricDistortionCorrection: return session.isLocked && !session.isConfiguring
      case .setFormat:
        hasFormat = true
        return session.isLocked && session.isConfiguring && hasInput
      case .turnOffAutomaticFrameRate:
        isAutomatic = false
        return session.isLocked && hasFormat
      case .setVideoDuration: return session.isLocked && hasFormat && !isAutomatic
      case .setDepthFormat, .setDepthDuration, .setZoom: return session.isLocked && hasFormat
      case .turnOffStabilization:
        isStabilized = false
        return session.isConfiguring && hasOutputs
      case .setIntrinsicsDelivery: return session.isConfiguring && hasOutputs && !isStabilized
      case .setVideoPixelType: return session.isConfiguring && hasOutputs && hasFormat
      case .setRotation, .turnOffMirroring, .turnOffDeferredStart, .synchronizeVideoFirst:
        return session.isConfiguring && hasOutputs
      case .verifyGeometricDistortionCorrection, .verifyFormat:
        return !session.isLocked && !session.isConfiguring
      case .startRunning: return session.start()
      }
    }
  }

  @Test(
    "A session accepts every step where it stands, on each table of formats",
    arguments: FormatTables.all, [DepthStreamSettings.metrology, .preview])
  func order(formats: DeviceFormats, settings: DepthStreamSettings) throws {
    for canCorrect in [false, true] {
      for system in [SystemVersion(16), SystemVersion(18)] {
        let plan = try Self.plan(settings, canCorrect: canCorrect, among: formats, system: system)
        var model = SessionModel()
        for step in plan.steps {
          let isAccepted = model.take(step)
          #expect(isAccepted, "\(step)")
        }
        #expect(model.session.isComplete)
        let touches = plan.steps.contains {
          if case .setGeometricDistortionCorrection = $0 { true } else { false }
        }
        #expect(touches == canCorrect)
      }
    }
  }

  @Test("Before iOS 12 the depth rate is not limited")
  func uncapped() throws {
    let steps = try Self.plan(.metrology, system: SystemVersion(11)).steps
    #expect(!steps.contains { if case .setDepthDuration = $0 { true } else { false } })
  }

  @Test("What cannot be had is said, what would be turned off is not missed, the rest is a failure")
  func consequences() throws {
    let plan = try Self.plan(.metrology)
    let silent = plan.steps.filter { $0.ifUnsupported == .nothing }
    #expect(
      silent == [
        .turnOffAutomaticFrameRate, .turnOffMirroring(.color), .turnOffMirroring(.depth),
        .turnOffStabilization, .turnOffDeferredStart(.color), .turnOffDeferredStart(.depth),
      ])
    #expect(ConfigurationStep.setVideoPixelType(.fullRange8).ifUnsupported == .failure)
    #expect(ConfigurationStep.setIntrinsicsDelivery(false).ifUnsupported == .nothing)
    let summary = StreamSummary(
      plan, unsupported: [.setIntrinsicsDelivery(true), .turnOffStabilization])
    #expect(summary.remarks.filter { $0.contains("no matrix") }.count == 1)
    #expect(summary.remarks.count == plan.remarks.count + 1)
    #expect(summary.video == "1440×1080 420f at 30 fps")
    #expect(summary.depth == "320×240 hdis at 15 fps")
    for step in plan.steps { #expect(!step.words.isEmpty) }
  }

  @Test("Remarks follow the settings that hold, not those that were asked for")
  func remarks() throws {
    #expect(try Self.plan(.preview).remarks.contains { $0.contains("rectified") })
    #expect(
      try Self.plan(.preview, canCorrect: false).remarks.allSatisfy { !$0.contains("rectified") })
    #expect(try Self.plan(.metrology).remarks.allSatisfy { !$0.contains("smoothed") })
  }
}
