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
  /// The camera is configured: its formats and rates, and what they mean, in words.
  case configured(StreamSummary)
  /// The system took the camera away; frames stop until ``resumed``.
  case interrupted(SessionInterruption)
  /// The camera delivers frames again after an interruption.
  case resumed
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
