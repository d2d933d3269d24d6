package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// Codes short loops of images as GIF, WebP or MP4 through the program `ffmpeg`, in a process of its
/// own.
///
/// The same images give the same bytes with the same ffmpeg: one thread, and no dates or names of
/// programs in the file.
public struct LoopEncoder: Sendable {
  /// The file formats of a loop.
  public enum Format: String, Sendable, CaseIterable {
    /// GIF of 256 colors, chosen for this loop; it repeats for ever.
    ///
    /// Its times are hundredths of a second.
    case gif
    /// Animated WebP, with losses; it repeats for ever.
    case webp
    /// H.264 in MP4 with its index first, so that it plays and seeks while it loads.
    ///
    /// Odd sides lose their last row or column. Players decide whether it repeats. This project puts
    /// the stream into the file itself: ffmpeg would need a file to seek back in.
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

  /// Codes a loop; it waits for the program at most two minutes.
  ///
  /// - Parameters:
  ///   - frames: Images of one size, in order; the last leads on to the first.
  ///   - format: What to write.
  ///   - framesPerSecond: 1 to 120; GIF's times are rounded to hundredths of a second.
  ///   - colors: What the images' numbers mean. MP4 says it by codes and WebP by the profile; GIF means
  ///     sRGB, to which they are converted, as they are for MP4 where no codes say it.
  /// - Returns: The file's bytes.
  /// - Throws: ``LoopEncodingError``: `.frames` for none, more than 1,000, too large ones or ones of
  ///   different sizes, `.outOfRange` for a rate beyond, `.failed` where the program gives no answer.
  package func bytes(
    of frames: [Raster<RGB8>], as format: Format, framesPerSecond: Int,
    colors: PhotoColors = .sRGB
  ) throws(LoopEncodingError) -> [UInt8] {
    guard let size = frames.first?.size, frames.count <= 1000,
      frames.allSatisfy({ $0.size == size })
    else {
      throw LoopEncodingError(.frames, "1 to 1000 images of one size are needed")
    }
    // MP4 halves color both ways, so that its sides are even.
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
    // Coded images are never larger than twice the raw ones; a flood ends there.
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
      // Nothing is read from a capture here.
      case .reading: throw running.earlyEnd()
      }
    }
    if let failure = running.failure() { throw failure }
    guard Self.begins(bytes, as: format) else {
      throw .ended(
        program: program.name, status: "status 0", message: "no \(format.rawValue) came out")
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
    // Offsets are as wide wherever they point to, so that the index is as long.
    let start = MP4VideoIndex.fileType.count + index(from: 0).count + 8
    return MP4VideoIndex.fileType + index(from: start)
      + MP4VideoIndex.box("mdat", group.images.flatMap(\.bytes))
  }

  private static func begins(_ bytes: [UInt8], as format: Format) -> Bool {
    switch format {
    case .gif: bytes.starts(with: "GIF89a".utf8)
    case .webp: bytes.starts(with: "RIFF".utf8)
    case .mp4: true
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

  /// One palette of all images; the dither is a fixed pattern, so what stands still does not swarm.
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
  /// The kind of failure, which decides who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The program `ffmpeg` is not installed, or this platform starts no programs.
    case absent
    /// The program gave no answer.
    case failed
    /// The images do not make a video.
    case frames
    /// A number beyond sense.
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
