public import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// Takes a camera's events while there is room, and encodes its frames as messages.
struct StreamEncoderTask: Sendable {
  let state: SharedPublishingState
  let color: any StreamColorEncoder

  /// Runs until the camera ends or the stream is over.
  ///
  /// - Returns: Why the camera failed; `nil` for a good end.
  func run(_ source: any DepthCameraSource) async -> DepthCameraError? {
    defer { state.change { $0.endSource() } }
    guard await hasRoom() else { return nil }
    let events = source.events()
    return await withTaskGroup(of: DepthCameraError?.self) { group in
      group.addTask { await take(events) }
      // A task that waits for the camera's next event does not notice a stop.
      group.addTask {
        _ = await state.wait { $0.isSourceOver }
        events.stop()
        return nil
      }
      let failure = await group.next() ?? nil
      state.change { $0.endSource() }
      let other = await group.next() ?? nil
      return failure ?? other
    }
  }

  private func hasRoom() async -> Bool {
    _ = await state.wait { $0.canTake || $0.isSourceOver }
    return state.read { $0.canTake && !$0.isSourceOver }
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
      let takenAt = state.now
      state.noteFrame(timestampSeconds: capture.timestampSeconds)
      take(capture, at: takenAt)
    case .dropped(let frames): state.change { $0.lose(frames) }
    case .thermal(let reading): state.change { $0.set(thermal: reading.state) }
    // The protocol has no words for them.
    case .motion, .motionLost, .depthRate: break
    }
  }

  private func take(_ capture: Capture, at takenAt: Double) {
    let sequence = state.read { $0.window.nextSequence }
    let message = StreamFrame(sequence: sequence, capture: encoded(capture)).encoded()
    do throws(CaptureReadingError) {
      try state.change { machine throws(CaptureReadingError) in
        try machine.append(message, sequence: sequence, takenAt: takenAt)
      }
    } catch {
      state.change {
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
      state.change { $0.countFrameWithoutColor() }
    }
    return encoded
  }
}

/// Makes the image that is sent of a frame's color: JPEG here, or HEVC by a device's own encoder.
package protocol StreamColorEncoder: Sendable {
  /// The image as a file; of HEVC one self-contained image in Annex B.
  ///
  /// - Returns: The file and its size in pixels.
  /// - Throws: ``CaptureReadingError``; the frame is sent without color then, and counted.
  func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize)
}

/// Color as JPEG, made smaller first where that is wanted.
///
/// A smaller image covers the same field of view; calibrations keep the size that they are for.
public struct JPEGStreamColor: StreamColorEncoder {
  /// 1 to 100.
  public let quality: Int
  /// The longest side in pixels; `nil` for color as it is.
  public let maximumSide: Int?

  /// Creates an encoder.
  ///
  /// - Precondition: `quality` is 1 to 100, `maximumSide` at least 1.
  public init(quality: Int = 80, maximumSide: Int? = nil) {
    precondition((1...100).contains(quality) && (maximumSide ?? 1) >= 1)
    self.quality = quality
    self.maximumSide = maximumSide
  }

  /// The image; O(*n*).
  public func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize) {
    let side = min(maximumSide ?? JPEGEncoder.maximumSide, JPEGEncoder.maximumSide)
    let image = color.reduced(toMaximumSide: side)
    let bytes = try JPEGEncoder(quality: quality).encoded(image)
    return (EncodedImage(.jpeg, bytes: bytes), image.size)
  }
}
