#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// Takes photos with depth, calibration and mattes in the system's file formats.
  ///
  /// It was type-checked against declarations of Apple's frameworks, but never run on a device.
  public actor AVFoundationPhotoCamera {
    private let device: DepthDevice
    private let settings: DepthPhotoSettings
    private let session = AVCaptureSession()
    private let output = AVCapturePhotoOutput()
    private var camera: AVCaptureDevice?

    /// Creates a camera with the settings of each photo; ``start()`` prepares it.
    public init(_ device: DepthDevice, settings: DepthPhotoSettings = .metrology) {
      self.device = device
      self.settings = settings
    }

    /// Requests permission, prepares the output for the settings and starts the session.
    ///
    /// - Throws: ``DepthCameraError``.
    public func start() async throws(DepthCameraError) {
      guard await AVCaptureDevice.requestAccess(for: .video) else { throw .notAuthorized }
      guard let camera = device.captureDevice else { throw .noDevice(device.rawValue) }
      let input: AVCaptureDeviceInput
      do { input = try AVCaptureDeviceInput(device: camera) } catch {
        throw .configuration(step: "open the camera", detail: error.localizedDescription)
      }
      self.camera = camera
      // The system delivers a calibration only for images without distortion correction.
      if settings.deliversCalibration, camera.isGeometricDistortionCorrectionSupported,
        (try? camera.lockForConfiguration()) != nil
      {
        camera.isGeometricDistortionCorrectionEnabled = false
        camera.unlockForConfiguration()
      }
      session.beginConfiguration()
      defer { session.commitConfiguration() }
      session.sessionPreset = .photo
      guard session.canAddInput(input), session.canAddOutput(output) else {
        throw .configuration(step: "add camera and output", detail: "the session refuses them")
      }
      session.addInput(input)
      session.addOutput(output)
      let preparation = settings.preparation
      output.isDepthDataDeliveryEnabled = preparation.depth && output.isDepthDataDeliverySupported
      output.isVirtualDeviceConstituentPhotoDeliveryEnabled =
        preparation.dualPhotos && output.isVirtualDeviceConstituentPhotoDeliverySupported
      output.isPortraitEffectsMatteDeliveryEnabled =
        preparation.mattes.contains(.portraitEffects)
        && output.isPortraitEffectsMatteDeliverySupported
      output.enabledSemanticSegmentationMatteTypes =
        output.availableSemanticSegmentationMatteTypes.filter {
          $0.kind.map(preparation.mattes.contains) ?? false
        }
    }

    /// Starts the stream from which photos are taken; this takes a moment, as Apple's documentation
    /// warns.
    public func run() { session.startRunning() }

    /// Stops the stream; ``run()`` restarts it.
    public func stop() { session.stopRunning() }

    /// Takes one photo, or two if both cameras of a dual camera deliver one.
    ///
    /// - Returns: The bytes of each file, with depth and mattes if the settings request them.
    /// - Throws: ``DepthCameraError`` with the first ``DepthPhotoProblem``, or with the system's
    ///   error.
    public func photo() async throws(DepthCameraError) -> [[UInt8]] {
      if let problem = settings.problems(on: capabilities).first {
        throw .configuration(step: "take the photo", detail: problem.description)
      }
      // The call below would otherwise raise an exception, which ends a Swift program.
      guard session.isRunning, output.connection(with: .video)?.isActive == true else {
        throw .failed("it is not running")
      }
      guard settings.container != .raw else {
        throw .configuration(step: "take the photo", detail: "raw files are not taken here")
      }
      let codec: AVVideoCodecType = settings.container == .jpeg ? .jpeg : .hevc
      guard output.availablePhotoCodecTypes.contains(codec) else {
        throw .configuration(step: "take the photo", detail: "this device writes no such file")
      }
      let request = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
      request.isDepthDataDeliveryEnabled = settings.deliversDepth
      request.isDepthDataFiltered = settings.isFiltered
      request.embedsDepthDataInPhoto = settings.embedsDepth
      request.isCameraCalibrationDataDeliveryEnabled = settings.deliversCalibration
      request.isPortraitEffectsMatteDeliveryEnabled = settings.mattes.contains(.portraitEffects)
      request.enabledSemanticSegmentationMatteTypes = output.enabledSemanticSegmentationMatteTypes
      if settings.deliversDualPhotos, let camera {
        request.virtualDeviceConstituentPhotoDeliveryEnabledDevices = camera.constituentDevices
      }
      let photos = PhotoFiles(count: settings.photoCount)
      let result = await withCheckedContinuation { continuation in
        photos.deliver(to: continuation)
        output.capturePhoto(with: request, delegate: photos)
      }
      // The output holds no strong reference, so this one keeps the object alive.
      withExtendedLifetime(photos) {}
      return try result.get()
    }

    private var capabilities: PhotoCapabilities {
      var mattes = Set(output.availableSemanticSegmentationMatteTypes.compactMap(\.kind))
      if output.isPortraitEffectsMatteDeliverySupported { mattes.insert(.portraitEffects) }
      return PhotoCapabilities(
        supportsDepth: output.isDepthDataDeliverySupported,
        supportsDualPhotos: output.isVirtualDeviceConstituentPhotoDeliverySupported,
        supportedMattes: mattes,
        correctsGeometricDistortion: camera?.isGeometricDistortionCorrectionEnabled ?? false,
        correctsContentAware: output.isContentAwareDistortionCorrectionEnabled,
        prepared: PhotoPreparation(
          depth: output.isDepthDataDeliveryEnabled,
          dualPhotos: output.isVirtualDeviceConstituentPhotoDeliveryEnabled,
          mattes: settings.preparation.mattes.intersection(mattes)))
    }
  }

  extension AVSemanticSegmentationMatte.MatteType {
    /// The kind of matte; `nil` for types that are newer than this program.
    fileprivate var kind: Matte.Kind? {
      switch self {
      case .skin: .skin
      case .hair: .hair
      case .teeth: .teeth
      case .glasses: .glasses
      default: nil
      }
    }
  }
#endif
