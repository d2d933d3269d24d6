package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// Encodes short loops of images as GIF, WebP or MP4 with the program `ffmpeg` in a separate
/// process.
///
/// The same images and the same ffmpeg give the same bytes: it uses one thread and writes no dates
/// and no program names.
public struct LoopEncoder: Sendable {
  /// The file formats of a loop.
  public enum Format: String, Sendable, CaseIterable {
    /// GIF with 256 colors chosen for this loop; it repeats forever.
    ///
    /// Its times have a resolution of 10 ms.
    case gif
    /// Animated WebP with lossy compression; it repeats forever.
    case webp
    /// H.264 in MP4 with the index first, so that it plays and seeks while it loads.
    ///
    /// An odd side loses its last row or column. Players decide whether it repeats. This project
    /// writes the MP4 container itself, since ffmpeg would need a seekable file.
    case mp4
  }

  private let program: ProgramFile
  private let limits: ProgramLimits

  /// Finds the program.
  ///
  /// - Throws: ``LoopEncodingError`` `.absent`.
  public init() throws(LoopEncodingError) {
    do throws(ProgramFailure) {
      try self.init(program: ProgramFile(named: "ffmpeg"))
    } catch {
      throw LoopEncodingError(error)
    }
  }

  package init(
    program: ProgramFile, limits: ProgramLimits = ProgramLimits(answerSeconds: 120)
  ) {
    self.program = program
    self.limits = limits
  }

  /// Encodes a loop; it waits at most two minutes for the program.
  ///
  /// - Parameters:
  ///   - frames: Images of the same size, in order; the first follows the last.
  ///   - format: The file format.
  ///   - framesPerSecond: 1 to 120; GIF's times are rounded to 10 ms.
  ///   - colors: The color space of the images. MP4 stores it as codes and WebP as a profile. GIF
  ///     implies sRGB, so the images are converted to it, also for MP4 if no codes exist for the
  ///     space.
  /// - Returns: The file's bytes.
  /// - Throws: ``LoopEncodingError``: `.frames` for no images, for more than 1,000, for too large
  ///   ones or for different sizes; `.outOfRange` for another rate; `.failed` if the program gives
  ///   no result.
  package func bytes(
    of frames: [Raster<RGB8>], as format: Format, framesPerSecond: Int,
    colors: PhotoColors = .sRGB
  ) throws(LoopEncodingError) -> [UInt8] {
    guard let size = frames.first?.size, frames.count <= 1000,
      frames.allSatisfy({ $0.size == size })
    else {
      throw LoopEncodingError(.frames, "1 to 1000 images of one size are needed")
    }
    // MP4 halves the resolution of color in both directions, so its sides must be even.
    guard size.width >= 2, size.height >= 2, size.width <= 16383, size.height <= 16383 else {
      throw LoopEncodingError(.frames, "\(size) is not within 2×2 and 16383×16383")
    }
    guard framesPerSecond >= 1, framesPerSecond <= 120 else {
      throw LoopEncodingError(.outOfRange, "\(framesPerSecond) frames/s are not within 1...120")
    }
    do throws(ProgramFailure) {
      switch format {
      case .mp4:
        guard let space = colors.coded else {
          let plain = frames.map { colors.converted($0, to: .sRGB) }
          return try video(plain, size, framesPerSecond, .sRGB)
        }
        return try video(frames, size, framesPerSecond, space)
      case .webp:
        let bytes = try answer(frames, size, format, framesPerSecond)
        return colors.profile.flatMap { WebPProfile.inserting($0, into: bytes) } ?? bytes
      case .gif:
        let plain = frames.map { colors.converted($0, to: .sRGB) }
        return try answer(plain, size, format, framesPerSecond)
      }
    } catch {
      throw LoopEncodingError(error)
    }
  }

