package import PlumblineImages
package import PlumblineModel

/// The fields of `AVCameraCalibrationData` as plain numbers.
package struct DeviceCalibration: Sendable {
  /// `intrinsicMatrix`, column-major, in pixels of `referenceSize`.
  package var intrinsicMatrix: [Float]
  /// `intrinsicMatrixReferenceDimensions`.
  package var referenceSize: RasterSize
  /// `extrinsicMatrix`: the rotation's three columns, then the translation in millimeters.
  package var extrinsicMatrix: [Float] = []
  /// `pixelSize`, in millimeters.
  package var pixelSizeMillimeters: Float = 0
  /// `lensDistortionCenter`, in pixels of `referenceSize`; (0, 0) if unknown.
  package var distortionCenter: SIMD2<Double> = .zero
  /// `lensDistortionLookupTable` as in memory: four-byte floats; empty if unknown.
  package var distortionTable: [UInt8] = []
  /// `inverseLensDistortionLookupTable`, in the same form.
  package var inverseDistortionTable: [UInt8] = []

  /// Creates a calibration of which only the matrix is known.
  package init(intrinsicMatrix: [Float], referenceSize: RasterSize) {
    self.intrinsicMatrix = intrinsicMatrix
    self.referenceSize = referenceSize
  }

  /// Creates a calibration from the camera matrix attached to a video frame; `nil` for bytes that
  /// are not a matrix.
  ///
  /// - Source: Apple, *kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix*: a `matrix_float3x3`, in
  ///   which each column of three numbers occupies four.
  /// - Parameters:
  ///   - bytes: The attachment.
  ///   - referenceSize: The size of the frame.
  package init?(matrixAttachment bytes: [UInt8], referenceSize: RasterSize) {
    guard bytes.count == 48, let numbers = Self.numbers(bytes) else { return nil }
    self.init(
      intrinsicMatrix: [0, 1, 2, 4, 5, 6, 8, 9, 10].map { Float(numbers[$0]) },
      referenceSize: referenceSize)
  }

  /// Sets the calibration of a capture's depth record, with the same findings as for a recording
  /// with the same numbers.
  ///
  /// - Parameter capture: A capture with a depth map of this camera; without a depth map nothing is
  ///   set.
  package func fill(_ capture: inout Capture) {
    guard let mapSize = capture.depth?.size else { return }
    var recorded = RecordedCalibration()
    recorded.matrix = intrinsicMatrix.map { Double($0) }
    recorded.referenceSize = referenceSize
    recorded.mapSize = mapSize
    recorded.extrinsicColumns = extrinsicMatrix.isEmpty ? nil : extrinsicMatrix.map { Double($0) }
    recorded.pixelSizeMillimeters = Double(pixelSizeMillimeters)
    recorded.distortionCenter = [distortionCenter.x, distortionCenter.y]
    recorded.distortingTable = Self.numbers(distortionTable)
    recorded.undistortingTable = Self.numbers(inverseDistortionTable)
    let calibration = capture.take(recorded.checked())
    capture.depth?.calibration = calibration
  }

  /// Sets the calibration of a capture's color image from the camera matrix of its own video frame.
  ///
  /// Focus and stabilization change the matrix from frame to frame. Lens distortion and position are
  /// those of the depth map's calibration, which describes the same camera. Where both matrices agree
  /// within ``agreementPixels`` nothing is set, since the depth map's calibration then describes both
  /// images. Without a depth calibration this one becomes it.
  /// - Precondition: ``referenceSize`` is the size of the color image.
  package func fillColor(_ capture: inout Capture) {
    guard let depth = capture.depth?.calibration else { return fill(&capture) }
    var recorded = RecordedCalibration()
    recorded.matrix = intrinsicMatrix.map { Double($0) }
    recorded.referenceSize = referenceSize
    recorded.mapSize = referenceSize
    guard let own = capture.take(recorded.checked()) else { return }
    guard depth.intrinsics.matchesAspect(of: referenceSize) else {
      capture.colorCalibration = own
      return
    }
    let scaled = depth.scaled(to: referenceSize)
    let differences = [
      own.intrinsics.focalLength - scaled.intrinsics.focalLength,
      own.intrinsics.principalPoint - scaled.intrinsics.principalPoint,
    ]
    guard differences.contains(where: { max(abs($0.x), abs($0.y)) > Self.agreementPixels }) else {
      return
    }
    capture.colorCalibration = CameraCalibration(
      intrinsics: own.intrinsics, pixelSizeMillimeters: scaled.pixelSizeMillimeters,
      distortion: scaled.distortion, extrinsics: scaled.extrinsics)
  }

  /// The calibration as checked numbers, with what was odd about them.
  package var checked: CheckedCalibration {
    var recorded = RecordedCalibration()
    recorded.matrix = intrinsicMatrix.map { Double($0) }
    recorded.referenceSize = referenceSize
    recorded.extrinsicColumns = extrinsicMatrix.isEmpty ? nil : extrinsicMatrix.map { Double($0) }
    recorded.pixelSizeMillimeters = Double(pixelSizeMillimeters)
    recorded.distortionCenter = [distortionCenter.x, distortionCenter.y]
    recorded.distortingTable = Self.numbers(distortionTable)
    recorded.undistortingTable = Self.numbers(inverseDistortionTable)
    return recorded.checked()
  }

  /// The difference up to which two matrices of one camera are the same, in pixels of the video.
  ///
  /// Single precision rounds 4,000 pixels to 0.0003; 0.01 pixels is a hundredth of what a board shows.
  package static let agreementPixels = 0.01

  /// Four-byte floats in the host's byte order; `nil` if there are none.
  private static func numbers(_ bytes: [UInt8]) -> [Double]? {
    guard !bytes.isEmpty else { return nil }
    return bytes.withUnsafeBytes { buffer in
      stride(from: 0, through: buffer.count - 4, by: 4).map {
        Double(buffer.loadUnaligned(fromByteOffset: $0, as: Float.self))
      }
    }
  }
}

extension Capture {
  /// Sets the calibration of the color image as the system delivered it, such as for each photo of a
  /// dual camera.
  package mutating func setColorCalibration(_ calibration: DeviceCalibration) {
    colorCalibration = take(calibration.checked)
  }
}
