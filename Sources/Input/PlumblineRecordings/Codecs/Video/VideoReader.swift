import PlumblineIO
import PlumblineModel
import Synchronization

/// A part of a video for a decoder; it starts with a sync image.
struct VideoStretch: Sendable {
  let codec: VideoCodec
  /// The requested size of the images; the decoder scales to it.
  let size: RasterSize
  /// Whether the requested size is smaller than the video's own.
  let isReduced: Bool
}

/// Starts video decoders; tests replace ffmpeg with their own.
protocol VideoDecoding: Sendable {
  /// Starts decoding.
  ///
  /// - Throws: ``ProgramFailure`` when no decoder is available.
  func decoder(for stretch: VideoStretch) throws(ProgramFailure) -> any VideoDecoder
}

/// A running decoder of one part, in presentation order; used by one thread at a time.
protocol VideoDecoder: AnyObject {
  /// The next image.
  ///
  /// - Parameter feed: Returns the next coded image in Annex B form; `nil` at the end.
  /// - Returns: `nil` after the last one.
  /// - Throws: ``RunningProgram/Interruption``.
  func next(
    feed: () throws(CaptureReadingError) -> [UInt8]?
  ) throws(RunningProgram.Interruption) -> Raster<RGB8>?
}

/// The pixels of a video's images, by their index in presentation order.
///
/// Sequential reading keeps one decoder running and decodes each image once; a jump restarts at the
/// preceding sync image. A few images are cached, so that several threads may request neighbors.
final class VideoReader: Sendable {
  let video: MP4Video
  private let source: any ByteSource
  private let decoding: any VideoDecoding
  /// The sync images as indices in presentation order, ascending.
  private let syncs: [Int]
  private let state = Mutex(State())

  /// The maximum number of cached images; their bytes are limited too.
  private static let keptImages = 8
  private static let keptBytes = 96 << 20

  private struct State {
    var session: VideoSession?
    var kept: [(index: Int, image: Raster<RGB8>)] = []
    /// The failure after the first time-out; otherwise each of thousands of frames would wait as
    /// long.
    var abandoned: ProgramFailure?

    mutating func abandon(after failure: ProgramFailure) {
      guard case .tooSlow(let program, let seconds) = failure else { return }
      abandoned = .abandoned(program: program, seconds: seconds)
    }
  }

  /// Creates a reader for the file that the index came from.
  init(_ video: MP4Video, source: any ByteSource, decoding: any VideoDecoding) {
    self.video = video
    self.source = source
    self.decoding = decoding
    syncs = video.images.indices.filter { video.images[$0].isSync }
  }

  /// An error when an image cannot be decoded.
  enum Failure: Error {
    case program(ProgramFailure)
    case reading(CaptureReadingError)
  }

  /// Decodes one image.
  ///
  /// - Parameters:
  ///   - index: Its index in presentation order.
  ///   - maximumSide: The maximum side of a smaller image with the same field of view, sized as in
  ///     ``Raster/reduced(toMaximumSide:)``.
  /// - Returns: The image as stored, not rotated.
  /// - Throws: ``Failure``. Later images can still be read; but after a time-out only cached images
  ///   can, and all others fail at once with ``ProgramFailure/abandoned(program:seconds:)``.
  func image(at index: Int, maximumSide: Int? = nil) throws(Failure) -> Raster<RGB8> {
    precondition(video.images.indices.contains(index), "there is no image \(index)")
    let size = size(maximumSide)
    guard let sync = sync(before: index) else {
      throw .reading(
        CaptureReadingError(
          .malformed, path: MP4SampleTable.path + ["stss"],
          expected: "an image to start decoding with before image \(index)", found: "none"))
    }
    return try state.withLock { (state) throws(Failure) -> Raster<RGB8> in
      if let kept = state.kept.first(where: { $0.index == index && $0.image.size == size }) {
        return kept.image
      }
      if let abandoned = state.abandoned { throw .program(abandoned) }
      let goesOn = state.session.map { $0.size == size && sync <= $0.next && $0.next <= index }
      if goesOn != true {
        state.session = nil
        let stretch = VideoStretch(codec: video.codec, size: size, isReduced: size != video.size)
        do throws(ProgramFailure) {
          let decoder = try decoding.decoder(for: stretch)
          state.session = VideoSession(video, source, from: sync, size: size, decoder)
        } catch {
          state.abandon(after: error)
          throw .program(error)
        }
      }
      while let session = state.session {
        let (place, image): (Int, Raster<RGB8>)
        do throws(Failure) {
          (place, image) = try session.step()
        } catch {
          state.session = nil
          if case .program(let failure) = error { state.abandon(after: failure) }
          throw error
        }
        state.kept.append((place, image))
        let most = max(1, min(Self.keptImages, Self.keptBytes / (3 * size.pixelCount)))
        if state.kept.count > most { state.kept.removeFirst(state.kept.count - most) }
        if place == index { return image }
        // A damaged index can make the decoder skip an image between two sync images.
        if place > index { break }
      }
      throw .reading(
        CaptureReadingError(
          .malformed, path: MP4SampleTable.path,
          expected: "image \(index) behind the sync image \(sync) in decoding order",
          found: "none"))
    }
  }

