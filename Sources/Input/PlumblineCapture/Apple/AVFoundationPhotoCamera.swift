#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// Takes photos with depth, calibration and mattes as the system writes them.
  ///
  /// Type-checked against declarations of Apple's frameworks; never run on a device.
  public actor AVFoundationPhotoCamera {
    private let device: DepthDevice
    private let settings: DepthPhotoSettings
    private let session = AVCaptureSession()
    private let output = AVCapturePhotoOutput()
    private var camera: AVCaptureDevice?

    /// Chooses a camera and what each photo brings along; ``start()`` prepares it.
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
      // A calibration is delivered only of images that are not corrected.
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

    /// Starts the stream that photos are taken from; takes a moment, as the system warns.
    public func run() { session.startRunning() }

    /// Ends it; ``run()`` starts it again.
    public func stop() { session.stopRunning() }

    /// Takes one photo, or two where both cameras of a dual one deliver.
    ///
    /// - Returns: The bytes of each file, depth and mattes inside where the settings say so.
    /// - Throws: ``DepthCameraError`` that names the first ``DepthPhotoProblem``, or the system's.
    public func photo() async throws(DepthCameraError) -> [[UInt8]] {
      if let problem = settings.problems(on: capabilities).first {
        throw .configuration(step: "take the photo", detail: problem.description)
      }
      // What follows would otherwise be an exception, which no Swift program survives.
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
      // The output keeps no strong reference; without this nothing would.
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
    /// What it marks; `nil` for types that are newer than this program.
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
