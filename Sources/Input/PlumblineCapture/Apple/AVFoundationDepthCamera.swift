#if os(iOS)
  internal import AVFoundation
  internal import Dispatch
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
    /// How color is delivered.
    public var color: LiveColor

    /// Creates a camera; ``events()`` starts it.
    public init(
      _ device: DepthDevice, request: FormatRequest = FormatRequest(),
      settings: DepthStreamSettings = .metrology, color: LiveColor = .pixels
    ) {
      self.device = device
      self.request = request
      self.settings = settings
      self.color = color
    }

    /// Requests permission, configures the camera for ``settings`` and starts it.
    ///
    /// An interruption is an event; the session is kept and goes on when it ends.
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
  ///
  /// It has a queue of its own, since starting and stopping a session block the thread for a while.
  private actor AVFoundationStream {
    private let executorQueue = DispatchSerialQueue(label: "plumbline.depth-camera.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executorQueue.asUnownedSerialExecutor()
    }

    private let camera: AVFoundationDepthCamera
    private let buffer: DepthCameraEventBuffer
    private let session = AVCaptureSession()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let frameQueue = DispatchQueue(label: "plumbline.depth-camera.frames")
    private let held = HeldOrientation()
    private var synchronizer: AVCaptureDataOutputSynchronizer?
    private var delegate: SynchronizedFrames?
    private var tracking: SessionTracking?
    private var notifications: SessionNotifications?
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
      let plan = DepthStreamConfiguration(
        choice: choice, settings: camera.settings,
        canCorrectGeometricDistortion: device.isGeometricDistortionCorrectionSupported)
      let tracking = SessionTracking(into: buffer) { [weak self] in
        Task { await self?.restart() }
      }
      self.tracking = tracking
      notifications = SessionNotifications(of: session, to: tracking)
      motion = DeviceMotion(into: buffer, held: held)
      let unsupported = try carryOut(plan, on: device)
      buffer.offer(.configured(StreamSummary(plan, unsupported: unsupported)))
    }

    /// Starts the session again after the system's media services were reset.
    private func restart() {
      if !isStopped { session.startRunning() }
    }

    /// Stops the session; frames are stopped first, so that none arrives after the session has
    /// ended.
    func stop() {
      isStopped = true
      tracking?.take(.stopped)
      synchronizer?.setDelegate(nil, queue: nil)
      // Also during an interruption, since the session would otherwise restart with the app.
      session.stopRunning()
      (synchronizer, delegate, notifications, motion) = (nil, nil, nil, nil)
    }

    /// Carries out all steps; one that fails closes what is open.
    ///
    /// - Returns: The steps that the device does not support and that are not failures.
    private func carryOut(
      _ plan: DepthStreamConfiguration, on device: AVCaptureDevice
    ) throws(DepthCameraError) -> [ConfigurationStep] {
      var done: [ConfigurationStep] = []
      var unsupported: [ConfigurationStep] = []
      do throws(DepthCameraError) {
        for step in plan.steps {
          if !(try perform(step, on: device, plan)) {
            guard step.ifUnsupported != .failure else { throw Self.refused(step) }
            unsupported.append(step)
          }
          done.append(step)
        }
      } catch {
        for step in DepthStreamConfiguration.unwinding(done) {
          _ = try perform(step, on: device, plan)
        }
        throw error
      }
      return unsupported
    }

    /// Carries out a step.
    ///
    /// - Returns: Whether the session, device or connection supports it.
    private func perform(
      _ step: ConfigurationStep, on device: AVCaptureDevice, _ plan: DepthStreamConfiguration
    ) throws(DepthCameraError) -> Bool {
      switch step {
      case .beginConfiguration: session.beginConfiguration()
      case .commitConfiguration: session.commitConfiguration()
      case .addDeviceInput: return session.add(try Self.input(of: device, step))
      case .setInputPriority: session.sessionPreset = .inputPriority
      case .addVideoOutput(let discardsLateFrames):
        videoOutput.alwaysDiscardsLateVideoFrames = discardsLateFrames
        return session.add(videoOutput)
      case .addDepthOutput(let isFiltered, let discardsLateData):
        depthOutput.isFilteringEnabled = isFiltered
        depthOutput.alwaysDiscardsLateDepthData = discardsLateData
        return session.add(depthOutput)
      case .lockDevice:
        do { try device.lockForConfiguration() } catch {
          throw .configuration(step: step.words, detail: error.localizedDescription)
        }
      case .unlockDevice: device.unlockForConfiguration()
      case .synchronizeVideoFirst: synchronize(device, plan.choice)
      case .verifyGeometricDistortionCorrection(let isOn):
        return device.isGeometricDistortionCorrectionEnabled == isOn
      case .verifyFormat(let index): return device.activeFormat.isEqual(device.formats[index])
      case .startRunning: session.startRunning()
      default:
        return device.carryOut(step)
          ?? step.carryOut(video: videoOutput, depth: depthOutput) ?? false
      }
      return true
    }

    private func synchronize(_ device: AVCaptureDevice, _ choice: FormatChoice) {
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput])
      let delegate = SynchronizedFrames(
        video: videoOutput, depth: depthOutput, device: device, choice: choice, held: held,
        color: camera.color, tracking: tracking, buffer: buffer)
      synchronizer.setDelegate(delegate, queue: frameQueue)
      (self.synchronizer, self.delegate) = (synchronizer, delegate)
    }

    private static func input(
      of device: AVCaptureDevice, _ step: ConfigurationStep
    ) throws(DepthCameraError) -> AVCaptureDeviceInput {
      do { return try AVCaptureDeviceInput(device: device) } catch {
        throw .configuration(step: step.words, detail: error.localizedDescription)
      }
    }

    private static func refused(_ step: ConfigurationStep) -> DepthCameraError {
      .configuration(step: step.words, detail: "the session or device does not allow it")
    }
  }
#endif
