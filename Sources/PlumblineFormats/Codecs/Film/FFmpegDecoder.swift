import PlumblineModel

/// Decodes films through the program `ffmpeg`, which gets a bare H.264 or HEVC stream and gives raw
/// pictures.
///
/// It never sees the file, nor a path: our own reader cuts the coded pictures out, so that of all
/// that ffmpeg can read a hostile film reaches one decoder only, in a process with limits. See
/// decision 0017.
struct FFmpegDecoding: FilmDecoding {
  /// Where the program is; `nil` looks on the path.
  var program: ProgramFile?
  var limits = ProgramLimits()

  func decoder(for stretch: FilmStretch) throws(ProgramFailure) -> any FilmDecoder {
    let program: ProgramFile
    if let own = self.program { program = own } else { program = try ProgramFile(named: "ffmpeg") }
    return try Decoder(
      running: RunningProgram(program, Self.arguments(stretch), limits: limits), stretch.size)
  }

  /// `-strict` makes a decoder of H.264 wait for late pictures where the stream does not say how
  /// many there may be, `-xerror` ends it at damage in place of inventing pixels, and
  /// `passthrough` keeps it from dropping and repeating pictures to even out a rate that a bare
  /// stream does not have.
  static func arguments(_ stretch: FilmStretch) -> [String] {
    let size = "\(stretch.size.width):\(stretch.size.height)"
    return [
      "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-threads", "2", "-strict",
      "strict", "-protocol_whitelist", "pipe", "-f", stretch.codec.kind.rawValue, "-i", "pipe:0",
      "-map", "0:v:0", "-vf", "scale=\(size):flags=area+accurate_rnd+full_chroma_int",
      "-fps_mode", "passthrough", "-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1",
    ]
  }

  private final class Decoder: FilmDecoder {
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
        // An end between two pictures with success is the end of the film.
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
