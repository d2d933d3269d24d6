import PlumblineModel

/// Codes pictures as H.264 through the program `ffmpeg`, group after group, each in a process of its
/// own that ends with it.
struct FFmpegEncoder: Sendable {
  private let program: ProgramFile
  private let limits: ProgramLimits

  /// Finds the program.
  ///
  /// - Throws: `.absent`.
  init(program: ProgramFile? = nil, limits: ProgramLimits = ProgramLimits()) throws(ProgramFailure)
  {
    if let program {
      self.program = program
    } else {
      self.program = try ProgramFile(named: "ffmpeg")
    }
    self.limits = limits
  }

  /// One group: an IDR picture and what follows it, none of which needs another group.
  ///
  /// - Parameters:
  ///   - pictures: The pictures.
  ///   - colors: What their numbers mean, which the stream says.
  /// - Precondition: Pictures of one size of even sides.
  /// - Returns: The stream, cut into pictures.
  /// - Throws: `.ended` where ffmpeg lacks libx264 or gives another number of pictures.
  func group(
    _ pictures: [Raster<RGB8>], colors: PhotoColorSpace = .sRGB
  ) throws(ProgramFailure) -> H264Stream {
    guard let size = pictures.first?.size else {
      preconditionFailure("a group without pictures")
    }
    let running = try RunningProgram(program, Self.arguments(size, colors), limits: limits)
    // Coded pictures are never larger than twice the raw ones; a flood ends there.
    let most = 6 * size.pixelCount * pictures.count + (1 << 20)
    var rest = pictures[...]
    let stream: [UInt8]
    do throws(RunningProgram.Interruption) {
      stream = try running.read(most) {
        rest.popFirst().map { picture in
          picture.packed.samples.withUnsafeBytes { [UInt8]($0) }
        }
      }
    } catch {
      guard case .program(let failure) = error else { preconditionFailure("pictures are at hand") }
      throw failure
    }
    if let failure = running.failure() { throw failure }
    guard let group = H264Stream(stream), group.pictures.count == pictures.count,
      group.pictures.first?.isSync == true
    else {
      throw .ended(
        program: program.name, status: "status 0",
        message: "the stream does not hold \(pictures.count) pictures")
    }
    return group
  }

  /// A quality at which an eye sees no loss, the color matrix that players expect of large films,
  /// said in the stream with the primaries and the curve of the pictures, and delimiters by which the
  /// stream is cut.
  private static func arguments(_ size: RasterSize, _ space: PhotoColorSpace) -> [String] {
    let matrix = "out_color_matrix=bt709:out_range=tv"
    let primaries = [1: "bt709", 9: "bt2020", 12: "smpte432"][space.primaries] ?? "undef"
    let transfer = [1: "bt709", 13: "iec61966-2-1"][space.transfer] ?? "undef"
    let colors = "colorprim=\(primaries):transfer=\(transfer):colormatrix=bt709"
    return [
      "-hide_banner", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "pipe", "-f",
      "rawvideo", "-pix_fmt", "rgb24", "-video_size", "\(size.width)x\(size.height)", "-i",
      "pipe:0", "-vf", "scale=\(matrix):flags=bicubic+accurate_rnd+full_chroma_int", "-pix_fmt",
      "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-crf", "14", "-threads", "2", "-bf",
      "0", "-g", "1000", "-x264-params", "aud=1:scenecut=0:\(colors)", "-f", "h264", "pipe:1",
    ]
  }
}
