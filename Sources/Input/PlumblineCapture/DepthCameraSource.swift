public import PlumblineModel

/// A live depth camera, a simulated one, or a recording played again.
public protocol DepthCameraSource: Sendable {
  /// Starts the camera; it delivers events in the order of time until it ends or the consumer stops.
  ///
  /// The buffer between camera and consumer is bounded; what does not fit is dropped and reported
  /// as ``DepthCameraEvent/dropped(_:)``, never silently.
  func events() -> DepthCameraEvents
}

/// An event from a live camera to its consumer.
public enum DepthCameraEvent: Sendable {
  /// A synchronized frame: depth, color, calibration, pose where tracked.
  case capture(Capture)
  /// Motion samples since the last event.
  case motion([MotionSample])
  /// Motion samples that the consumer was too slow for.
  case motionLost(sampleCount: Int)
  /// Frames that were not delivered.
  case dropped(DroppedFrame)
  /// The device became warmer or cooler.
  case thermal(ThermalReading)
  /// The rate of depth was changed because of warmth.
  case depthRate(DepthRateChange)
}

/// What a camera delivers, one event after the other, through a bounded buffer.
///
///     for try await event in camera.events() { … }
///
/// One consumer at a time. When it stops, by leaving the loop or by being canceled, the camera stops.
public struct DepthCameraEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = DepthCameraEvent
  /// The error with which a camera ends early.
  public typealias Failure = DepthCameraError

  /// Stops the camera when the last sequence or iterator is gone.
  fileprivate final class Consumer: Sendable {
    let buffer: DepthCameraEventBuffer
    init(_ buffer: DepthCameraEventBuffer) { self.buffer = buffer }
    deinit { buffer.stop() }
  }

  private let consumer: Consumer

  /// Connects a camera that calls back.
  ///
  /// - Parameters:
  ///   - capacity: The most captures that wait for the consumer, at least 1.
  ///   - start: Starts the camera, which calls ``DepthCameraEventBuffer/offer(_:)`` from any thread
  ///     and ``DepthCameraEventBuffer/finish(throwing:)`` at its end; returns what stops it. The
  ///     camera must not keep the sequence itself.
  package init(
    capacity: Int = 4,
    start: (DepthCameraEventBuffer) -> @Sendable () -> Void
  ) {
    let buffer = DepthCameraEventBuffer(capacity: capacity)
    consumer = Consumer(buffer)
    buffer.onStop(start(buffer))
  }

  /// Connects a source that runs in a task of its own, which is canceled when the consumer stops.
  ///
  /// - Parameters:
  ///   - capacity: The most captures that wait for the consumer, at least 1.
  ///   - produce: Hands events over until it returns or throws.
  package init(
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

  /// Stops the camera; what waits is thrown away, and the consumer sees the end.
  public func stop() { consumer.buffer.stop() }

  /// Hands events out in order.
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

  /// Starts handing out.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(consumer: consumer) }
}

/// Frames that a camera or a buffer did not deliver.
public struct DroppedFrame: Hashable, Sendable {
  /// Why a frame is missing; the first three are `AVCaptureOutput.DataDroppedReason`.
  public enum Reason: String, Sendable, CaseIterable {
    /// It came too late to be processed.
    case lateData
    /// No buffer was free.
    case outOfBuffers
    /// The stream was interrupted.
    case discontinuity
    /// The consumer was slower than the camera.
    case slowConsumer
    /// The camera gave no depth for this color frame.
    case noDepth
    /// The frame of a recording that is played again could not be read.
    case unreadable
  }

  /// The camera's clock at the first of the frames, in seconds; `nil` when not known.
  public var timestampSeconds: Double?
  /// Why the frames are missing.
  public var reason: Reason
  /// The number of frames; above 1 where a buffer counted several together.
  public var count: Int

  /// Creates a loss of one frame or more.
  ///
  /// - Precondition: One frame at least.
  package init(timestampSeconds: Double?, reason: Reason, count: Int = 1) {
    precondition(count >= 1, "\(count) frames cannot be lost")
    self.timestampSeconds = timestampSeconds
    self.reason = reason
    self.count = count
  }
}
