import PlumblineIO

#if canImport(CLibDE265)
  import CLibDE265
  import PlumblineModel

  /// Decodes HEVC with libde265 (LGPL, linked dynamically), on the calling thread.
  ///
  /// Each image has its own context: the state of a hostile stream cannot affect the next image.
  struct LibDE265Decoder: HEVCStillDecoding {
    func decode(
      _ image: HEVCStillImage, path: [String],
      _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
    ) throws(CaptureReadingError) {
      guard LibDE265Memory.libraryStatus == DE265_OK, let context = de265_new_decoder() else {
        throw CaptureReadingError(
          .unsupported, path: path, expected: "a working libde265", found: "no decoder")
      }
      defer { de265_free_decoder(context) }
      var allocation = LibDE265Memory.allocation
      de265_set_image_allocation_functions(context, &allocation, nil)
      de265_set_parameter_bool(context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 0)
      for unit in image.units {
        let code = unit.withUnsafeBytes {
          de265_push_NAL(context, $0.baseAddress, Int32(clamping: $0.count), 0, nil)
        }
        try require(code, path)
      }
      try require(de265_flush_data(context), path)
      try decodeAll(image, context, path)
      guard let decoded = de265_get_next_picture(context) else {
        throw damage(path, found: "no image")
      }
      try body(try planes(of: decoded, image, path))
    }

    private func decodeAll(
      _ image: HEVCStillImage, _ context: UnsafeMutableRawPointer, _ path: [String]
    ) throws(CaptureReadingError) {
      var more: Int32 = 1
      // The codec requests further calls while a finished image waits, so the loop ends when the
      // image arrives. Each call consumes at least one unit, which bounds the loop in any case.
      var callsLeft = 16 + 4 * image.units.count
      while more != 0 && callsLeft > 0 && de265_peek_next_picture(context) == nil {
        more = 0
        callsLeft -= 1
        let code = de265_decode(context, &more)
        // All units of the image were passed: a codec that waits for more has found damage.
        guard code != DE265_ERROR_WAITING_FOR_INPUT_DATA else { break }
        try require(code, path)
      }
      while true {
        let warning = de265_get_warning(context)
        if warning == DE265_OK { return }
        // Concealed pixels are not measurements; only warnings about speed are accepted.
        guard warning == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING else {
          throw damage(path, found: String(cString: de265_get_error_text(warning)))
        }
      }
    }

    private func require(_ code: de265_error, _ path: [String]) throws(CaptureReadingError) {
      guard de265_isOK(code) != 0 else {
        throw damage(path, found: String(cString: de265_get_error_text(code)))
      }
    }

    private func damage(_ path: [String], found: String) -> CaptureReadingError {
      CaptureReadingError(.malformed, path: path, expected: "a sound HEVC image", found: found)
    }

    /// Wraps the codec's planes after comparing them with the parsed parameters.
    private func planes(
      of decoded: OpaquePointer, _ image: HEVCStillImage, _ path: [String]
    ) throws(CaptureReadingError) -> HEVCPlanes {
      let parameters = image.parameters
      let bitDepth = Int(de265_get_bits_per_pixel(decoded, 0))
      guard Int(de265_get_chroma_format(decoded).rawValue) == parameters.chroma.rawValue,
        bitDepth == parameters.lumaBitDepth,
        parameters.chroma == .monochrome || bitDepth == parameters.chromaBitDepth
      else {
        throw CaptureReadingError(
          .unsupported, path: path, expected: "planes of one bit depth as announced",
          found: "\(bitDepth) bits")
      }
      let luma = try plane(0, of: decoded, parameters.size, bitDepth, path)
      var chroma: (HEVCPlanes.Plane, HEVCPlanes.Plane)?
      if parameters.chroma != .monochrome {
        let horizontal = parameters.chroma.horizontalShift
        let vertical = parameters.chroma.verticalShift
        let size = RasterSize(
          width: (parameters.size.width + horizontal) >> horizontal,
          height: (parameters.size.height + vertical) >> vertical)
        chroma = (
          try plane(1, of: decoded, size, bitDepth, path),
          try plane(2, of: decoded, size, bitDepth, path)
        )
      }
      return HEVCPlanes(
        size: parameters.size, chroma: parameters.chroma, bitDepth: bitDepth, luma: luma,
        blueAndRed: chroma)
    }

    private func plane(
      _ channel: Int32, of decoded: OpaquePointer, _ size: RasterSize, _ bitDepth: Int,
      _ path: [String]
    ) throws(CaptureReadingError) -> HEVCPlanes.Plane {
      var stride: Int32 = 0
      let width = Int(de265_get_image_width(decoded, channel))
      let height = Int(de265_get_image_height(decoded, channel))
      let sampleBytes = bitDepth > 8 ? 2 : 1
      guard let start = de265_get_image_plane(decoded, channel, &stride),
        width == size.width, height == size.height, Int(stride) >= width * sampleBytes
      else {
        throw damage(path, found: "a plane of \(width) × \(height), not \(size)")
      }
      let count = Int(stride) * (height - 1) + width * sampleBytes
      return HEVCPlanes.Plane(
        bytes: UnsafeRawBufferPointer(start: start, count: count), bytesPerRow: Int(stride))
    }
  }
#endif

#if canImport(CLibDE265)
  import CLibDE265

  /// Gives libde265 planes filled with zeros, so that missing slices appear black and never show
  /// earlier contents of the memory.
  enum LibDE265Memory {
    /// Keeps one reference to the library: otherwise the last context to end would free the scan
    /// tables, and each tile would rebuild them (a fifth of its time).
    static let libraryStatus = de265_init()

    /// The functions for `de265_set_image_allocation_functions`.
    static var allocation: de265_image_allocation {
      de265_image_allocation(
        get_buffer: { _, specification, image, _ in
          guard let specification = specification?.pointee, let image else { return 0 }
          return LibDE265Memory.allocatePlanes(of: image, specification) ? 1 : 0
        },
        release_buffer: { _, image, _ in
          for channel: Int32 in 0..<3 {
            de265_get_image_plane_user_data(image, channel)?.deallocate()
          }
        })
    }

    private static func allocatePlanes(
      of image: OpaquePointer, _ specification: de265_image_spec
    ) -> Bool {
      let format = de265_get_chroma_format(image)
      let width = Int(specification.width)
      let height = Int(specification.height)
      guard width > 0, height > 0 else { return false }
      for channel: Int32 in 0..<3 {
        if channel > 0 && format == de265_chroma_mono {
          de265_set_image_plane(image, channel, nil, 0, nil)
          continue
        }
        let isHalfWide = channel > 0 && format != de265_chroma_444
        let isHalfHigh = channel > 0 && format == de265_chroma_420
        let sampleBytes = de265_get_bits_per_pixel(image, channel) > 8 ? 2 : 1
        // 64 is a multiple of every vector width of the codec.
        let stride = (sampleBytes * (isHalfWide ? width / 2 : width) + 63) / 64 * 64
        let rows = isHalfHigh ? height / 2 : height
        // The codec's vector code may access a few bytes after the last sample.
        let byteCount = stride * rows + 64
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        de265_set_image_plane(image, channel, memory, Int32(stride), memory)
        // Strides are in bytes here; a library version with strides in samples would write past the
        // end.
        var understood: Int32 = 0
        _ = de265_get_image_plane(image, channel, &understood)
        guard Int(understood) == stride else { return false }
      }
      return true
    }
  }
#endif
