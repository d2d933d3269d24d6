public import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineRecordings
import PlumblineStreams

/// Takes a camera's events while there is room, and encodes its frames as messages.
struct StreamEncoderTask: Sendable {
  let state: SharedPublishingState
  let color: any StreamColorEncoder

  /// Runs until the camera or the stream ends.
  ///
  /// - Returns: Why the camera failed; `nil` for a regular end.
  func run(_ source: any DepthCameraSource) async -> DepthCameraError? {
    defer { state.change { $0.endSource() } }
    guard await hasRoom() else { return nil }
    let events = source.events()
    return await withTaskGroup(of: DepthCameraError?.self) { group in
      group.addTask { await take(events) }
      // A task that waits for the camera's next event does not notice a stop request.
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
    // The protocol has no messages for these events.
    case .motion, .motionLost, .depthRate, .configured, .interrupted, .resumed: break
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

  /// The capture with its color as a file, or without color if it cannot be encoded.
  ///
  /// A file that the camera made is sent as it is, unless it is larger than the encoder allows.
  private func encoded(_ capture: Capture) -> Capture {
    var encoded = capture
    encoded.color = nil
    if capture.colorFile != nil, capture.colorSize.map(color.allows) ?? true { return encoded }
    guard capture.color != nil || capture.colorFile != nil else { return capture }
    (encoded.colorFile, encoded.colorSize) = (nil, nil)
    do throws(CaptureReadingError) {
      guard let pixels = try capture.decodedColor() else { return encoded }
      let (file, size) = try color.encoded(pixels)
      (encoded.colorFile, encoded.colorSize) = (file, size)
    } catch {
      state.change { $0.countFrameWithoutColor() }
    }
    return encoded
  }
}

/// Encodes the color of a sent frame: as JPEG here, or as HEVC by a device's own encoder.
public protocol StreamColorEncoder: Sendable {
  /// The maximum side of a sent image in pixels; `nil` for any.
  var maximumSide: Int? { get }

  /// Encodes an image as a file; for HEVC, as one self-contained image in Annex B.
  ///
  /// - Returns: The file and its size in pixels.
  /// - Throws: ``CaptureReadingError``; the frame is then sent without color, and counted.
  func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize)
}

extension StreamColorEncoder {
  /// Images of any size.
  public var maximumSide: Int? { nil }

  /// Whether an image of a size may be sent as it is.
  func allows(_ size: RasterSize) -> Bool {
    maximumSide.map { max(size.width, size.height) <= $0 } ?? true
  }
}

/// Encodes color as JPEG, at a reduced size if requested.
///
/// A reduced image has the same field of view; calibrations keep their own reference size.
public struct JPEGStreamColor: StreamColorEncoder {
  /// The JPEG quality, 1 to 100.
  public let quality: Int
  /// The maximum side in pixels; `nil` for the original size.
  public let maximumSide: Int?

  /// Creates an encoder.
  ///
  /// - Precondition: `quality` is 1 to 100, `maximumSide` at least 1.
  public init(quality: Int = 80, maximumSide: Int? = nil) {
    precondition((1...100).contains(quality) && (maximumSide ?? 1) >= 1)
    self.quality = quality
    self.maximumSide = maximumSide
  }

  /// Encodes the image; O(*n*).
  public func encoded(
    _ color: Raster<RGB8>
  ) throws(CaptureReadingError) -> (file: EncodedImage, size: RasterSize) {
    let side = min(maximumSide ?? JPEGEncoder.maximumSide, JPEGEncoder.maximumSide)
    let image = color.reduced(toMaximumSide: side)
    let bytes = try JPEGEncoder(quality: quality).encoded(image)
    return (EncodedImage(.jpeg, bytes: bytes), image.size)
  }
}
