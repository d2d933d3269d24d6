import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Codes images as H.264 through the program `ffmpeg`, group after group, each in a process of its
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

  /// One group: an IDR image and what follows it, none of which needs another group.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - colors: What their numbers mean, which the stream says.
  /// - Precondition: Images of one size of even sides.
  /// - Returns: The stream, cut into images.
  /// - Throws: `.ended` where ffmpeg lacks libx264 or gives another number of images.
  func group(
    _ images: [Raster<RGB8>], colors: PhotoColorSpace = .sRGB
  ) throws(ProgramFailure) -> H264Stream {
    guard let size = images.first?.size else {
      preconditionFailure("a group without images")
    }
    let running = try RunningProgram(program, Self.arguments(size, colors), limits: limits)
    // Coded images are never larger than twice the raw ones; a flood ends there.
    let most = 6 * size.pixelCount * images.count + (1 << 20)
    var rest = images[...]
    let stream: [UInt8]
    do throws(RunningProgram.Interruption) {
      stream = try running.read(most) {
        rest.popFirst().map { image in
          image.packed.samples.withUnsafeBytes { [UInt8]($0) }
        }
      }
    } catch {
      guard case .program(let failure) = error else { preconditionFailure("images are at hand") }
      throw failure
    }
    if let failure = running.failure() { throw failure }
    guard let group = H264Stream(stream), group.images.count == images.count,
      group.images.first?.isSync == true
    else {
      throw .ended(
        program: program.name, status: "status 0",
        message: "the stream does not hold \(images.count) images")
    }
    return group
  }

  /// A quality at which an eye sees no loss, the color matrix that players expect of large videos,
  /// said in the stream with the primaries and the curve of the images, and delimiters by which the
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
