#if canImport(AVFoundation) && canImport(ARKit)
  internal import AVFoundation
  internal import Foundation
  internal import PlumblineModel

  extension Capture {
    /// Adds AVFoundation's depth data without conversion or rotation.
    mutating func add(_ data: AVDepthData) {
      let accuracy: DepthRecord.Accuracy =
        data.depthDataAccuracy == .absolute ? .absolute : .relative
      guard var record = DepthRecord(data.depthDataMap, accuracy: accuracy) else { return }
      record.isFiltered = data.isDepthDataFiltered
      record.quality = data.depthDataQuality == .high ? "high" : "low"
      depth = record
      if let calibration = data.cameraCalibrationData {
        DeviceCalibration(calibration).fill(&self)
      }
    }

    /// Uses the camera matrix of the video frame if depth came without a calibration.
    mutating func fillCalibration(of frame: CMSampleBuffer) {
      guard let depth, depth.calibration == nil, let size = colorSize,
        let data = CMGetAttachment(
          frame, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil)
          as? Data,
        let calibration = DeviceCalibration(matrixAttachment: [UInt8](data), referenceSize: size)
      else { return }
      calibration.fill(&self)
    }
  }

  extension DeviceCalibration {
    /// The numbers of a calibration.
    init(_ data: AVCameraCalibrationData) {
      let matrix = data.intrinsicMatrix.columns
      let pose = data.extrinsicMatrix.columns
      self.init(
        intrinsicMatrix: [matrix.0, matrix.1, matrix.2].flatMap { [$0.x, $0.y, $0.z] },
        referenceSize: RasterSize(
          width: Int(data.intrinsicMatrixReferenceDimensions.width),
          height: Int(data.intrinsicMatrixReferenceDimensions.height)))
      extrinsicMatrix = [pose.0, pose.1, pose.2, pose.3].flatMap { [$0.x, $0.y, $0.z] }
      pixelSizeMillimeters = data.pixelSize
      distortionCenter = [
        Double(data.lensDistortionCenter.x), Double(data.lensDistortionCenter.y),
      ]
      distortionTable = data.lensDistortionLookupTable.map { [UInt8]($0) } ?? []
      inverseDistortionTable = data.inverseLensDistortionLookupTable.map { [UInt8]($0) } ?? []
    }
  }
#endif
