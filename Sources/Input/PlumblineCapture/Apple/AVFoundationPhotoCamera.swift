#if os(iOS)
  internal import AVFoundation
  internal import Dispatch
  internal import Foundation
  internal import PlumblineModel

  /// Takes photos with depth, calibration and mattes in the system's file formats.
  ///
  /// It was type-checked against declarations of Apple's frameworks, but never run on a device.
  public actor AVFoundationPhotoCamera {
    private let executorQueue = DispatchSerialQueue(label: "plumbline.photo-camera.session")
    /// The camera's own queue, since starting and stopping a session block the thread for a while.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
      executorQueue.asUnownedSerialExecutor()
    }

    private let device: DepthDevice
    private let settings: DepthPhotoSettings
    private let session = AVCaptureSession()
    private let output = AVCapturePhotoOutput()
    private var camera: AVCaptureDevice?
    private var rotation: AVCaptureDevice.RotationCoordinator?
    private var notifications: SessionNotifications?
    private var startRemark: String?
    private var isPrepared = false

    /// Creates a camera with the settings that its photos can use; ``start()`` prepares it.
    public init(_ device: DepthDevice, settings: DepthPhotoSettings = .metrology) {
      self.device = device
      self.settings = settings
    }

    /// What the camera can, for ``PhotoChoices``; `nil` before ``start()``.
    public var capabilities: PhotoCapabilities? {
      camera.map { PhotoCapabilities(output, $0, prepared: settings.preparation) }
    }

    /// Requests permission, prepares the output for the settings, starts the session and waits until
    /// exposure, focus and white balance have settled, at most 3 s.
    ///
    /// - Throws: ``DepthCameraError``.
    public func start() async throws(DepthCameraError) {
      guard await AVCaptureDevice.requestAccess(for: .video) else { throw .notAuthorized }
      if settings.takesLivePhoto { _ = await AVCaptureDevice.requestAccess(for: .audio) }
      guard let camera = device.captureDevice else { throw .noDevice(device.rawValue) }
      try prepare(camera)
      self.camera = camera
      rotation = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
      await settle(camera)
    }

    /// Starts the stream again after ``stop()``, and waits as ``start()`` does.
    public func run() async {
      guard isPrepared, let camera, !session.isRunning else { return }
      session.startRunning()
      await settle(camera)
    }

    /// Stops the stream; ``run()`` restarts it.
    public func stop() { session.stopRunning() }

    /// The interruptions of the session from now on, and their ends; the events end with its failure.
    ///
    /// The session is kept, and photos can be taken again when an interruption ends. One consumer at a
    /// time; a later call replaces it.
    public func events() -> DepthCameraEvents {
      DepthCameraEvents { buffer in
        let tracking = SessionTracking(into: buffer) { [weak self] in
          Task { await self?.run() }
        }
        notifications = SessionNotifications(of: session, to: tracking)
        return { tracking.take(.stopped) }
      }
    }

    /// Takes one photo, or one for each camera of a dual camera or each exposure of a bracket.
    ///
    /// - Returns: The bytes of each file, with depth and mattes if the settings request them.
    /// - Throws: ``DepthCameraError`` with the first ``DepthPhotoProblem``, or with the system's
    ///   error.
    public func photo() async throws(DepthCameraError) -> [[UInt8]] {
      try await shot(settings).photos.map(\.file)
    }

    /// Takes photos with other settings for which the output was prepared, and returns all that the
    /// system delivered with them.
    ///
    /// - Throws: ``DepthCameraError`` with the first ``DepthPhotoProblem`` that prevents the photo, or
    ///   with the system's error.
    public func shot(_ settings: DepthPhotoSettings) async throws(DepthCameraError) -> PhotoShot {
      // The calls below would otherwise raise an exception, which ends a Swift program.
      guard let camera, session.isRunning, let connection = output.connection(with: .video),
        connection.isActive
      else { throw .failed("it is not running") }
      let problems = settings.problems(on: capabilities ?? PhotoCapabilities(supportsDepth: false))
      if let problem = problems.first(where: \.isException) {
        throw .configuration(step: "take the photo", detail: problem.description)
      }
      guard settings.container != .raw else {
        throw .configuration(step: "take the photo", detail: "raw files are not taken here")
      }
      if let angle = rotation?.videoRotationAngleForHorizonLevelCapture,
        connection.isVideoRotationAngleSupported(angle)
      {
        // A photo output turns no pixels: it writes the angle as the orientation of the file.
        connection.videoRotationAngle = angle
      }
      let request = settings.request(output, camera)
      let collector = PhotoCollector(
        PhotoDelivery(
          settings, of: device,
          remarks: (startRemark.map { [$0] } ?? []) + problems.map(\.description)),
        source: source(of: camera), depthKind: settings.depthKind)
      let result = await withCheckedContinuation { continuation in
        collector.deliver(to: continuation)
        output.capturePhoto(with: request, delegate: collector)
      }
      // The output holds no strong reference, so this one keeps the object alive.
      withExtendedLifetime(collector) {}
      return try result.get()
    }

    private func prepare(_ camera: AVCaptureDevice) throws(DepthCameraError) {
      guard !isPrepared else { return }
      var done: [PhotoStep] = []
      do throws(DepthCameraError) {
        let opening = PhotoConfiguration.opening(
          device, settings,
          canCorrectGeometricDistortion: camera.isGeometricDistortionCorrectionSupported)
        for step in opening {
          try perform(step, camera)
          done.append(step)
        }
        let supported = PhotoCapabilities(output, camera, prepared: PhotoPreparation())
        for step in PhotoConfiguration.preparing(settings, on: supported) {
          try perform(step, camera)
          done.append(step)
        }
      } catch {
        for step in PhotoConfiguration.unwinding(done) { try perform(step, camera) }
        throw error
      }
      isPrepared = true
    }

    private func perform(_ step: PhotoStep, _ camera: AVCaptureDevice) throws(DepthCameraError) {
      var isDone = true
      do {
        switch step {
        case .lockDevice: try camera.lockForConfiguration()
        case .unlockDevice: camera.unlockForConfiguration()
        case .turnOffGeometricDistortionCorrection:
          camera.isGeometricDistortionCorrectionEnabled = false
        case .beginConfiguration: session.beginConfiguration()
        case .commitConfiguration: session.commitConfiguration()
        case .addDeviceInput: isDone = session.add(try AVCaptureDeviceInput(device: camera))
        case .usePhotoPreset: session.sessionPreset = .photo
        case .addAudioInputIfAllowed:
          if AVCaptureDevice.authorizationStatus(for: .audio) == .authorized,
            let microphone = AVCaptureDevice.default(for: .audio)
          {
            _ = session.add(try AVCaptureDeviceInput(device: microphone))
          }
        case .addPhotoOutput: isDone = session.add(output)
        case .chooseDepthFormat(let kind): camera.chooseDepthFormat(kind)
        case .startRunning: session.startRunning()
        default: output.carryOut(step)
        }
      } catch { throw .configuration(step: step.words, detail: error.localizedDescription) }
      guard isDone else {
        throw .configuration(step: step.words, detail: "the session does not allow it")
      }
    }

    /// Waits until the camera has settled, as ``CameraSettling`` decides.
    private func settle(_ camera: AVCaptureDevice) async {
      var settling = CameraSettling()
      let start = ContinuousClock.now
      while true {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let decision = settling.take(camera.adjustments, at: seconds)
        startRemark = decision.remark
        guard decision == .wait else { return }
        do { try await Task.sleep(for: .seconds(CameraSettling.intervalSeconds)) } catch { return }
      }
    }

    private func source(of camera: AVCaptureDevice) -> CaptureSource {
      var source = CaptureSource(appleCamera: device.camera, interface: .photo)
      source.lensModel = camera.localizedName
      source.isGeometryCorrected = camera.isGeometricDistortionCorrectionEnabled
      return source
    }
  }
#endif
