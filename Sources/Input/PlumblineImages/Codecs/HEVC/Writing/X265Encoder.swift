import PlumblineIO
import PlumblineModel

/// Encodes still images as HEVC with the program `x265`, in a separate process per call.
///
/// All images of one call are intra images of one stream with a fixed quantizer, so each is coded
/// independently and the bytes do not depend on the number of threads. They depend on the version
/// of the program.
struct X265Encoder: Sendable {
  private let program: ProgramFile
  private let threads: Int

  /// Finds the program.
  ///
  /// - Throws: `.absent`.
  init(program: ProgramFile? = nil, threads: Int) throws(ProgramFailure) {
    self.program = if let program { program } else { try ProgramFile(named: "x265") }
    self.threads = threads
  }

  /// Encodes images; throws `.ended` for a wrong number of images, `.tooSlow`.
  private func coded(
    _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding,
    _ image: (Int) -> [UInt8]
  ) throws(ProgramFailure) -> CodedHEVCImages {
    // 100 megapixels take a minute on an idle machine and ten times as long on a busy one.
    let limits = ProgramLimits(
      answerSeconds: 600, processorSeconds: 3_600, memoryMegabytes: 4_096)
    let running = try RunningProgram(program, arguments(count, format, coding), limits: limits)
    // Coded images are never larger than twice the raw ones; this limit ends endless output.
    let most = 6 * format.size.pixelCount * count + (1 << 20)
    var next = 0
    let stream: [UInt8]
    do throws(RunningProgram.Interruption) {
      stream = try running.read(most) {
        guard next < count else { return nil }
        defer { next += 1 }
        return image(next)
      }
    } catch {
      guard case .program(let failure) = error else { preconditionFailure("images are at hand") }
      throw failure
    }
    if let failure = running.failure() { throw failure }
    guard
      let coded = CodedHEVCImages(
        units: CodedHEVCImages.units(ofByteStream: stream), format), coded.images.count == count
    else {
      throw .ended(
        program: program.name, status: "status 0",
        message: "the stream does not hold \(count) images")
    }
    return coded
  }

  private func arguments(
    _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding
  ) -> [String] {
    let loss =
      switch coding {
      case .lossless: ["--lossless"]
      case .lossy(let quality): ["--qp", "\(Self.quantizer(quality: quality))"]
      }
    // Two images in parallel per pool of two; without row parallelism the bytes stay the same.
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

extension X265Encoder: HEVCStillEncoding {
  /// Accepts three bit depths, for images not smaller than one of its blocks.
  func takes(_ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding) -> Bool {
    [8, 10, 12].contains(format.bitDepth) && format.isLargeEnough
  }

  func code(
    _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding,
    _ image: (Int) -> [UInt8]
  ) throws(PhotoWritingError) -> CodedHEVCImages {
    do throws(ProgramFailure) {
      return try coded(count, format, coding, image)
    } catch { throw .encoder(error.detail) }
  }

  /// The quantizer whose luma is at least as accurate as JPEG's at a quality, 1 to 100.
  ///
  /// - Source: our own measurement on a photo, with a margin of one to two steps; see
  ///   `Documentation/formats/heif.md`.
  static func quantizer(quality: Int) -> Int {
    let points: [(loss: Double, quantizer: Double)] = [
      (0, 4), (2, 12), (5, 18), (10, 23), (20, 28), (50, 33), (99, 40),
    ]
    let loss = Double(100 - min(max(quality, 1), 100))
    let next = points.firstIndex { $0.loss >= loss } ?? points.count - 1
    guard next > 0 else { return Int(points[0].quantizer) }
    let (a, b) = (points[next - 1], points[next])
    let share = (loss - a.loss) / (b.loss - a.loss)
    return Int((a.quantizer + share * (b.quantizer - a.quantizer)).rounded())
  }
}
