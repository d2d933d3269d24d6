import PlumblineImages
package import PlumblineModel

/// The fields of `AVCameraCalibrationData`, in plain numbers.
package struct DeviceCalibration: Sendable {
  /// `intrinsicMatrix`, column after column, in pixels of `referenceSize`.
  package var intrinsicMatrix: [Float]
  /// `intrinsicMatrixReferenceDimensions`.
  package var referenceSize: RasterSize
  /// `extrinsicMatrix`: the rotation's three columns, then the translation in millimeters.
  package var extrinsicMatrix: [Float] = []
  /// `pixelSize`, in millimeters.
  package var pixelSizeMillimeters: Float = 0
  /// `lensDistortionCenter`, in pixels of `referenceSize`; (0, 0) when not known.
  package var distortionCenter: SIMD2<Double> = .zero
  /// `lensDistortionLookupTable` as it lies in memory: numbers of four bytes; empty when not known.
  package var distortionTable: [UInt8] = []
  /// `inverseLensDistortionLookupTable`, likewise.
  package var inverseDistortionTable: [UInt8] = []

  /// Creates a calibration of which only the matrix is known.
  package init(intrinsicMatrix: [Float], referenceSize: RasterSize) {
    self.intrinsicMatrix = intrinsicMatrix
    self.referenceSize = referenceSize
  }

  /// Creates a calibration out of the camera matrix that a video frame carries; `nil` for bytes that
  /// are none.
  ///
  /// - Source: Apple, *kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix*: a `matrix_float3x3`,
  ///   whose columns of three numbers each fill four.
  /// - Parameters:
  ///   - bytes: The attachment.
  ///   - referenceSize: The size of the frame.
  package init?(matrixAttachment bytes: [UInt8], referenceSize: RasterSize) {
    guard bytes.count == 48, let numbers = Self.numbers(bytes) else { return nil }
    self.init(
      intrinsicMatrix: [0, 1, 2, 4, 5, 6, 8, 9, 10].map { Float(numbers[$0]) },
      referenceSize: referenceSize)
  }

  /// Fills the calibration of a capture's depth record, with the same findings as a recording of
  /// the same numbers.
  ///
  /// - Parameter capture: Its depth map belongs to the camera; without one nothing is filled.
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

  /// Numbers of four bytes in the order of this machine; `nil` for none.
  private static func numbers(_ bytes: [UInt8]) -> [Double]? {
    guard !bytes.isEmpty else { return nil }
    return bytes.withUnsafeBytes { buffer in
      stride(from: 0, through: buffer.count - 4, by: 4).map {
        Double(buffer.loadUnaligned(fromByteOffset: $0, as: Float.self))
      }
    }
  }
}
