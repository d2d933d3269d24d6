/// Where a camera stands relative to its producer's reference camera, as Apple writes it.
///
/// Unit: **millimeters**, unlike everything else here; the name says so. The direction
/// (`referenceFromCamera`) is inferred from turned files and still to be verified on a device with
/// a baseline: no public sample has one.
public struct CameraExtrinsics: Hashable, Sendable {
  /// The axes of the camera in the reference frame.
  public var rotation: Rotation
  /// The camera's center in the reference frame, in millimeters.
  public var translationMillimeters: SIMD3<Double>

  /// Creates extrinsics from their parts.
  package init(rotation: Rotation, translationMillimeters: SIMD3<Double>) {
    self.rotation = rotation
    self.translationMillimeters = translationMillimeters
  }

  /// Reads Apple's four columns of three: the rotation's, then the translation in millimeters.
  ///
  /// - Returns: `nil` unless there are twelve finite numbers whose rotation is orthogonal within
  ///   1e-3, the print precision of the files.
  package init?(columnMajor matrix: [Double]) {
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

  /// The extrinsics after the image, and with it the camera frame, was turned to be upright.
  public func oriented(by orientation: ImageOrientation) -> CameraExtrinsics {
    CameraExtrinsics(
      rotation: rotation * Rotation(turning: orientation).inverse,
      translationMillimeters: translationMillimeters)
  }

  /// The turn of the image that this rotation is, if it is one of the eight within 1e-3.
  ///
  /// Turned files (edited or portrait ones) carry the turn here; "identity means reference camera"
  /// must be asked after it is removed.
  public var bakedInOrientation: ImageOrientation? {
    ImageOrientation.allCases.first { orientation in
      let rest = rotation * Rotation(turning: orientation)
      let identity = Rotation.identity
      let differences = [rest.x - identity.x, rest.y - identity.y, rest.z - identity.z]
      return differences.allSatisfy { max(abs($0.x), abs($0.y), abs($0.z)) < 1e-3 }
    }
  }

  /// Whether this is the reference camera itself: no rotation but a turn of the image, no offset.
  public var isReference: Bool { bakedInOrientation != nil && translationMillimeters == .zero }
}
