#if os(Linux)
  import PlumblineIO
  import PlumblineModel

  /// Decodes JPEG with the platform's codec, in a worker.
  struct IsolatedJPEGDecoder: JPEGDecoding {
    let workers: DecoderWorkers

    func luma(
      of image: JPEGImage, size: RasterSize
    ) throws(CaptureReadingError) -> Raster<UInt8> {
      let job = DecoderJob(
        kind: .jpegLuma, parts: [image.bytes], size: size, outputBytes: size.pixelCount)
      let (samples, _) = try workers.perform(job, path: [], imageAt: image.range.lowerBound) {
        [UInt8]($0)
      }
      return Raster(size: size, samples: samples)
    }

    func color(
      of image: JPEGImage, size: RasterSize, scale: JPEGScale
    ) throws(CaptureReadingError) -> DecodedColorJPEG {
      let scaled = scale.applied(to: size)
      let job = DecoderJob(
        kind: .jpegColor, parts: [image.bytes], size: size, scale: scale,
        outputBytes: scaled.pixelCount * MemoryLayout<RGB8>.stride)
      let (samples, notes) = try workers.perform(
        job, path: [], imageAt: image.range.lowerBound
      ) { [RGB8](copying: $0) }
      return DecodedColorJPEG(raster: Raster(size: scaled, samples: samples), notes: notes)
    }
  }

  /// Decodes HEVC with the codec of this build, in a worker.
  struct IsolatedHEVCDecoder: HEVCStillDecoding {
    let workers: DecoderWorkers

    func decode(
      _ image: HEVCStillImage, path: [String],
      _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
    ) throws(CaptureReadingError) {
      let layout = PackedPlanes(image.parameters)
      let job = DecoderJob(
        kind: .hevc, parts: image.units, size: image.size, outputBytes: layout.byteCount)
      let (bytes, _) = try workers.perform(job, path: path) { [UInt8]($0) }
      // This checks a copy, which the worker cannot change any more.
      guard layout.samplesFit(bytes) else {
        throw WorkerProcess.Failure.garbled.readingError(path)
      }
      var failure: CaptureReadingError?
      bytes.withUnsafeBytes { buffer in
        do throws(CaptureReadingError) { try body(layout.planes(in: buffer)) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  extension Array where Element: BitwiseCopyable {
    /// As many elements as the bytes hold.
    fileprivate init(copying bytes: UnsafeRawBufferPointer) {
      let whole = bytes.count / MemoryLayout<Element>.stride
      self.init(unsafeUninitializedCapacity: whole) { buffer, count in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[..<(whole * MemoryLayout<Element>.stride)]))
        count = whole
      }
    }
  }
#endif
