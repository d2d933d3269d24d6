public import PlumblineModel

/// A live depth camera, a simulated one, or the replay of a recording.
public protocol DepthCameraSource: Sendable {
  /// Starts the camera; it delivers events in time order until it ends or the consumer stops.
  ///
  /// The buffer between camera and consumer is bounded; events that do not fit are dropped and
  /// reported as ``DepthCameraEvent/dropped(_:)``, never silently.
  func events() -> DepthCameraEvents
}

/// An event from a live camera to its consumer.
public enum DepthCameraEvent: Sendable {
  /// A synchronized frame: depth, color, calibration, and the pose if tracked.
  case capture(Capture)
  /// Motion samples since the last event.
  case motion([MotionSample])
  /// The number of motion samples that were lost because the consumer was too slow.
  case motionLost(sampleCount: Int)
  /// Frames that were not delivered.
  case dropped(DroppedFrame)
  /// The thermal state of the device changed.
  case thermal(ThermalReading)
  /// The depth rate was changed because of the thermal state.
  case depthRate(DepthRateChange)
}

/// The events of a camera in sequence, through a bounded buffer.
///
///     for try await event in camera.events() { … }
///
/// There is one consumer at a time. When it stops, by leaving the loop or by being canceled, the
/// camera stops.
public struct DepthCameraEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = DepthCameraEvent
  /// The error with which a camera ends early.
  public typealias Failure = DepthCameraError

  /// Stops the camera when the last sequence or iterator is released.
  fileprivate final class Consumer: Sendable {
    let buffer: DepthCameraEventBuffer
    init(_ buffer: DepthCameraEventBuffer) { self.buffer = buffer }
    deinit { buffer.stop() }
  }

  private let consumer: Consumer

  /// Connects a camera that uses callbacks.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of queued captures, at least 1.
  ///   - start: Starts the camera, which calls ``DepthCameraEventBuffer/offer(_:)`` from any thread
  ///     and ``DepthCameraEventBuffer/finish(throwing:)`` at its end; returns a function that stops
  ///     it. The camera must not keep the sequence itself.
  public init(
    capacity: Int = 4,
    start: (DepthCameraEventBuffer) -> @Sendable () -> Void
  ) {
    let buffer = DepthCameraEventBuffer(capacity: capacity)
    consumer = Consumer(buffer)
    buffer.onStop(start(buffer))
  }

  /// Connects a source that runs in its own task, which is canceled when the consumer stops.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of queued captures, at least 1.
  ///   - produce: Sends events until it returns or throws.
  public init(
    capacity: Int = 4,
    produce:
      @escaping @Sendable (DepthCameraEventBuffer) async throws(DepthCameraError) -> Void
  ) {
    self.init(capacity: capacity) { buffer in
      let task = Task.detached {
        do throws(DepthCameraError) {
          try await produce(buffer)
          buffer.finish()
        } catch {
          buffer.finish(throwing: error)
        }
      }
      return { task.cancel() }
    }
  }

  /// Stops the camera; queued events are discarded, and the consumer sees the end.
  public func stop() { consumer.buffer.stop() }

  /// Returns events in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let consumer: Consumer

    /// The next event; `nil` at the end and after being canceled.
    public mutating func next() async throws(DepthCameraError) -> DepthCameraEvent? {
      try await consumer.buffer.next().get()
    }

    /// The next event; `nil` at the end and after being canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DepthCameraError) -> DepthCameraEvent? {
      try await consumer.buffer.next().get()
    }
  }

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(consumer: consumer) }
}

/// Frames that a camera or a buffer did not deliver.
public struct DroppedFrame: Hashable, Sendable {
  /// Why a frame is missing; the first three reasons are `AVCaptureOutput.DataDroppedReason`.
  public enum Reason: String, Sendable, CaseIterable {
    /// The frame came too late for processing.
    case lateData
    /// No buffer was free.
    case outOfBuffers
    /// The stream was interrupted.
    case discontinuity
    /// The consumer was slower than the camera.
    case slowConsumer
    /// The camera gave no depth for this color frame.
    case noDepth
    /// A frame of a replayed recording could not be read.
    case unreadable
  }

  /// The time of the first lost frame on the camera's clock, in seconds; `nil` if unknown.
  public var timestampSeconds: Double?
  /// Why the frames are missing.
  public var reason: Reason
  /// The number of frames; above 1 if a buffer combined several losses.
  public var count: Int

  /// Creates a loss of one or more frames.
  ///
  /// - Precondition: `count` is at least 1.
  package init(timestampSeconds: Double?, reason: Reason, count: Int = 1) {
    precondition(count >= 1, "\(count) frames cannot be lost")
    self.timestampSeconds = timestampSeconds
    self.reason = reason
    self.count = count
  }
}
