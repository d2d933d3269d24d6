#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import PlumblineModel

  extension DepthDevice {
    /// The camera of this device; `nil` if it does not have one.
    var captureDevice: AVCaptureDevice? {
      let type: AVCaptureDevice.DeviceType =
        switch self {
        case .dual: .builtInDualCamera
        case .dualWide: .builtInDualWideCamera
        case .trueDepth: .builtInTrueDepthCamera
        case .lidar: .builtInLiDARDepthCamera
        }
      return AVCaptureDevice.default(type, for: .video, position: isAtFront ? .front : .back)
    }
  }

  extension DeviceFormats {
    /// The streaming formats of a camera, with the indices of its own lists.
    init(_ camera: AVCaptureDevice, device: DepthDevice) {
      self.init(
        device: device,
        formats: camera.formats.map { format in
          VideoFormat(
            size: format.size, framesPerSecond: format.rates,
            depthFormats: format.supportedDepthDataFormats.map { depth in
              // Formats without depth stay in the list, so that indices are valid; their rate
              // matches no request.
              let type = DepthPixelType(
                fourCharacterCode: depth.formatDescription.mediaSubType.rawValue)
              return DepthFormat(
                size: depth.size, type: type ?? .disparity16,
                framesPerSecond: type == nil ? 0...0 : depth.rates)
            })
        })
    }
  }

  extension AVCaptureDevice.Format {
    fileprivate var size: RasterSize {
      let dimensions = CMVideoFormatDescriptionGetDimensions(formatDescription)
      return RasterSize(width: Int(dimensions.width), height: Int(dimensions.height))
    }

    /// The supported rates in frames per second.
    var rates: ClosedRange<Double> {
      let ranges = videoSupportedFrameRateRanges
      let least = ranges.map(\.minFrameRate).min() ?? 0
      return least...max(least, ranges.map(\.maxFrameRate).max() ?? 0)
    }
  }
#endif
