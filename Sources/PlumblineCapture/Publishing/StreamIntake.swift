import PlumblineIO
internal import PlumblineModel
import PlumblineStreams

/// Takes a camera's events as long as there is room, and turns frames into messages.
struct StreamIntake: Sendable {
  let run: PublishingRun
  let color: any StreamColorEncoder

  /// Runs until the camera ends or the stream is over.
  ///
  /// - Returns: Why the camera failed; `nil` for a good end.
  func run(_ source: any DepthCameraSource) async -> DepthCameraError? {
    defer { run.change { $0.endSource() } }
    guard await hasRoom() else { return nil }
    let events = source.events()
    return await withTaskGroup(of: DepthCameraError?.self) { group in
      group.addTask { await take(events) }
      // A task that waits for the camera's next event does not notice a stop.
      group.addTask {
        _ = await run.wait { $0.isSourceOver }
        events.stop()
        return nil
      }
      let failure = await group.next() ?? nil
      run.change { $0.endSource() }
      let other = await group.next() ?? nil
      return failure ?? other
    }
  }

  private func hasRoom() async -> Bool {
    _ = await run.wait { $0.canTake || $0.isSourceOver }
    return run.read { $0.canTake && !$0.isSourceOver }
  }

  private func take(_ events: DepthCameraEvents) async -> DepthCameraError? {
    var iterator = events.makeAsyncIterator()
    while await hasRoom() {
      do throws(DepthCameraError) {
        guard let event = try await iterator.next() else { return nil }
        take(event)
      } catch { return error }
    }
    return nil
  }

  private func take(_ event: DepthCameraEvent) {
    switch event {
    case .capture(let capture):
      let takenAt = run.now
      run.noteFrame(timestampSeconds: capture.timestampSeconds)
      take(capture, at: takenAt)
    case .dropped(let frames): run.change { $0.lose(frames) }
    case .thermal(let reading): run.change { $0.set(thermal: reading.state) }
    // The protocol has no words for them.
    case .motion, .motionLost, .depthRate: break
    }
  }

  private func take(_ capture: Capture, at takenAt: Double) {
    let sequence = run.read { $0.window.nextSequence }
    let message = StreamFrame(sequence: sequence, capture: encoded(capture)).encoded()
    do throws(CaptureReadingError) {
      try run.change { session throws(CaptureReadingError) in
        try session.append(message, sequence: sequence, takenAt: takenAt)
      }
    } catch {
      run.change {
        $0.lose(DroppedFrame(timestampSeconds: capture.timestampSeconds, reason: .unreadable))
      }
    }
  }

  /// The capture with its color as a file, or without color where that cannot be.
  private func encoded(_ capture: Capture) -> Capture {
    guard capture.colorFile == nil, let pixels = capture.color else { return capture }
    var encoded = capture
    encoded.color = nil
    encoded.colorSize = nil
    do throws(CaptureReadingError) {
      let (file, size) = try color.encoded(pixels)
      (encoded.colorFile, encoded.colorSize) = (file, size)
    } catch {
      run.change { $0.countFrameWithoutColor() }
    }
    return encoded
  }
}
