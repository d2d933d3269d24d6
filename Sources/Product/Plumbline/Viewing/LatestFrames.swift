import PlumblineCapture
import PlumblineModel
import Synchronization

/// A live camera's frames one after another, each time the latest.
///
/// There is no queue: a frame that comes while another one is worked on replaces the one that waits, and is
/// counted. So what is worked on is never older than one frame and the work on one.
struct LatestFrames: Sendable {
  /// How many frames came, and were lost.
  struct Counts: Sendable {
    /// Frames that the camera gave.
    var received = 0
    /// Frames that were taken.
    var taken = 0
    /// Frames that the camera itself dropped.
    var droppedByCamera = 0

    /// Frames that were not taken: what a newer one replaced or waited at the end, and what the camera dropped.
    var dropped: Int { received - taken + droppedByCamera }
  }

  /// The camera.
  let source: any DepthCameraSource
  /// After how many seconds of the frames' own clock it ends; `nil` for no bound.
  var secondsLimit: Double?

  /// Takes frames until the camera's end, a limit or `stop`.
  ///
  /// - Parameters:
  ///   - stop: Ends it from elsewhere, such as a signal.
  ///   - take: Takes the latest frame, with the counts so far, itself included; `false` ends.
  /// - Returns: The counts.
  /// - Throws: What `take` throws; ``DepthCameraError`` of the camera.
  func run(
    stop: RecordingStop, take: (LatestFrameChannel.Entry, Counts) throws -> Bool
  ) async throws -> Counts {
    let latest = LatestFrameChannel()
    let counts = Mutex(Counts())
    let camera = Task.detached { () -> DepthCameraError? in
      defer { latest.finish() }
      return await receive(into: latest, stop) { change in counts.withLock { change(&$0) } }
    }
    // A camera that gives no frame waits for ever.
    stop.onRequest { latest.finish() }
    defer { camera.cancel() }
    while let entry = await latest.take() {
      let soFar = counts.withLock { counts in
        counts.taken += 1
        return counts
      }
      guard try take(entry, soFar), !stop.isRequested else { break }
    }
    camera.cancel()
    if !stop.isRequested, let error = await camera.value { throw error }
    return counts.withLock { $0 }
  }

  private func receive(
    into latest: LatestFrameChannel, _ stop: RecordingStop,
    count: (_ change: (inout Counts) -> Void) -> Void
  ) async -> DepthCameraError? {
    var first: Double?
    do throws(DepthCameraError) {
      var number = 0
      for try await event in source.events() {
        if Task.isCancelled || stop.isRequested { return nil }
        switch event {
        case .capture(let capture):
          if let time = capture.timestampSeconds {
            first = first ?? time
            if let secondsLimit, time - (first ?? time) >= secondsLimit { return nil }
          }
          count { $0.received += 1 }
          latest.put(LatestFrameChannel.Entry(capture: capture, sequence: number, takenAt: .now))
          number += 1
        case .dropped(let frames): count { $0.droppedByCamera += frames.count }
        case .motion, .motionLost, .thermal, .depthRate, .configured, .interrupted, .resumed: break
        }
      }
      return nil
    } catch { return error }
  }
}
