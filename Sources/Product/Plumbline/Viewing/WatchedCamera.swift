public import PlumblineCapture
public import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings

/// A camera whose frames are shown to viewers on their way to its consumer, such as a
/// recording.
///
/// The consumer gets every frame, however slow encoding for viewers is: those get the latest one each
/// time. What the consumer itself is too slow for, the camera counts as lost.
public struct WatchedCamera: DepthCameraSource {
  /// Captures that may wait for the consumer: half a second at 30 a second.
  static let waitingCaptures = 15

  private let source: any DepthCameraSource
  private let sink: any LiveSink
  private let recordedColor: JPEGEncoder?
  private let limits: ReadingLimits

  /// Prepares.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - sink: Where its frames are watched.
  ///   - recordedColor: How the consumer stores color; where that is JPEG it is encoded once, for
  ///     both. `nil` where the consumer wants color as it is.
  ///   - limits: What may be spent on color that has to be decoded, and where that happens.
  public init(
    _ source: any DepthCameraSource, shownTo sink: any LiveSink,
    recordedColor: MCAPRecordingOptions.Color? = nil, limits: ReadingLimits = ReadingLimits()
  ) {
    self.limits = limits
    self.source = source
    self.sink = sink
    if case .jpeg(let quality) = recordedColor {
      self.recordedColor = JPEGEncoder(quality: quality, chromaSampling: .full)
    } else {
      self.recordedColor = nil
    }
  }

  /// Starts the camera.
  public func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: Self.waitingCaptures) { buffer throws(DepthCameraError) in
      let latest = LatestFrameChannel()
      let encoding = Task.detached { await show(latest) }
      defer { latest.finish() }
      do throws(DepthCameraError) {
        try await pass(into: buffer, latest)
      } catch {
        latest.finish()
        await encoding.value
        throw error
      }
      latest.finish()
      await encoding.value
    }
  }

  /// Shows the camera without another consumer, until it ends or the task is canceled.
  ///
  /// - Throws: Why the camera ended early.
  public func show() async throws(DepthCameraError) {
    for try await _ in events() {}
  }

  private func pass(
    into buffer: DepthCameraEventBuffer, _ latest: LatestFrameChannel
  ) async throws(DepthCameraError) {
    var sequence = 0
    for try await event in source.events() {
      var passed = event
      switch event {
      case .capture(let capture):
        let now = ContinuousClock.now
        let recorded = encoded(capture)
        latest.put(LatestFrameChannel.Entry(capture: recorded, sequence: sequence, takenAt: now))
        passed = .capture(recorded)
        sequence += 1
      case .dropped(let frames): sink.add(frames)
      case .thermal(let reading): sink.set(thermal: reading.state)
      case .motion, .motionLost, .depthRate, .configured, .interrupted, .resumed: break
      }
      guard await buffer.send(passed) else { return }
    }
  }

  /// The capture with its color as the file that the consumer stores.
  private func encoded(_ capture: Capture) -> Capture {
    // A file of the camera's own is what the consumer stores already.
    guard let recordedColor, capture.colorFile == nil, let color = capture.color,
      max(color.width, color.height) <= JPEGEncoder.maximumSide,
      let jpeg = try? recordedColor.encoded(color)
    else { return capture }
    var encoded = capture
    encoded.color = nil
    encoded.colorFile = EncodedImage(.jpeg, bytes: jpeg)
    encoded.colorSize = color.size
    return encoded
  }

  private func show(_ latest: LatestFrameChannel) async {
    var scenes = LiveSceneFinder()
    while let entry = await latest.take() {
      if let scene = scenes.next(entry.capture) { sink.show(scene: scene) }
      // A frame whose color cannot be encoded is shown without it.
      var bare = entry.capture
      (bare.color, bare.colorFile) = (nil, nil)
      guard
        let message =
          (try? FrameMessage(live: entry.capture, sequence: entry.sequence, limits: limits))
          ?? (try? FrameMessage(live: bare, sequence: entry.sequence, limits: limits))
      else { continue }
      sink.show(frame: message.bytes, sequence: entry.sequence, takenAt: entry.takenAt)
    }
  }
}

/// Where a live camera's frames go to be watched, such as a server; called from any thread, it never
/// makes the camera wait.
public protocol LiveSink: Sendable {
  /// What was found out about the frames from the next one on: a text message of type `scene`, UTF-8.
  func show(scene: [UInt8])
  /// A frame.
  ///
  /// - Parameters:
  ///   - frame: The whole message; `Documentation/formats/stream.md`.
  ///   - sequence: Its `sequence`.
  ///   - takenAt: When the camera handed it over.
  func show(frame: [UInt8], sequence: Int, takenAt: ContinuousClock.Instant)
  /// Sets the thermal state of the camera.
  func set(thermal: ThermalState)
  /// Frames that were lost on the way here.
  func add(_ frames: DroppedFrame)
}
