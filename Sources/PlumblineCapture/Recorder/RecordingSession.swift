import PlumblineModel
public import PlumblineStreams

/// Records a camera until it ends, a limit is reached, it is stopped, or it fails.
///
/// Whatever happens, the file is finished and what was stored stays. One without a frame is not
/// finished: nothing could read it, and an older file may have its name.
public struct RecordingSession: Sendable {
  /// Why a recording ended.
  public enum Ending: Sendable {
    /// The source has nothing more.
    case sourceEnded
    /// The wanted number of frames or seconds is there.
    case limit
    /// The end was requested.
    case stopped
    /// The device became too warm.
    case tooWarm(DepthRateChange)
    /// The camera failed; the recording holds what came before.
    case cameraFailed(DepthCameraError)
    /// The file could not be written; it holds the stored frames.
    case writingFailed(RecordingWritingError)
  }

  /// The result of a recording.
  public struct Outcome: Sendable {
    /// Why the recording ended.
    public let ending: Ending
    /// The numbers of stored and lost frames and their times.
    public let statistics: RecordingStatistics
    /// Why the first refused frame was refused; `nil` for none.
    public let firstRefusal: RecordingWritingError?
  }

  /// The most frames to write; `nil` for no limit.
  public var frameLimit: Int?
  /// The longest time from the first frame, on the frames' clock, in seconds; `nil` for no limit.
  public var secondsLimit: Double?

  /// Creates a session.
  public init(frameLimit: Int? = nil, secondsLimit: Double? = nil) {
    self.frameLimit = frameLimit
    self.secondsLimit = secondsLimit
  }

  /// Runs.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - recorder: Takes the events; finished afterwards.
  ///   - stop: Ends the recording from elsewhere.
  ///   - progress: Called after each event.
  /// - Returns: How the recording ended, and what was written.
  public func run(
    _ source: any DepthCameraSource, into recorder: inout CaptureRecorder,
    stop: RecordingStop = RecordingStop(),
    progress: (RecordingStatistics) -> Void = { _ in }
  ) async -> Outcome {
    var ending = await record(source, into: &recorder, stop, progress)
    do throws(RecordingWritingError) {
      if recorder.statistics.writtenFrames > 0 { try recorder.finish() }
    } catch {
      // The first failure says more than what follows from it.
      if case .writingFailed = ending {} else { ending = .writingFailed(error) }
    }
    progress(recorder.statistics)
    return Outcome(
      ending: ending, statistics: recorder.statistics, firstRefusal: recorder.firstRefusal)
  }

  private func record(
    _ source: any DepthCameraSource, into recorder: inout CaptureRecorder, _ stop: RecordingStop,
    _ progress: (RecordingStatistics) -> Void
  ) async -> Ending {
    let events = source.events()
    stop.onRequest { events.stop() }
    var iterator = events.makeAsyncIterator()
    while !hasEnough(recorder.statistics) {
      let event: DepthCameraEvent?
      do throws(DepthCameraError) { event = try await iterator.next() } catch {
        return .cameraFailed(error)
      }
      guard let event else {
        if stop.isRequested { return .stopped }
        if let change = recorder.statistics.depthRate, change.isStop { return .tooWarm(change) }
        return .sourceEnded
      }
      do throws(RecordingWritingError) { try recorder.take(event) } catch {
        return .writingFailed(error)
      }
      progress(recorder.statistics)
    }
    return .limit
  }

  private func hasEnough(_ statistics: RecordingStatistics) -> Bool {
    if let frameLimit, statistics.writtenFrames >= frameLimit { return true }
    if let secondsLimit, statistics.seconds >= secondsLimit { return true }
    return false
  }
}

extension RecordingSession.Outcome {
  /// A summary for people, at the end of a recording.
  ///
  /// - Parameter name: What the recording is called.
  /// - Returns: Frames, losses and, where it is no good end, why it ended.
  public func summary(of name: String) -> String {
    let losses = CaptureStatus.lossText(
      statistics.drops, motionSamples: statistics.lostMotionSamples)
    var text = "\(name): \(statistics.storedFrames.counting("frame")), \(losses)"
    if statistics.refusedFrames > 0 { text += ", \(statistics.refusedFrames) refused" }
    switch ending {
    case .sourceEnded, .limit, .stopped: return text
    case .tooWarm(let change): return text + "; " + change.description
    case .cameraFailed(let error): return text + "; " + error.description
    case .writingFailed(let error): return text + "; " + error.description
    }
  }
}
