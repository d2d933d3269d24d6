#if os(iOS)
  internal import ARKit
  internal import AVFoundation
  internal import CoreVideo
  internal import Foundation
  internal import PlumblineModel
  internal import simd

  extension Capture {
    /// A frame of world tracking with LiDAR: depth in meters from the camera plane, at 1/7.5 of the
    /// size of color.
    init(
      _ frame: ARFrame, _ data: ARDepthData, isSmoothed: Bool, held: DeviceOrientation
    ) {
      self.init(frame, camera: .lidar, isAtFront: false, held: held)
      guard var record = DepthRecord(data.depthMap, accuracy: .absolute) else { return }
      // A network completes the map, and smoothing averages over frames.
      record.isFiltered = isSmoothed ? true : nil
      record.orientation = colorOrientation
      if let levels = data.confidenceMap?.levels, levels.size == record.size {
        record.confidence = ConfidenceMap(levels: levels, maximumLevel: 2)
      }
      depth = record
      let matrix = frame.camera.intrinsics.columns
      DeviceCalibration(
        intrinsicMatrix: [matrix.0, matrix.1, matrix.2].flatMap { [$0.x, $0.y, $0.z] },
        referenceSize: RasterSize(
          width: Int(frame.camera.imageResolution.width),
          height: Int(frame.camera.imageResolution.height))
      ).fill(&self)
      if case .normal = frame.camera.trackingState {
        worldFromCamera = RigidTransform(arkitTransform: frame.camera.transform.columns)
      }
    }

    /// A frame of face tracking, whose depth has its own time.
    init(_ frame: ARFrame, _ data: AVDepthData, held: DeviceOrientation) {
      self.init(frame, camera: .trueDepth, isAtFront: true, held: held)
      // The time is 0 if ARKit does not know it.
      if frame.capturedDepthDataTimestamp > 0 {
        timestampSeconds = frame.capturedDepthDataTimestamp
      }
      add(data)
      depth?.orientation = colorOrientation
    }

    private init(
      _ frame: ARFrame, camera: CaptureSource.Camera, isAtFront: Bool, held: DeviceOrientation
    ) {
      self.init(source: CaptureSource(appleCamera: camera, interface: .arkit))
      timestampSeconds = frame.timestamp
      colorOrientation = SensorOrientation(interface: .arkit, isAtFront: isAtFront)
        .uprightFromStored(held: held)
    }
  }
#endif
