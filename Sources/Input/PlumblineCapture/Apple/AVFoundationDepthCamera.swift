#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  /// A depth camera of an iPhone or iPad that uses AVFoundation.
  ///
  /// It delivers synchronized color and depth, with calibration and accuracy for each frame.
  ///
  /// It was type-checked against declarations of Apple's frameworks, but never run on a device.
  public struct AVFoundationDepthCamera: DepthCameraSource {
    /// The camera.
    public var device: DepthDevice
    /// The requested formats.
    public var request: FormatRequest
    /// The settings for filtering, intrinsics and distortion correction.
    public var settings: DepthStreamSettings

    /// Creates a camera; ``events()`` starts it.
    public init(
      _ device: DepthDevice, request: FormatRequest = FormatRequest(),
      settings: DepthStreamSettings = .metrology
    ) {
      self.device = device
      self.request = request
      self.settings = settings
    }

    /// Requests permission, configures the camera for ``settings`` and starts it.
    ///
    /// An interruption ends the events with ``DepthCameraError/interrupted(_:)``; another call
    /// starts a new session.
    public func events() -> DepthCameraEvents {
      let camera = self
      return DepthCameraEvents { buffer in
        let stream = AVFoundationStream(camera, buffer)
        Task {
          do throws(DepthCameraError) { try await stream.start() } catch {
            buffer.finish(throwing: error)
          }
        }
        return { Task { await stream.stop() } }
      }
    }
  }

  /// A running session, used only inside this actor.
  private actor AVFoundationStream {
    private let camera: AVFoundationDepthCamera
    private let buffer: DepthCameraEventBuffer
    private let session = AVCaptureSession()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let queue = DispatchQueue(label: "plumbline.depth-camera")
    private var synchronizer: AVCaptureDataOutputSynchronizer?
    private var delegate: SynchronizedFrames?
    private let held = HeldOrientation()
    private var interruptions: SessionInterruptions?
    private var motion: DeviceMotion?
    private var isStopped = false

    init(_ camera: AVFoundationDepthCamera, _ buffer: DepthCameraEventBuffer) {
      self.camera = camera
      self.buffer = buffer
    }

    func start() async throws(DepthCameraError) {
      guard await AVCaptureDevice.requestAccess(for: .video) else { throw .notAuthorized }
      // The caller may have stopped the camera before the user answered.
      guard !isStopped else { return }
      guard let device = camera.device.captureDevice else {
        throw .noDevice(camera.device.rawValue)
      }
      let choice: FormatChoice
      do throws(FormatChoiceError) {
        choice = try FormatChoice(
          for: camera.request, among: DeviceFormats(device, device: camera.device))
      } catch {
        throw .noFormat(error)
      }
      let configuration = DepthStreamConfiguration(
        choice: choice, settings: camera.settings,
        capabilities: DepthStreamCapabilities(
          canCorrectGeometricDistortion: device.isGeometricDistortionCorrectionSupported,
          canDeliverIntrinsics: true))
      interruptions = SessionInterruptions(of: session, into: buffer)
      motion = DeviceMotion(into: buffer, held: held)
      var done: [ConfigurationStep] = []
      do throws(DepthCameraError) {
        for step in configuration.steps {
          try perform(step, on: device, choice)
          done.append(step)
        }
      } catch {
        for step in DepthStreamConfiguration.unwinding(done) {
          try perform(step, on: device, choice)
        }
        throw error
      }
    }

    /// Stops the session; frames are stopped first, so that none arrives after the session has
    /// ended.
    func stop() {
      isStopped = true
      synchronizer?.setDelegate(nil, queue: nil)
      // Also during an interruption, since the session would otherwise restart with the app.
      session.stopRunning()
      (synchronizer, delegate, interruptions, motion) = (nil, nil, nil, nil)
    }

    private func perform(
      _ step: ConfigurationStep, on device: AVCaptureDevice, _ choice: FormatChoice
    ) throws(DepthCameraError) {
      switch step {
      case .beginConfiguration: session.beginConfiguration()
      case .commitConfiguration: session.commitConfiguration()
      case .addDeviceInput:
        let input = try asking(step) { try AVCaptureDeviceInput(device: device) }
        guard session.canAddInput(input) else { throw Self.refused(step) }
        session.addInput(input)
      case .setInputPriority: session.sessionPreset = .inputPriority
      case .addVideoOutput(let discardsLateFrames):
        videoOutput.alwaysDiscardsLateVideoFrames = discardsLateFrames
        videoOutput.videoSettings = [
          "\(kCVPixelBufferPixelFormatTypeKey)": kCVPixelFormatType_32BGRA
        ]
        try add(videoOutput, step)
      case .addDepthOutput(let isFiltered, let discardsLateData):
        depthOutput.isFilteringEnabled = isFiltered
        depthOutput.alwaysDiscardsLateDepthData = discardsLateData
        try add(depthOutput, step)
      case .setIntrinsicsDelivery(let isOn):
        if let connection = videoOutput.connection(with: .video),
          connection.isCameraIntrinsicMatrixDeliverySupported
        {
          connection.isCameraIntrinsicMatrixDeliveryEnabled = isOn
        }
      case .lockDevice: try asking(step) { try device.lockForConfiguration() }
      case .unlockDevice: device.unlockForConfiguration()
      case .setGeometricDistortionCorrection(let isOn):
        device.isGeometricDistortionCorrectionEnabled = isOn
      case .setFormat(let index): device.activeFormat = device.formats[index]
      case .setDepthFormat(let index):
        device.activeDepthDataFormat = device.activeFormat.supportedDepthDataFormats[index]
      case .setVideoRate(let rate):
        device.activeVideoMinFrameDuration = .frame(at: rate)
        device.activeVideoMaxFrameDuration = .frame(at: rate)
      case .capDepthRate(let rate): device.activeDepthDataMinFrameDuration = .frame(at: rate)
      case .synchronizeVideoFirst: synchronize(device, choice)
      case .verifyGeometricDistortionCorrection(let isOn):
        guard device.isGeometricDistortionCorrectionEnabled == isOn else {
          throw Self.refused(step)
        }
      case .startRunning: session.startRunning()
      }
    }

    private func add(_ output: AVCaptureOutput, _ step: ConfigurationStep) throws(DepthCameraError)
    {
      guard session.canAddOutput(output) else { throw Self.refused(step) }
      session.addOutput(output)
    }

    private func synchronize(_ device: AVCaptureDevice, _ choice: FormatChoice) {
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput])
      // Images are stored as the sensor delivers them, neither rotated nor mirrored.
      for connection in [
        videoOutput.connection(with: .video), depthOutput.connection(with: .depthData),
      ] {
        guard let connection, connection.isVideoMirroringSupported else { continue }
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = false
      }
      let delegate = SynchronizedFrames(
        video: videoOutput, depth: depthOutput, device: device, choice: choice, held: held,
        buffer: buffer)
      synchronizer.setDelegate(delegate, queue: queue)
      (self.synchronizer, self.delegate) = (synchronizer, delegate)
    }

    private func asking<Result>(
      _ step: ConfigurationStep, _ body: () throws -> Result
    ) throws(DepthCameraError) -> Result {
      do { return try body() } catch {
        throw .configuration(step: "\(step)", detail: error.localizedDescription)
      }
    }

    private static func refused(_ step: ConfigurationStep) -> DepthCameraError {
      .configuration(step: "\(step)", detail: "the session or device does not allow it")
    }
  }

  extension CMTime {
    /// The duration of a frame at a rate.
    static func frame(at framesPerSecond: Double) -> CMTime {
      CMTime(seconds: 1 / framesPerSecond, preferredTimescale: 60_000)
    }
  }
#endif
