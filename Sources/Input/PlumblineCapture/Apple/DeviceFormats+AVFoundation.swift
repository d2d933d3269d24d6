#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import PlumblineModel

  extension DepthDevice {
    /// The camera of this device; `nil` if it does not have one.
    var captureDevice: AVCaptureDevice? {
      let type: AVCaptureDevice.DeviceType =
        switch self {
        case .dual: .builtInDualCamera
        case .dualWide: .builtInDualWideCamera
        case .triple: .builtInTripleCamera
        case .trueDepth: .builtInTrueDepthCamera
        case .lidar: .builtInLiDARDepthCamera
        }
      return AVCaptureDevice.default(type, for: .video, position: isAtFront ? .front : .back)
    }
  }

  extension DeviceFormats {
    /// The streaming formats of a camera, with the indices of its own lists.
    init(_ camera: AVCaptureDevice, device: DepthDevice) {
      self.init(device: device, formats: camera.formats.map { VideoFormat($0) })
    }
  }

  extension VideoFormat {
    /// The facts of a format.
    init(_ format: AVCaptureDevice.Format) {
      self.init(
        size: format.size,
        pixelType: VideoPixelType(
          fourCharacterCode: format.formatDescription.mediaSubType.rawValue),
        rates: format.rateRanges,
        depthFormats: format.supportedDepthDataFormats.map { DepthFormat($0) })
      isBinned = format.isVideoBinned
      allowsDepthOutput = !format.unsupportedCaptureOutputClasses.contains {
        $0 == AVCaptureDepthDataOutput.self
      }
      depthZoomFactors = format.supportedVideoZoomRangesForDepthDataDelivery.map {
        Double($0.lowerBound)...Double($0.upperBound)
      }
    }
  }

  extension DepthFormat {
    /// The facts of a depth format; without rates if its pixels are not depth, so that it stays in
    /// the list and matches no request.
    init(_ format: AVCaptureDevice.Format) {
      let type = DepthPixelType(
        fourCharacterCode: format.formatDescription.mediaSubType.rawValue)
      self.init(
        size: format.size, type: type ?? .disparity16, rates: type == nil ? [] : format.rateRanges)
    }
  }

  extension AVCaptureDevice.Format {
    fileprivate var size: RasterSize {
      let dimensions = CMVideoFormatDescriptionGetDimensions(formatDescription)
      return RasterSize(width: Int(dimensions.width), height: Int(dimensions.height))
    }

    fileprivate var rateRanges: [FrameRateRange] {
      videoSupportedFrameRateRanges.compactMap { range in
        guard let shortest = FrameDuration(range.minFrameDuration),
          let longest = FrameDuration(range.maxFrameDuration)
        else { return nil }
        return FrameRateRange(shortest: shortest, longest: longest)
      }
    }
  }

  extension FrameDuration {
    /// The duration of a time; `nil` for one that is not above 0.
    init?(_ time: CMTime) {
      guard time.isValid else { return nil }
      self.init(value: time.value, timescale: time.timescale)
    }

    /// The duration for AVFoundation.
    var time: CMTime { CMTime(value: value, timescale: timescale) }
  }
#endif
