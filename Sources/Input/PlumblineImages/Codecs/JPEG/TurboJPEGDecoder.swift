#if canImport(CTurboJPEG)
  import CTurboJPEG
  package import PlumblineIO
  package import PlumblineModel

  /// Decodes JPEG with libjpeg-turbo.
  package struct TurboJPEGDecoder: JPEGDecoding {
    /// Creates a decoder; it keeps no state between images.
    package init() {}

    /// Decodes luma only; the first warning is an error `.malformed`.
    package func luma(
      of image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> Raster<UInt8> {
      let session = try TurboJPEGSession(image, size: size)
      let (samples, warning) = try session.decompress(
        UInt8.self, size: size, format: TJPF_GRAY, flags: TJFLAG_STOPONWARNING)
      if let warning { throw session.malformed(warning) }
      return Raster(size: size, samples: samples)
    }

    /// Decodes color; a warning that affects no pixel becomes a note, any other one an error.
    package func color(
      of image: JPEGImage, size: RasterSize, scale: JPEGScale
    ) throws(CaptureReadingError) -> DecodedColorJPEG {
      let session = try TurboJPEGSession(image, size: size)
      let scaled = scale.applied(to: size)
      let (samples, warning) = try session.decompress(
        RGB8.self, size: scaled, format: TJPF_RGB, flags: 0)
      var notes: [ContainerNote] = []
      if let warning {
        let damage = JPEGDamage(
          warning: warning, of: image, decodedRows: try decodedRows(of: image, size: size))
        guard damage.affectedRows.isEmpty else { throw session.malformed(damage.description) }
        notes.append(
          ContainerNote(
            .imageWarning, "JPEG decoder: \(warning)", offset: image.range.lowerBound))
      }
      return DecodedColorJPEG(raster: Raster(size: scaled, samples: samples), notes: notes)
    }

    /// The number of rows decoded before the first warning.
    ///
    /// The library does not report the position of a warning. It can be told to stop there, and
    /// leaves the rest of the memory unchanged: rows that are equal after two different fillings
    /// were written.
    private func decodedRows(
      of image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> Int {
      let low = try TurboJPEGSession(image, size: size).lumaUntilWarning(size: size, filling: 0)
      let high = try TurboJPEGSession(image, size: size).lumaUntilWarning(size: size, filling: 255)
      return (0..<size.height).first { y in
        let row = y * size.width..<(y + 1) * size.width
        return low[row] != high[row]
      } ?? size.height
    }
  }

  /// One libjpeg-turbo decompressor and the image it works on.
  private final class TurboJPEGSession {
    private let handle: tjhandle
    private let image: JPEGImage

    /// Opens the image and checks that the library sees the size that was checked before.
    init(_ image: JPEGImage, size: RasterSize) throws(CaptureReadingError) {
      guard let handle = tjInitDecompress() else {
        throw CaptureReadingError(
          .limitExceeded, path: ["JPEG"], expected: "memory for a decoder", found: "none")
      }
      self.handle = handle
      self.image = image
      var width: Int32 = 0
      var height: Int32 = 0
      var sampling: Int32 = 0
      var colorSpace: Int32 = 0
      let status = image.bytes.withUnsafeBufferPointer {
        tjDecompressHeader3(
          handle, $0.baseAddress, UInt($0.count), &width, &height, &sampling, &colorSpace)
      }
      guard status == 0, Int(width) == size.width, Int(height) == size.height else {
        throw malformed(status == 0 ? "a size of \(width)×\(height)" : message)
      }
    }

    deinit {
      tjDestroy(handle)
    }

    /// Decompresses into packed rows; the second value is a warning of the library.
    func decompress<Sample: BitwiseCopyable>(
      _ type: Sample.Type, size: RasterSize, format: TJPF, flags: Int32
    ) throws(CaptureReadingError) -> ([Sample], warning: String?) {
      let pitch = size.width * MemoryLayout<Sample>.stride
      guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
        let rowBytes = Int32(exactly: pitch)
      else { throw malformed("a size of \(size)") }
      var status: Int32 = -1
      let samples = [Sample](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
        status = image.bytes.withUnsafeBufferPointer { source in
          UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: UInt8.self) { output in
            tjDecompress2(
              handle, source.baseAddress, UInt(source.count), output.baseAddress, width,
              rowBytes, height, Int32(format.rawValue), flags | TJFLAG_LIMITSCANS)
          }
        }
        // The library fills every row unless it fails completely; then no row counts as written.
        let isUsable = status == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        count = isUsable && flags & TJFLAG_STOPONWARNING == 0 || status == 0 ? size.pixelCount : 0
      }
      guard samples.count == size.pixelCount else { throw malformed(message) }
      return (samples, status == 0 ? nil : message)
    }

    /// Decodes luma up to the first warning; the pixels after it keep the filling.
    func lumaUntilWarning(
      size: RasterSize, filling: UInt8
    ) throws(CaptureReadingError) -> [UInt8] {
      guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height)
      else { throw malformed("a size of \(size)") }
      var samples = [UInt8](repeating: filling, count: size.pixelCount)
      image.bytes.withUnsafeBufferPointer { source in
        samples.withUnsafeMutableBufferPointer { output in
          _ = tjDecompress2(
            handle, source.baseAddress, UInt(source.count), output.baseAddress, width, width,
            height, Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING)
        }
      }
      return samples
    }

    func malformed(_ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, path: ["JPEG"], offset: image.range.lowerBound,
        expected: "whole JPEG data of the size in the header", found: found)
    }

    private var message: String {
      tjGetErrorStr2(handle).map { printable(String(cString: $0).utf8) } ?? "an unknown error"
    }
  }
#endif
