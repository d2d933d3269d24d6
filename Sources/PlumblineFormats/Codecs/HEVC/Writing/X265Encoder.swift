import PlumblineModel

/// Codes still pictures as HEVC through the program `x265`, in a process of its own that ends with
/// them.
///
/// All pictures of one call are intra pictures of one stream with a fixed quantizer, so that each is
/// coded without looking at others and bytes do not depend on the number of threads. They do depend
/// on the release of the program.
struct X265Encoder: Sendable {
  /// How much is lost.
  enum Coding: Sendable, Hashable {
    /// Nothing.
    case lossless
    /// What this quantizer costs: 0 to 51.
    case quantizer(Int)
  }

  /// What the pictures are.
  struct Format: Sendable, Hashable {
    /// The size of each.
    var size: RasterSize
    /// Whether they have luma only; else 4:2:0.
    var isMonochrome: Bool
    /// Bits of a sample: 8, 10 or 12.
    var bitDepth: Int
    /// What their numbers mean.
    var color: ColorCodes
  }

  private let program: ProgramFile
  private let threads: Int

  /// Finds the program.
  ///
  /// - Throws: `.absent`.
  init(program: ProgramFile? = nil, threads: Int) throws(ProgramFailure) {
    self.program = if let program { program } else { try ProgramFile(named: "x265") }
    self.threads = threads
  }

  /// Codes pictures.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - format: What they are.
  ///   - coding: How much may be lost.
  ///   - picture: Gives the bytes of each in order, plane after plane, two bytes with the low one
  ///     first for more than 8 bits.
  /// - Returns: The pictures in their order.
  /// - Throws: `.ended` for another number of pictures, `.tooSlow`.
  func code(
    _ count: Int, _ format: Format, _ coding: Coding, _ picture: (Int) -> [UInt8]
  ) throws(ProgramFailure) -> CodedHEVCPictures {
    // A minute on an idle machine for 100 megapixels; ten times as much on a busy one.
    let limits = ProgramLimits(
      answerSeconds: 600, processorSeconds: 3_600, memoryMegabytes: 4_096)
    let running = try RunningProgram(program, arguments(count, format, coding), limits: limits)
    // Coded pictures are never larger than twice the raw ones; a flood ends there.
    let most = 6 * format.size.pixelCount * count + (1 << 20)
    var next = 0
    let stream: [UInt8]
    do throws(RunningProgram.Interruption) {
      stream = try running.read(most) {
        guard next < count else { return nil }
        defer { next += 1 }
        return picture(next)
      }
    } catch {
      guard case .program(let failure) = error else { preconditionFailure("pictures are at hand") }
      throw failure
    }
    if let failure = running.failure() { throw failure }
    let profile = HEVCProfile(
      size: RasterSize(
        width: (format.size.width + 7) / 8 * 8, height: (format.size.height + 7) / 8 * 8),
      bitDepth: format.bitDepth, isMonochrome: format.isMonochrome)
    guard
      let coded = CodedHEVCPictures(
        byteStream: stream, profile: profile, bitDepth: format.bitDepth,
        isMonochrome: format.isMonochrome), coded.pictures.count == count
    else {
      throw .ended(
        program: program.name, status: "status 0",
        message: "the stream does not hold \(count) pictures")
    }
    return coded
  }

  private func arguments(_ count: Int, _ format: Format, _ coding: Coding) -> [String] {
    let loss =
      switch coding {
      case .lossless: ["--lossless"]
      case .quantizer(let quantizer): ["--qp", "\(quantizer)"]
      }
    // Two pictures at once per pool of two; without rows at once bytes stay the same.
    let atOnce = min(threads, count, 16)
    return [
      "--input", "-", "--output", "-", "--input-res", "\(format.size.width)x\(format.size.height)",
      "--input-csp", format.isMonochrome ? "i400" : "i420", "--input-depth", "\(format.bitDepth)",
      "--output-depth", "\(format.bitDepth)", "--fps", "1", "--frames", "\(count)",
      "--preset", "medium", "--keyint", "1", "--bframes", "0", "--rc-lookahead", "0",
      "--no-scenecut", "--no-open-gop", "--no-wpp", "--frame-threads", "\(atOnce)", "--pools",
      atOnce > 1 ? "\(atOnce)" : "none", "--no-info", "--no-progress", "--log-level", "error",
      "--range", format.color.isFullRange ? "full" : "limited", "--colorprim",
      "\(format.color.primaries)", "--transfer", "\(format.color.transfer)", "--colormatrix",
      "\(format.color.matrix)",
    ] + loss
  }
}