  /// The last sync image that is presented no later than an image; O(log *n*).
  private func sync(before index: Int) -> Int? {
    let next = syncs.firstSortedIndex { $0 > index }
    return next > 0 ? syncs[next - 1] : nil
  }

  private func size(_ maximumSide: Int?) -> RasterSize {
    let longer = max(video.size.width, video.size.height)
    guard let maximumSide, maximumSide < longer else { return video.size }
    let factor = (longer + maximumSide - 1) / maximumSide
    return RasterSize(
      width: max(1, video.size.width / factor), height: max(1, video.size.height / factor))
  }
}

/// A running decoder that started at a sync image.
private final class VideoSession {
  let size: RasterSize
  /// The index of the decoder's next output image, in presentation order.
  private(set) var next: Int
  private let video: MP4Video
  private let source: any ByteSource
  private let decoder: any VideoDecoder
  private let first: Int
  private let firstDecoding: Int
  private var nextDecoding: Int

  init(
    _ video: MP4Video, _ source: any ByteSource, from sync: Int, size: RasterSize,
    _ decoder: any VideoDecoder
  ) {
    self.video = video
    self.source = source
    self.decoder = decoder
    self.size = size
    first = sync
    next = sync
    firstDecoding = video.images[sync].decodingIndex
    nextDecoding = firstDecoding
  }

  /// Decodes the next image and returns it with its index.
  func step() throws(VideoReader.Failure) -> (Int, Raster<RGB8>) {
    let place = next
    let image: Raster<RGB8>?
    do throws(RunningProgram.Interruption) {
      image = try decoder.next { () throws(CaptureReadingError) -> [UInt8]? in try feed() }
    } catch {
      switch error {
      case .program(let failure): throw .program(failure)
      case .reading(let error): throw .reading(error)
      }
    }
    guard let image else {
      throw .reading(
        CaptureReadingError(
          .malformed, path: ["mdat"],
          expected: "\(video.images.count - first) images from image \(first) on",
          found: "\(place - first)"))
    }
    next += 1
    // The decoder does not output images that precede the first sync image in decoding order.
    while next < video.images.count, video.images[next].decodingIndex < firstDecoding {
      next += 1
    }
    return (place, image)
  }

  /// The next coded image.
  ///
  /// Images that follow the first sync image in decoding order and precede it in presentation order
  /// need images from before it (HEVC's skipped leading images). They are skipped here; the
  /// previous part contains them.
  private func feed() throws(CaptureReadingError) -> [UInt8]? {
    while nextDecoding < video.presentationIndices.count {
      let index = video.presentationIndices[nextDecoding]
      let image = video.images[index]
      nextDecoding += 1
      if index < first { continue }
      let sample = try source.bytes(in: image.bytes)
      let stream = try video.codec.annexB(sample, offset: image.bytes.lowerBound)
      if stream.isEmpty { continue }
      return image.isSync ? video.codec.parameterSets + stream : stream
    }
    return nil
  }
}
