#if canImport(VideoToolbox)
  import CoreMedia
  import CoreVideo
  import Foundation
  import PlumblineModel
  import VideoToolbox

  /// Encodes still images as HEVC with the system's encoder; **not tested**, since no Apple device
  /// was available.
  ///
  /// All images of one call use one session, in which each is a key frame. No lossless mode is
  /// documented for the encoder, so it accepts no image that must be lossless. Its bytes may differ
  /// between devices and system versions.
  struct VideoToolboxEncoder: HEVCStillEncoding {
    /// Accepts 8-bit color and 8- or 10-bit luma with even sides, if loss is allowed.
    func takes(_ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding) -> Bool {
      guard case .lossy = coding, format.isLargeEnough else { return false }
      return format.size.width % 2 == 0 && format.size.height % 2 == 0
        && Self.pixelFormat(of: format) != nil
    }

    func code(
      _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding,
      _ image: (Int) -> [UInt8]
    ) throws(PhotoWritingError) -> CodedHEVCImages {
      guard takes(format, coding), let pixelFormat = Self.pixelFormat(of: format) else {
        preconditionFailure("an image that VideoToolbox does not take")
      }
      let session = try Self.session(format, coding)
      defer { VTCompressionSessionInvalidate(session) }
      let output = VideoToolboxOutput()
      for index in 0..<count {
        let buffer = try Self.buffer(image(index), format, pixelFormat)
        // Times only need to ascend; they number the images.
        let status = VTCompressionSessionEncodeFrame(
          session, imageBuffer: buffer,
          presentationTimeStamp: CMTime(value: CMTimeValue(index), timescale: 1),
          duration: .invalid, frameProperties: nil, infoFlagsOut: nil
        ) { @Sendable status, _, sample in output.take(sample, status, at: index) }
        try Self.require(status, "taking an image")
      }
      try Self.require(
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid),
        "coding")
      let units = try output.units(of: count)
      guard let coded = CodedHEVCImages(units: units, format), coded.images.count == count
      else { throw .encoder("VideoToolbox did not give \(count) images that stand alone") }
      return coded
    }

    private static func pixelFormat(of format: HEVCStillFormat) -> OSType? {
      switch (format.isMonochrome, format.bitDepth) {
      case (true, 8): kCVPixelFormatType_OneComponent8
      case (true, 10): kCVPixelFormatType_OneComponent10
      case (false, 8) where format.color.isFullRange:
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      case (false, 8): kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      default: nil
      }
    }

    private static func session(
      _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding
    ) throws(PhotoWritingError) -> VTCompressionSession {
      var created: VTCompressionSession?
      let status = VTCompressionSessionCreate(
        allocator: nil, width: Int32(format.size.width), height: Int32(format.size.height),
        codecType: kCMVideoCodecType_HEVC, encoderSpecification: nil, imageBufferAttributes: nil,
        compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
        compressionSessionOut: &created)
      try require(status, "starting")
      guard let session = created else { throw .encoder("VideoToolbox gave no session") }
      let profile =
        switch (format.isMonochrome, format.bitDepth) {
        case (true, 8): kVTProfileLevel_HEVC_Monochrome_AutoLevel
        case (true, _): kVTProfileLevel_HEVC_Monochrome10_AutoLevel
        case (false, _): kVTProfileLevel_HEVC_Main_AutoLevel
        }
      // Without these two the images would not be what the file says, or not stand alone.
      let required: [(key: CFString, value: AnyObject)] = [
        (kVTCompressionPropertyKey_ProfileLevel, profile),
        (kVTCompressionPropertyKey_MaxKeyFrameInterval, NSNumber(value: 1)),
      ]
      for setting in required {
        try require(
          VTSessionSetProperty(session, key: setting.key, value: setting.value),
          "setting \(setting.key)")
      }
      // What an encoder does not know of these it may refuse; it then does as it always does.
      var settings: [(key: CFString, value: AnyObject)] = [
        (kVTCompressionPropertyKey_AllowFrameReordering, NSNumber(value: false)),
        (kVTCompressionPropertyKey_RealTime, NSNumber(value: false)),
      ]
      if case .lossy(let quality) = coding {
        // From 0 to 1; the relation to JPEG's scale is a guess until it is measured.
        let share = Double(min(max(quality, 1), 100)) / 100
        settings.append((kVTCompressionPropertyKey_Quality, NSNumber(value: share)))
      }
      // The file's color box states primaries and transfer, but the matrix is that of these planes.
      if !format.isMonochrome, format.color.matrix == 6 {
        settings.append(
          (kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_601_4))
      }
      for setting in settings {
        _ = VTSessionSetProperty(session, key: setting.key, value: setting.value)
      }
      try require(VTCompressionSessionPrepareToEncodeFrames(session), "preparing")
      return session
    }

    private static func buffer(
      _ bytes: [UInt8], _ format: HEVCStillFormat, _ pixelFormat: OSType
    ) throws(PhotoWritingError) -> CVPixelBuffer {
      var created: CVPixelBuffer?
      let status = CVPixelBufferCreate(
        nil, format.size.width, format.size.height, pixelFormat, nil, &created)
      try require(status, "making room for an image")
      guard let buffer = created else { throw .encoder("VideoToolbox has no room for an image") }
      try require(CVPixelBufferLockBaseAddress(buffer, []), "opening an image")
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      guard buffer.fill(with: bytes, format) else {
        throw .encoder("VideoToolbox's image has other planes than \(format.size) needs")
      }
      return buffer
    }

    private static func require(
      _ status: OSStatus, _ step: String
    ) throws(PhotoWritingError) {
      guard status == 0 else {
        throw .encoder("VideoToolbox failed at \(step) (status \(status))")
      }
    }
  }

  extension CVBuffer {
    /// Copies the planes of an image into a buffer that is locked; `false` where they do not fit.
    fileprivate func fill(with bytes: [UInt8], _ format: HEVCStillFormat) -> Bool {
      let (width, height) = (format.size.width, format.size.height)
      guard format.isMonochrome else {
        let chroma = width * height / 4
        guard CVPixelBufferGetPlaneCount(self) == 2, bytes.count == width * height + 2 * chroma,
          let luma = rows(0, bytesPerRow: width), let pairs = rows(1, bytesPerRow: width),
          luma.count == height, pairs.count == height / 2
        else { return false }
        for (y, row) in luma.enumerated() {
          row.copyBytes(from: bytes[y * width..<(y + 1) * width])
        }
        let blue = width * height
        let red = blue + chroma
        for (y, row) in pairs.enumerated() {
          let first = y * (width / 2)
          for x in 0..<width / 2 {
            row[2 * x] = bytes[blue + first + x]
            row[2 * x + 1] = bytes[red + first + x]
          }
        }
        return true
      }
      let samples = format.bitDepth > 8 ? 2 : 1
      guard CVPixelBufferGetPlaneCount(self) == 0, bytes.count == samples * width * height,
        let luma = rows(0, bytesPerRow: samples * width), luma.count == height
      else { return false }
      for (y, row) in luma.enumerated() {
        let source = bytes[y * samples * width..<(y + 1) * samples * width]
        guard samples == 2 else {
          row.copyBytes(from: source)
          continue
        }
        for x in 0..<width {
          // Ten bits stand in the upper part of sixteen.
          let code =
            Int(source[source.startIndex + 2 * x])
            | Int(source[source.startIndex + 2 * x + 1]) << 8
          row[2 * x] = UInt8(truncatingIfNeeded: code << 6)
          row[2 * x + 1] = UInt8(truncatingIfNeeded: code >> 2)
        }
      }
      return true
    }

    /// The memory of each row of a plane; `nil` where there is none or rows are too short.
    private func rows(_ plane: Int, bytesPerRow needed: Int) -> [UnsafeMutableRawBufferPointer]? {
      let hasPlanes = CVPixelBufferGetPlaneCount(self) > 0
      guard
        let base = hasPlanes
          ? CVPixelBufferGetBaseAddressOfPlane(self, plane) : CVPixelBufferGetBaseAddress(self)
      else { return nil }
      let stride =
        hasPlanes
        ? CVPixelBufferGetBytesPerRowOfPlane(self, plane) : CVPixelBufferGetBytesPerRow(self)
      let count =
        hasPlanes ? CVPixelBufferGetHeightOfPlane(self, plane) : CVPixelBufferGetHeight(self)
      guard stride >= needed else { return nil }
      return (0..<count).map {
        UnsafeMutableRawBufferPointer(start: base + $0 * stride, count: needed)
      }
    }
  }
#endif
