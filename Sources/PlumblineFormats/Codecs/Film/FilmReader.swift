import PlumblineModel
import Synchronization

/// The pixels of a film's pictures, by their place in the order of presentation.
///
/// Reading onward keeps one decoder at work and decodes each picture once; a jump starts at the
/// sync picture before. A few pictures are kept, so that several threads may ask for neighbors.
final class FilmReader: Sendable {
  let film: MP4Film
  private let source: any ByteSource
  private let decoding: any FilmDecoding
  /// The sync pictures by place in the order of presentation, ascending.
  private let syncs: [Int]
  private let state = Mutex(State())

  /// At most this many pictures and bytes are kept.
  private static let keptPictures = 8
  private static let keptBytes = 96 << 20

  private struct State {
    var session: FilmSession?
    var kept: [(index: Int, picture: Raster<RGB8>)] = []
    /// Set by the first time-out: thousands of frames would each wait as long again.
    var abandoned: ProgramFailure?

    mutating func abandon(after failure: ProgramFailure) {
      guard case .tooSlow(let program, let seconds) = failure else { return }
      abandoned = .abandoned(program: program, seconds: seconds)
    }
  }

  /// Reads a film's pictures from the file that its index came from.
  init(_ film: MP4Film, source: any ByteSource, decoding: any FilmDecoding) {
    self.film = film
    self.source = source
    self.decoding = decoding
    syncs = film.pictures.indices.filter { film.pictures[$0].isSync }
  }

  /// Why a picture could not be decoded.
  enum Failure: Error {
    case program(ProgramFailure)
    case reading(CaptureReadingError)
  }

  /// One picture.
  ///
  /// - Parameters:
  ///   - index: Its place in the order of presentation.
  ///   - maximumSide: For a smaller picture of the same field of view, as
  ///     ``Raster/reduced(toMaximumSide:)`` sizes it.
  /// - Returns: The picture as stored, not turned.
  /// - Throws: ``Failure``; later pictures may still be read, but after a time-out only those that
  ///   are kept: all others fail at once with ``ProgramFailure/abandoned(program:seconds:)``.
  func picture(at index: Int, maximumSide: Int? = nil) throws(Failure) -> Raster<RGB8> {
    precondition(film.pictures.indices.contains(index), "there is no picture \(index)")
    let size = size(maximumSide)
    guard let sync = sync(before: index) else {
      throw .reading(
        CaptureReadingError(
          .malformed, path: MP4SampleTable.path + ["stss"],
          expected: "a picture to start decoding with before picture \(index)", found: "none"))
    }
    return try state.withLock { (state) throws(Failure) -> Raster<RGB8> in
      if let kept = state.kept.first(where: { $0.index == index && $0.picture.size == size }) {
        return kept.picture
      }
      if let abandoned = state.abandoned { throw .program(abandoned) }
      let goesOn = state.session.map { $0.size == size && sync <= $0.next && $0.next <= index }
      if goesOn != true {
        state.session = nil
        let stretch = FilmStretch(codec: film.codec, size: size, isReduced: size != film.size)
        do throws(ProgramFailure) {
          let decoder = try decoding.decoder(for: stretch)
          state.session = FilmSession(film, source, from: sync, size: size, decoder)
        } catch {
          state.abandon(after: error)
          throw .program(error)
        }
      }
      while let session = state.session {
        let (place, picture): (Int, Raster<RGB8>)
        do throws(Failure) {
          (place, picture) = try session.step()
        } catch {
          state.session = nil
          if case .program(let failure) = error { state.abandon(after: failure) }
          throw error
        }
        state.kept.append((place, picture))
        let most = max(1, min(Self.keptPictures, Self.keptBytes / (3 * size.pixelCount)))
        if state.kept.count > most { state.kept.removeFirst(state.kept.count - most) }
        if place == index { return picture }
        // A damaged index may count a picture out that lies between two sync pictures.
        if place > index { break }
      }
      throw .reading(
        CaptureReadingError(
          .malformed, path: MP4SampleTable.path,
          expected: "picture \(index) behind the sync picture \(sync) in decoding order",
          found: "none"))
    }
  }

  /// The last sync picture that is not shown after a picture; O(log *n*).
  private func sync(before index: Int) -> Int? {
    let next = syncs.firstSortedIndex { $0 > index }
    return next > 0 ? syncs[next - 1] : nil
  }

  private func size(_ maximumSide: Int?) -> RasterSize {
    let longer = max(film.size.width, film.size.height)
    guard let maximumSide, maximumSide < longer else { return film.size }
    let factor = (longer + maximumSide - 1) / maximumSide
    return RasterSize(
      width: max(1, film.size.width / factor), height: max(1, film.size.height / factor))
  }
}

/// One decoder at work from a sync picture on.
private final class FilmSession {
  let size: RasterSize
  /// The place of the next picture that comes out, in the order of presentation.
  private(set) var next: Int
  private let film: MP4Film
  private let source: any ByteSource
  private let decoder: any FilmDecoder
  private let first: Int
  private let firstDecoding: Int
  private var nextDecoding: Int

  init(
    _ film: MP4Film, _ source: any ByteSource, from sync: Int, size: RasterSize,
    _ decoder: any FilmDecoder
  ) {
    self.film = film
    self.source = source
    self.decoder = decoder
    self.size = size
    first = sync
    next = sync
    firstDecoding = film.pictures[sync].decodingIndex
    nextDecoding = firstDecoding
  }

  /// The next picture and its place.
  func step() throws(FilmReader.Failure) -> (Int, Raster<RGB8>) {
    let place = next
    let picture: Raster<RGB8>?
    do throws(RunningProgram.Interruption) {
      picture = try decoder.next { () throws(CaptureReadingError) -> [UInt8]? in try feed() }
    } catch {
      switch error {
      case .program(let failure): throw .program(failure)
      case .reading(let error): throw .reading(error)
      }
    }
    guard let picture else {
      throw .reading(
        CaptureReadingError(
          .malformed, path: ["mdat"],
          expected: "\(film.pictures.count - first) pictures from picture \(first) on",
          found: "\(place - first)"))
    }
    next += 1
    // What is decoded before the first sync picture and shown after it does not come out.
    while next < film.pictures.count, film.pictures[next].decodingIndex < firstDecoding {
      next += 1
    }
    return (place, picture)
  }

  /// The next coded picture.
  ///
  /// Pictures that follow the first sync picture in decoding and precede it in presentation need
  /// pictures from before it (HEVC's skipped leading pictures): they are left out, as their
  /// predecessor's stretch shows them.
  private func feed() throws(CaptureReadingError) -> [UInt8]? {
    while nextDecoding < film.presentationIndices.count {
      let index = film.presentationIndices[nextDecoding]
      let picture = film.pictures[index]
      nextDecoding += 1
      if index < first { continue }
      let sample = try source.bytes(in: picture.bytes)
      let stream = try film.codec.annexB(sample, offset: picture.bytes.lowerBound)
      if stream.isEmpty { continue }
      return picture.isSync ? film.codec.parameterSets + stream : stream
    }
    return nil
  }
}
