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
  public init(
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
