/// The pose of a camera relative to its producer's reference camera, as Apple writes it.
///
/// Unit: **millimeters**, unlike the rest of this package; the name says so. The direction
/// (`referenceFromCamera`) is inferred from rotated files. It is not yet verified on a device with
/// a baseline, since no public sample has one.
public struct CameraExtrinsics: Hashable, Sendable {
  /// The axes of the camera in the reference frame.
  public var rotation: Rotation
  /// The camera's center in the reference frame, in millimeters.
  public var translationMillimeters: SIMD3<Double>

  /// Creates extrinsics from their parts.
  public init(rotation: Rotation, translationMillimeters: SIMD3<Double>) {
    self.rotation = rotation
    self.translationMillimeters = translationMillimeters
  }

  /// Reads Apple's 3×4 matrix in column-major order: the rotation, then the translation in
  /// millimeters.
  ///
  /// - Returns: `nil` unless there are twelve finite numbers whose rotation is orthogonal within
  ///   1e-3, the print precision of the files.
  public init?(columnMajor matrix: [Double]) {
    guard matrix.count == 12, matrix.allSatisfy(\.isFinite) else { return nil }
    let column = { (index: Int) in
      SIMD3(matrix[3 * index], matrix[3 * index + 1], matrix[3 * index + 2])
    }
    let rotation = Rotation(x: column(0), y: column(1), z: column(2))
    guard rotation.orthogonalityError < 1e-3 else { return nil }
    self.init(rotation: rotation, translationMillimeters: column(3))
  }

  /// `referenceFromCamera` in meters.
  public var referenceFromCamera: RigidTransform {
    RigidTransform(rotation: rotation, translation: translationMillimeters / 1000)
  }

  /// The extrinsics after the image, and the camera frame with it, was rotated to be upright.
  public func oriented(by orientation: ImageOrientation) -> CameraExtrinsics {
    CameraExtrinsics(
      rotation: rotation * Rotation(turning: orientation).inverse,
      translationMillimeters: translationMillimeters)
  }

  /// The image orientation that equals this rotation within 1e-3; `nil` if none of the eight does.
  ///
  /// Rotated files (edited or portrait ones) store the image rotation here; remove it before
  /// testing whether the rotation is the identity, which means the reference camera.
  public var bakedInOrientation: ImageOrientation? {
    ImageOrientation.allCases.first { orientation in
      let rest = rotation * Rotation(turning: orientation)
      let identity = Rotation.identity
      let differences = [rest.x - identity.x, rest.y - identity.y, rest.z - identity.z]
      return differences.allSatisfy { max(abs($0.x), abs($0.y), abs($0.z)) < 1e-3 }
    }
  }

  /// Whether this is the reference camera itself: no offset, and no rotation except that of the
  /// image.
  public var isReference: Bool { bakedInOrientation != nil && translationMillimeters == .zero }
}
