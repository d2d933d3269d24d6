import PlumblineModel

/// Codes the pictures of a photo as HEVC, by `x265` or without compression.
struct HEVCPictureCoder: Sendable {
  private let x265: X265Encoder?
  private let choice: PhotoWritingOptions.HEVCCoding
  private let absence: ProgramFailure?

  /// Finds the program where it is wanted.
  ///
  /// - Throws: `.encoder` when it must be there and is not.
  init(
    _ choice: PhotoWritingOptions.HEVCCoding, threads: Int
  ) throws(PhotoWritingError) {
    self.choice = choice
    var found: X265Encoder?
    var failure: ProgramFailure?
    if choice != .raw {
      do throws(ProgramFailure) { found = try X265Encoder(threads: threads) } catch {
        failure = error
      }
    }
    if choice == .x265, let failure { throw .encoder(failure.detail) }
    (x265, absence) = (found, failure)
  }

  /// Codes a depth map, matte or gain map as one monochrome picture.
  ///
  /// Depths that the program has not, and pictures smaller than its blocks, are not compressed.
  ///
  /// - Throws: `.encoder` when the program fails.
  func code(
    _ samples: StoredSamples, _ coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws(PhotoWritingError) -> CodedHEVCPictures {
    let bitDepth: Int
    let bytes: () -> [UInt8]
    switch samples {
    case .uint8(let raster):
      bitDepth = 8
      bytes = { raster.packed.samples }
    case .uint16(let raster, let depth):
      bitDepth = depth
      bytes = {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raster.size.pixelCount * 2)
        for sample in raster.packed.samples { bytes.appendLittleEndian(sample) }
        return bytes
      }
    }
    guard let x265, [8, 10, 12].contains(bitDepth), Self.isLargeEnough(samples.size) else {
      return Self.raw(samples)
    }
    let format = X265Encoder.Format(
      size: samples.size, isMonochrome: true, bitDepth: bitDepth, color: Self.noColor)
    let amount: X265Encoder.Coding =
      switch coding {
      case .lossless: .lossless
      case .lossy(let quality): .quantizer(Self.quantizer(quality: quality))
      }
    do throws(ProgramFailure) {
      return try x265.code(1, format, amount) { _ in bytes() }
    } catch { throw .encoder(error.detail) }
  }

  /// Codes windows of a color picture, all of one size; what lies beyond the edge repeats it.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - windows: Where each starts.
  ///   - size: The size of each, with even sides.
  ///   - quality: As JPEG counts.
  ///   - color: What the stream says of its numbers.
  /// - Returns: The pictures in the order of the windows.
  /// - Throws: `.encoder` when the program is absent or fails.
  func code(
    _ picture: Raster<RGB8>, _ windows: [(x: Int, y: Int)], _ size: RasterSize, quality: Int,
    _ color: ColorCodes
  ) throws(PhotoWritingError) -> CodedHEVCPictures {
    func planes(_ index: Int) -> HalvedChroma {
      HalvedChroma(picture, x: windows[index].x, y: windows[index].y, size: size)
    }
    if choice == .raw || (x265 != nil && !Self.isLargeEnough(size)) {
      var coded = CodedHEVCPictures(configuration: [], pictures: [])
      for index in windows.indices {
        let raw = planes(index).raw(color)
        if index == 0 { coded.configuration = raw.configuration }
        coded.pictures.append(raw.data)
      }
      return coded
    }
    guard let x265 else {
      throw .encoder(
        (absence?.detail ?? "no encoder")
          + "; without it only depth maps and mattes can be coded, or "
          + "the picture without compression (raw)")
    }
    let format = X265Encoder.Format(
      size: size, isMonochrome: false, bitDepth: 8, color: color)
    do throws(ProgramFailure) {
      return try x265.code(
        windows.count, format, .quantizer(Self.quantizer(quality: quality))
      ) { planes($0).bytes }
    } catch { throw .encoder(error.detail) }
  }

  /// Smaller pictures than one of its blocks the program refuses.
  private static func isLargeEnough(_ size: RasterSize) -> Bool {
    size.width >= 64 && size.height >= 64
  }

  /// What phones say of maps: full range and no colors.
  private static var noColor: ColorCodes {
    ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: true)
  }

  private static func raw(_ samples: StoredSamples) -> CodedHEVCPictures {
    switch samples {
    case .uint8(let raster):
      var picture = RawHEVCPicture(luma: raster)
      picture.color = (2, 2, 2, true)
      return CodedHEVCPictures(configuration: picture.configuration, pictures: [picture.data])
    case .uint16(let raster, let bitDepth):
      var picture = RawHEVCPicture(luma: raster, bitDepth: max(bitDepth, 8))
      picture.color = (2, 2, 2, true)
      return CodedHEVCPictures(configuration: picture.configuration, pictures: [picture.data])
    }
  }

  /// The quantizer whose luma is at least as near to the picture as JPEG's at a quality, 1 to 100.
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

extension HalvedChroma {
  /// The picture without compression.
  fileprivate func raw(_ color: ColorCodes) -> RawHEVCPicture<UInt8> {
    let half = RasterSize(width: size.width / 2, height: size.height / 2)
    var picture = RawHEVCPicture(
      luma: Raster(size: size, samples: luma),
      chroma: (Raster(size: half, samples: blue), Raster(size: half, samples: red)))
    picture.color = (color.primaries, color.transfer, color.matrix, color.isFullRange)
    return picture
  }
}