  private func answer(
    _ frames: [Raster<RGB8>], _ size: RasterSize, _ format: Format, _ rate: Int
  ) throws(ProgramFailure) -> [UInt8] {
    let running = try RunningProgram(
      program, Self.arguments(size, format, rate), limits: limits)
    // Coded images are never larger than twice the raw ones; this limit ends endless output.
    let most = 6 * size.pixelCount * frames.count + (1 << 20)
    var rest = frames[...]
    let bytes: [UInt8]
    do throws(RunningProgram.Interruption) {
      bytes = try running.read(most) {
        rest.popFirst().map { $0.packed.samples.withUnsafeBytes { [UInt8]($0) } }
      }
    } catch {
      switch error {
      case .program(let failure): throw failure
      // This call reads nothing from a capture.
      case .reading: throw running.earlyEnd()
      }
    }
    if let failure = running.failure() { throw failure }
    guard Self.isComplete(bytes, as: format) else {
      throw .ended(
        program: program.name, status: "status 0",
        message: "its output is not a complete \(format.rawValue) file")
    }
    return bytes
  }

  /// One group of images with the index before it.
  private func video(
    _ frames: [Raster<RGB8>], _ size: RasterSize, _ rate: Int, _ colors: PhotoColorSpace
  ) throws(ProgramFailure) -> [UInt8] {
    let even = PixelRectangle(
      x: 0, y: 0, width: size.width / 2 * 2, height: size.height / 2 * 2)
    let group = try FFmpegEncoder(program: program, limits: limits)
      .group(frames.map { $0.cropped(to: even) }, colors: colors)
    func index(from start: Int) -> [UInt8] {
      var index = MP4VideoIndex(size: even.size, parameterSets: group.parameterSets)
      index.colors = colors
      var offset = start
      for (number, image) in group.images.enumerated() {
        index.append(
          offset: offset, byteCount: image.bytes.count,
          ticks: number * MP4VideoIndex.ticksPerSecond / rate, isSync: image.isSync)
        offset += image.bytes.count
      }
      return index.encoded()
    }
    // The width of an offset does not depend on its value, so the size of the index is known.
    let start = MP4VideoIndex.fileType.count + index(from: 0).count + 8
    return MP4VideoIndex.fileType + index(from: start)
      + MP4VideoIndex.box("mdat", group.images.flatMap(\.bytes))
  }

  /// Whether the file begins and ends as its format does.
  ///
  /// A GIF ends with the byte 3B (GIF89a, section 27); RIFF states its size after its first eight
  /// bytes.
  private static func isComplete(_ bytes: [UInt8], as format: Format) -> Bool {
    switch format {
    case .gif: return bytes.starts(with: "GIF89a".utf8) && bytes.last == 0x3B
    case .webp:
      guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8) else { return false }
      let stated = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
      return stated + 8 == bytes.count
    case .mp4: return true
    }
  }

  private static func arguments(_ size: RasterSize, _ format: Format, _ rate: Int) -> [String] {
    let input = [
      "-hide_banner", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "pipe", "-f",
      "rawvideo", "-pix_fmt", "rgb24", "-video_size", "\(size.width)x\(size.height)",
      "-framerate", "\(rate)", "-i", "pipe:0", "-map_metadata", "-1", "-filter_threads", "1",
      "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
    ]
    return input + (format == .gif ? gif : webp) + ["pipe:1"]
  }

  /// One palette for all images; the dither pattern is fixed, so that static areas do not flicker.
  private static let gif = [
    "-filter_complex",
    "split[a][b];[a]palettegen=stats_mode=full[p];"
      + "[b][p]paletteuse=dither=bayer:bayer_scale=4",
    "-loop", "0", "-f", "gif",
  ]

  private static let webp = [
    "-c:v", "libwebp_anim", "-quality", "80", "-compression_level", "4", "-pix_fmt", "yuv420p",
    "-loop", "0", "-f", "webp",
  ]
}

/// An error when a loop of images cannot be coded.
public struct LoopEncodingError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The program `ffmpeg` is not installed, or this platform starts no programs.
    case absent
    /// The program gave no result.
    case failed
    /// The images cannot make a video.
    case frames
    /// A number is outside its range.
    case outOfRange
  }

  /// The kind of failure.
  public var reason: Reason
  /// One sentence that is safe to print.
  public var detail: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  package init(_ failure: ProgramFailure) {
    if case .absent = failure {
      self.init(.absent, failure.detail)
    } else {
      self.init(.failed, failure.detail)
    }
  }
}

extension LoopEncodingError: CustomStringConvertible {
  /// The sentence.
  public var description: String { detail }
}
