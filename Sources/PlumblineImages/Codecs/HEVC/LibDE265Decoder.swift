import PlumblineIO

#if canImport(CLibDE265)
  import CLibDE265
  import PlumblineModel

  /// Decodes HEVC with libde265 (LGPL, linked dynamically), on the calling thread.
  ///
  /// A context lives for one image: state of one hostile stream cannot reach the next.
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
      // The codec keeps asking to be called while a finished image waits, so its arrival ends
      // the loop; each call takes at least one unit in, which bounds it in any case.
      var callsLeft = 16 + 4 * image.units.count
      while more != 0 && callsLeft > 0 && de265_peek_next_picture(context) == nil {
        more = 0
        callsLeft -= 1
        let code = de265_decode(context, &more)
        // All units of one image are inside: a codec that waits for more has met damage.
        guard code != DE265_ERROR_WAITING_FOR_INPUT_DATA else { break }
        try require(code, path)
      }
      while true {
        let warning = de265_get_warning(context)
        if warning == DE265_OK { return }
        // Pixels that were concealed are no measurement; only notes about speed may pass.
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

    /// Wraps the codec's planes after checking them against the parsed parameters.
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
