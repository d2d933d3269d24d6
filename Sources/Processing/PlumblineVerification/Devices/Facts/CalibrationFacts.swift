public import PlumblineModel

/// What a system says of a depth camera, at the calibration's own reference size.
public struct FactoryCalibration: SourcedFact, Hashable {
  /// The color camera's intrinsics as they come with the image.
  public struct ColorIntrinsics: Hashable, Sendable {
    /// The size of the image, in pixels.
    public var size: RasterSize
    /// The focal lengths, in pixels of `size`.
    public var focalLength: SIMD2<Double>
    /// The principal point, in pixels of `size`; the first pixel center is (0, 0).
    public var principalPoint: SIMD2<Double>
  }

  /// Which specimen of the model, in the source's own words.
  public var specimen: String
  /// The interface that delivered it.
  public var interface: CaptureSource.Interface
  /// The depth camera; `nil` means TrueDepth.
  public var camera: CaptureSource.Camera?
  /// The version of the system; `nil` when not said.
  public var system: String?
  /// The reference size, in pixels.
  public var size: RasterSize
  /// The focal lengths, in pixels of `size`.
  public var focalLength: SIMD2<Double>
  /// The principal point, in pixels of `size`; the first pixel center is (0, 0); `nil` when not
  /// known.
  public var principalPoint: SIMD2<Double>?
  /// The distortion center, in pixels of `size`; `nil` when not known.
  public var distortionCenter: SIMD2<Double>?
  /// The color camera's own numbers; `nil` when not known.
  public var color: ColorIntrinsics?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// The pinhole of the depth map at its reference size; `nil` without a principal point.
  public var intrinsics: PinholeIntrinsics? {
    principalPoint.map {
      PinholeIntrinsics(focalLength: focalLength, principalPoint: $0, size: size)
    }
  }
}

/// A focal length that was measured with a board, beside the factory's.
public struct FocalMeasurement: SourcedFact, Hashable {
  /// The estimated model, and the treatment of corners before.
  public enum Model: String, Sendable, CaseIterable {
    /// The focal length alone; lens distortion is not modeled.
    case focalOnly
    /// Focal length and three radial terms.
    case polynomial
    /// The focal length from corners that Apple's inverse table moved: distorted to undistorted.
    case undistortingTable
    /// The focal length from corners that the other table moved: the wrong direction.
    case distortingTable
  }

  /// Which specimen, in the source's own words.
  public var specimen: String
  /// The version of the system; `nil` when not said.
  public var system: String?
  /// The camera model that was estimated.
  public var model: Model
  /// Whether the images had been rectified by geometric distortion correction; `nil` for no.
  public var isRectified: Bool?
  /// The factory's focal length, in pixels of a width of 640.
  public var factory: Double
  /// The measured focal length, in pixels of a width of 640; `nil` when not said.
  public var measured: Double?
  /// One standard deviation of `measured`, in pixels; `nil` when not said.
  public var sigma: Double?
  /// The root mean square of the residuals, in pixels of a width of 640; `nil` when not said.
  public var rmsPixels: Double?
  /// The percentage that the source prints; its base and sign vary, see ``differencePercent``.
  public var printedPercent: Double?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// Measured over factory; `nil` when not measured.
  public var ratio: Double? { measured.map { $0 / factory } }

  /// How far the measured focal length is from the factory's, in percent of the *factory's*.
  ///
  /// Negative where the factory's is too long; `nil` when not measured.
  public var differencePercent: Double? { ratio.map { ($0 - 1) * 100 } }

  /// `sigma` in percent of the factory's focal length; `nil` when not said.
  public var sigmaPercent: Double? { sigma.map { $0 / factory * 100 } }
}

/// How far a sensor's depths were from a board that was posed with some intrinsics.
///
/// Sensor minus board, along the optical axis. A focal length that is too long places the *board*
/// too far, so that the bias is negative while the sensor is right.
public struct DepthBias: SourcedFact, Hashable {
  /// Where the intrinsics came from: `factory`, a ``FocalMeasurement/Model``, or `paperEquation5`.
  public var intrinsics: String
  /// The distance of the board, in millimeters.
  public var distanceMillimeters: Double
  /// The median of sensor minus board, in millimeters.
  public var medianMillimeters: Double
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}

/// The facts on geometric distortion correction of a device's depth camera.
///
/// Where it is on, images and depth come rectified, and focal length and tables describe the lens
/// before that.
/// - Source: Apple, *AVCaptureDevice.h*: on by default where supported.
public struct GeometryCorrection: SourcedFact, Hashable {
  /// Whether the camera has it.
  public enum State: String, Sendable, CaseIterable {
    /// It is on unless an app switches it off.
    case enabled
    /// The camera does not have it; its images are not rectified.
    case unsupported
  }

  /// Whether the camera has it.
  public var state: State
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}
