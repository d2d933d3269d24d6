import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Encodes images as H.264 with the program `ffmpeg`, one group after another, each in a separate
/// process.
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

  /// Encodes one group: an IDR image and the images after it, none of which needs another group.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - colors: The color space of the images, which is stored in the stream.
  /// - Precondition: All images have the same size, with even sides.
  /// - Returns: The stream, split into images.
  /// - Throws: `.ended` if ffmpeg lacks libx264 or returns another number of images.
  func group(
    _ images: [Raster<RGB8>], colors: PhotoColorSpace = .sRGB
  ) throws(ProgramFailure) -> H264Stream {
    guard let size = images.first?.size else {
      preconditionFailure("a group without images")
    }
    let running = try RunningProgram(program, Self.arguments(size, colors), limits: limits)
    // Coded images are never larger than twice the raw ones; this limit ends endless output.
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

  /// Visually lossless quality; the color matrix that players expect for large videos, stored in
  /// the stream with the images' primaries and transfer curve; and access unit delimiters, by which
  /// the stream is split.
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

/// An H.264 elementary stream, split into images in the form of MP4 samples.
///
/// - Source: ITU-T H.264 §7.3.1, 7.4.1 and Annex B; ISO/IEC 14496-15 §5.3.
struct H264Stream {
  /// A sequence and a picture parameter set, without start codes.
  struct ParameterSets: Sendable, Hashable {
    var sequence: [UInt8] = []
    var image: [UInt8] = []

    /// The payload of `avcC`, with lengths of four bytes.
    var configuration: [UInt8] {
      let head: [UInt8] = [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1]
      return head + MP4VideoIndex.number(sequence.count, 2) + sequence + [1]
        + MP4VideoIndex.number(image.count, 2) + image
    }
  }

  private(set) var parameterSets = ParameterSets()
  /// The units of each image with four-byte length fields, and whether it is an IDR image.
  private(set) var images: [(bytes: [UInt8], isSync: Bool)] = []

  /// Splits a stream in which an access unit delimiter begins each image.
  ///
  /// - Returns: `nil` for a stream without parameter sets, or with units before the first
  ///   delimiter.
  init?(_ stream: [UInt8]) {
    for unit in Self.units(stream) {
      guard let first = stream[unit].first else { continue }
      switch first & 0x1F {
      case 9: images.append(([], false))
      case 7: parameterSets.sequence = Array(stream[unit])
      case 8: parameterSets.image = Array(stream[unit])
      case let type:
        guard let last = images.indices.last else { return nil }
        images[last].bytes += MP4VideoIndex.number(unit.count, 4) + stream[unit]
        if type == 5 { images[last].isSync = true }
      }
    }
    guard parameterSets.sequence.count > 3, !parameterSets.image.isEmpty else { return nil }
  }

  /// The ranges of units between start codes, without zero bytes before a start code; O(*n*).
  private static func units(_ stream: [UInt8]) -> [Range<Int>] {
    var starts: [Int] = []
    var index = 2
    stream.withUnsafeBufferPointer { bytes in
      while index < bytes.count {
        if bytes[index] > 1 {
          index += 3
        } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
          starts.append(index + 1)
          index += 3
        } else {
          index += 1
        }
      }
    }
    return starts.enumerated().map { place, start in
      var end = place + 1 < starts.count ? starts[place + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return start..<end
    }
  }
}
