import PlumblineIO
import PlumblineModel
import Synchronization

/// Decodes videos with the program `ffmpeg`, which gets an H.264 or HEVC elementary stream and
/// returns raw images.
///
/// ffmpeg never gets the file or a path: this project's own reader extracts the coded images. So a
/// hostile video reaches only one of ffmpeg's decoders, in a process with limits. See decision
/// 0017.
final class FFmpegDecoding: VideoDecoding {
  private let program: ProgramFile?
  private let limits: ProgramLimits
  private let isOld = Mutex<Result<Bool, ProgramFailure>?>(nil)
  /// Every ffmpeg reports its version within milliseconds.
  private static let versionSeconds = 10

  /// Decodes with the program at a path; `nil` searches `PATH`.
  init(program: ProgramFile? = nil, limits: ProgramLimits = ProgramLimits()) {
    self.program = program
    self.limits = limits
  }

  func decoder(for stretch: VideoStretch) throws(ProgramFailure) -> any VideoDecoder {
    let program = try file()
    let isOld = try isOld(program)
    return try Decoder(
      running: RunningProgram(program, Self.arguments(stretch, isOld: isOld), limits: limits),
      stretch.size)
  }

  private func file() throws(ProgramFailure) -> ProgramFile {
    if let program { return program }
    return try ProgramFile(named: "ffmpeg")
  }

  /// Whether the program is older than 5.1, where an option has another name.
  ///
  /// The result is cached, also for a program that hangs, since otherwise each frame would wait for
  /// it.
  private func isOld(_ program: ProgramFile) throws(ProgramFailure) -> Bool {
    if let known = isOld.withLock({ $0 }) { return try known.get() }
    do throws(ProgramFailure) {
      let answer = try askedIsOld(program)
      isOld.withLock { $0 = .success(answer) }
      return answer
    } catch {
      if case .tooSlow = error { isOld.withLock { $0 = .failure(error) } }
      throw error
    }
  }

  private func askedIsOld(_ program: ProgramFile) throws(ProgramFailure) -> Bool {
    var limits = limits
    limits.answerSeconds = min(limits.answerSeconds, Self.versionSeconds)
    let running = try RunningProgram(program, ["-version"], limits: limits)
    let answer: [UInt8]
    do throws(RunningProgram.Interruption) {
      answer = try running.read(1_024) { nil }
    } catch {
      guard case .program(let failure) = error else { return false }
      throw failure
    }
    let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    // "ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright …"; a build from git has N-12345-gabcdef.
    let numbers = words.dropFirst(2).first?.split(separator: ".", maxSplits: 2) ?? []
    let major = numbers.first.flatMap { Int($0.drop { $0 == "n" }) } ?? .max
    let minor = numbers.dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    return (major, minor) < (5, 1)
  }

  /// `-strict` makes an H.264 decoder wait for delayed images where the stream does not state their
  /// maximum number.
  ///
  /// `-xerror` stops at damage instead of inventing pixels. `passthrough` prevents it from dropping
  /// and repeating images to get a constant rate, which an elementary stream does not have.
  static func arguments(_ stretch: VideoStretch, isOld: Bool) -> [String] {
    let size = "\(stretch.size.width):\(stretch.size.height)"
    let kernel = stretch.isReduced ? "area" : "bicubic"
    return [
      "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-threads", "2", "-strict",
      "strict", "-protocol_whitelist", "pipe", "-f", stretch.codec.kind.rawValue, "-i", "pipe:0",
      "-map", "0:v:0", "-vf", "scale=\(size):flags=\(kernel)+accurate_rnd+full_chroma_int",
      isOld ? "-vsync" : "-fps_mode", "passthrough", "-pix_fmt", "rgb24", "-f", "rawvideo",
      "pipe:1",
    ]
  }

  private final class Decoder: VideoDecoder {
    private let running: RunningProgram
    private let size: RasterSize

    init(running: RunningProgram, _ size: RasterSize) {
      self.running = running
      self.size = size
    }

    func next(
      feed: () throws(CaptureReadingError) -> [UInt8]?
    ) throws(RunningProgram.Interruption) -> Raster<RGB8>? {
      let count = size.pixelCount * 3
      let bytes = try running.read(count, feed: feed)
      if bytes.count < count {
        // A successful end between two images is the end of the video.
        if bytes.isEmpty, running.failure() == nil { return nil }
        throw .program(running.earlyEnd())
      }
      let pixels = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { buffer, filled in
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
        filled = size.pixelCount
      }
      return Raster(size: size, samples: pixels)
    }
  }
}
