#if os(Linux)
  import CDecoderSandbox
  import PlumblineIO
  import PlumblineModel

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// The worker side of ``DecoderWorkers``: a process that decodes the images it receives.
  public enum DecoderWorker {
    /// The argument that makes a program a worker; it is not for users.
    public static let argument = "--decode-for-another-process"
    /// The processor time of a worker in seconds; it is replaced at half of it.
    package static let processorSeconds = 240
    /// The address space: the maximum image within ``ReadingLimits`` (1 GiB as pixels in shared
    /// memory and as much again as coefficients), its input, and the program with its libraries.
    package static let addressSpaceBytes = 4 << 30

    /// If the arguments request it, decodes for the process that started this one and never
    /// returns; otherwise does nothing.
    ///
    /// `main` must call it first, since all code before it runs in every worker too.
    public static func runIfAsked(_ arguments: [String] = CommandLine.arguments) {
      if arguments.count == 2 && arguments[1] == argument { serve() }
    }

    /// Enters the sandbox and decodes until the channel (standard input) ends.
    ///
    /// - Parameter inspect: Receives each job's coded bytes before decoding, and the memory for its
    ///   pixels; for tests of misbehaving workers.
    package static func serve(
      inspect: (_ coded: [UInt8], _ pixels: UnsafeMutableRawBufferPointer) -> Void = { _, _ in }
    ) -> Never {
      var limits = plb_process_limits(
        address_space: UInt64(addressSpaceBytes), processor_seconds: UInt64(processorSeconds),
        descriptors: 4)
      let code = plb_enter_sandbox(&limits)
      var hello = MessageFields()
      hello.add(.hello, WorkerChannel.version)
      if code != 0 { hello.add(.text, "it cannot shut itself in: error \(-code)") }
      guard WorkerChannel.send(hello.bytes), code == 0 else { _exit(1) }
      var region: SharedRegion?
      while let fields = WorkerChannel.receive(&region) {
        guard let memory = region,
          let job = DecoderJob(fields, in: UnsafeRawBufferPointer(memory.bytes))
        else { _exit(2) }
        let pixels = UnsafeMutableRawBufferPointer(
          rebasing: memory.bytes[job.outputStart..<job.regionBytes])
        inspect(job.parts.flatMap { $0 }, pixels)
        guard WorkerChannel.send(job.answer(into: pixels).message) else { _exit(0) }
        if memory.byteCount > DecoderWorkers.keptBytes { region = nil }
      }
      _exit(0)
    }
  }

  extension DecoderJob {
    /// Decodes the image in this process.
    fileprivate func answer(into pixels: UnsafeMutableRawBufferPointer) -> DecoderAnswer {
      do throws(CaptureReadingError) {
        switch kind {
        case .jpegLuma:
          let raster = try JPEGImage.platformDecoder.luma(of: jpegImage(), size: size)
          return try filled(pixels, raster.samples)
        case .jpegColor:
          let decoded = try JPEGImage.platformDecoder.color(
            of: jpegImage(), size: size, scale: scale)
          return try filled(pixels, decoded.raster.samples, decoded.notes)
        case .hevc:
          let image = try HEVCStillImage(checkedUnits: parts)
          let layout = PackedPlanes(image.parameters)
          guard layout.byteCount == pixels.count else { throw otherSize(layout.byteCount, pixels) }
          try defaultHEVCDecoder.decode(image, path: []) { layout.pack($0, into: pixels) }
          return .done(notes: [])
        }
      } catch { return .failed(error) }
    }

    private func jpegImage() throws(CaptureReadingError) -> JPEGImage {
      guard let bytes = parts.first, parts.count == 1 else {
        throw CaptureReadingError(
          .malformed, expected: "the bytes of one JPEG image", found: "\(parts.count) parts")
      }
      // Parsed again, since markers and block sizes show what is damaged.
      return try JPEGImage(bytes, origin: .primary, limits: ReadingLimits())
    }

    private func filled<Sample: BitwiseCopyable>(
      _ pixels: UnsafeMutableRawBufferPointer, _ samples: [Sample], _ notes: [ContainerNote] = []
    ) throws(CaptureReadingError) -> DecoderAnswer {
      let count = samples.count * MemoryLayout<Sample>.stride
      guard count == pixels.count else { throw otherSize(count, pixels) }
      samples.withUnsafeBytes { pixels.copyMemory(from: $0) }
      return .done(notes: notes)
    }

    private func otherSize(
      _ count: Int, _ pixels: UnsafeMutableRawBufferPointer
    ) -> CaptureReadingError {
      CaptureReadingError(
        .malformed, expected: "\(pixels.count) bytes of pixels", found: "\(count)")
    }
  }
#endif

#if os(Linux)
  import CDecoderSandbox

  /// The sandbox of a network's worker; see `CDecoderSandbox.h`.
  package struct NetworkSandbox: Sendable {
    /// Bytes of address space.
    package var addressSpaceBytes: Int
    /// The processor time for all runs together.
    package var processorSeconds: Int
    /// The model's descriptor.
    package var model: CInt
    /// The path under which the model can be opened.
    package var modelPath: String
    /// The runtime's folder, without symbolic links.
    package var folder: String
    /// The maximum number of open descriptors: channel, folder, model, and reopened ones.
    package static let descriptors = 32

    package init(
      addressSpaceBytes: Int, processorSeconds: Int, model: CInt, modelPath: String,
      folder: String
    ) {
      self.addressSpaceBytes = addressSpaceBytes
      self.processorSeconds = processorSeconds
      self.model = model
      self.modelPath = modelPath
      self.folder = folder
    }

    /// Enters the sandbox permanently; returns 0 or the system's negative error number.
    package func enter() -> CInt {
      var limits = plb_process_limits(
        address_space: UInt64(addressSpaceBytes), processor_seconds: UInt64(processorSeconds),
        descriptors: UInt64(Self.descriptors))
      return folder.withCString { folder in
        modelPath.withCString { path in
          var files = plb_network_files(model: model, model_path: path, folder: folder)
          return plb_enter_network_sandbox(&limits, &files)
        }
      }
    }
  }
#endif
