#if os(iOS)
  internal import AVFoundation
  internal import CoreMedia
  internal import Foundation
  internal import PlumblineModel
  internal import simd

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

    /// Takes the camera matrix of the video frame, if it has one, as color's own.
    mutating func fillColorCalibration(of frame: CMSampleBuffer) {
      guard let size = colorSize,
        let data = CMGetAttachment(
          frame, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil)
          as? Data,
        let calibration = DeviceCalibration(matrixAttachment: [UInt8](data), referenceSize: size)
      else { return }
      calibration.fillColor(&self)
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
