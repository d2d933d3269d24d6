import PlumblineModel
import PlumblineTestSupport
import Synchronization
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Decoders of videos that hang")
struct VideoTimeOutTests {
  /// Answers a number of images and then fails in one way; counts what it was asked.
  private final class Hanging: VideoDecoding {
    let answered: Int
    let failure: ProgramFailure
    let starts = Mutex(0)
    let steps = Mutex(0)

    init(answered: Int, failure: ProgramFailure) {
      self.answered = answered
      self.failure = failure
    }

    func decoder(for stretch: VideoStretch) throws(ProgramFailure) -> any VideoDecoder {
      starts.withLock { $0 += 1 }
      if answered < 0 { throw failure }
      return Decoder(of: self, stretch.size)
    }

    final class Decoder: VideoDecoder {
      private let owner: Hanging
      private let size: RasterSize
      private var answered = 0

      init(of owner: Hanging, _ size: RasterSize) {
        self.owner = owner
        self.size = size
      }

      func next(
        feed: () throws(CaptureReadingError) -> [UInt8]?
      ) throws(RunningProgram.Interruption) -> Raster<RGB8>? {
        owner.steps.withLock { $0 += 1 }
        answered += 1
        if answered > owner.answered { throw .program(owner.failure) }
        return Raster(size: size, repeating: RGB8(red: 1, green: 2, blue: 3))
      }
    }
  }

  private func failure(_ reader: VideoReader, _ index: Int) throws -> ProgramFailure? {
    do throws(VideoReader.Failure) {
      _ = try reader.image(at: index)
      return nil
    } catch {
      guard case .program(let failure) = error else { throw error }
      return failure
    }
  }

  @Test(
    "The first time-out is the last wait for a video, at its start or in its course",
    arguments: [-1, 0, 1])
  func onceOnly(answered: Int) throws {
    let source = MemoryBytes(SampleMP4.video(4))
    let video = try MP4Video(source)
    let slow = ProgramFailure.tooSlow(program: "ffmpeg", seconds: 30)
    let hanging = Hanging(answered: answered, failure: slow)
    let reader = VideoReader(video, source: source, decoding: hanging)
    for index in 0..<max(0, answered) { #expect(try failure(reader, index) == nil) }
    #expect(try failure(reader, max(0, answered)) == slow)
    let asked = (hanging.starts.withLock { $0 }, hanging.steps.withLock { $0 })
    for index in max(0, answered)..<4 {
      let later = try #require(try failure(reader, index))
      #expect(later == .abandoned(program: "ffmpeg", seconds: 30))
      #expect(later.detail.contains("earlier image") && later.detail.contains("30 s"))
    }
    #expect((hanging.starts.withLock { $0 }, hanging.steps.withLock { $0 }) == asked)
    // What was decoded before is kept and still given.
    for index in 0..<max(0, answered) { #expect(try failure(reader, index) == nil) }
    // Another reader of the same video starts anew.
    let second = VideoReader(video, source: source, decoding: hanging)
    #expect(try failure(second, max(0, answered)) == slow)
  }

  @Test("Other failures cost their own image alone")
  func others() throws {
    let source = MemoryBytes(SampleMP4.video(4))
    let ended = ProgramFailure.ended(program: "ffmpeg", status: "status 1", message: "damage")
    let decoding = Hanging(answered: 0, failure: ended)
    let reader = VideoReader(try MP4Video(source), source: source, decoding: decoding)
    for index in 0..<4 { #expect(try failure(reader, index) == ended) }
    #expect(decoding.starts.withLock { $0 } == 4)
  }
}
