package import PlumblineIO

/// The focal length and principal point of a pinhole camera as fractions of the image's size.
///
/// `cmin` of ISO/IEC 23008-12:2022/Amd 1. Vision Pro writes the same fields in a `uuid` box, from
/// before the amendment was final; both are read here.
package struct HEIFCameraIntrinsics: Sendable, Hashable {
  /// The user type under which spatial photos carry the draft.
  static let draftUserType = "22cc04c7d6d94e079d904eb6ecbaf3a3"

  /// The horizontal focal length per image width.
  let focalLengthPerWidth: Double
  /// The vertical focal length per image height, where it is not the horizontal one in pixels.
  let focalLengthPerHeight: Double?
  /// The principal point per image width, from the left edge.
  let principalPointPerWidth: Double
  /// The principal point per image height, from the top edge.
  let principalPointPerHeight: Double

  /// Reads the fields after version and flags; flag 0 says that a second focal length follows,
  /// flags 8 to 12 hold the exponent of the common denominator.
  package static func read(
    _ reader: inout ByteReader, flags: UInt32
  ) throws(CaptureReadingError) -> HEIFCameraIntrinsics {
    let denominator = Double(UInt64(1) << UInt64(flags >> 8 & 0x1F))
    let focalLength = Double(try reader.readInt32("a focal length")) / denominator
    let x = Double(try reader.readInt32("a principal point")) / denominator
    let y = Double(try reader.readInt32("a principal point")) / denominator
    var focalLengthPerHeight: Double?
    if flags & 1 == 1 {
      focalLengthPerHeight = Double(try reader.readInt32("a focal length")) / denominator
      try reader.skip(4, as: "a skew")
    }
    return HEIFCameraIntrinsics(
      focalLengthPerWidth: focalLength, focalLengthPerHeight: focalLengthPerHeight,
      principalPointPerWidth: x, principalPointPerHeight: y)
  }
}

/// Where a camera stood, in millimeters of a frame that the cameras of one file share.
///
/// `cmex` of ISO/IEC 23008-12:2022/Amd 1, or the draft in a `uuid` box; both store micrometers.
package struct HEIFCameraPosition: Sendable, Hashable {
  /// The user type under which spatial photos carry the draft.
  static let draftUserType = "4363e9145b7d4aab97aebea69803b434"

  /// Right of the origin.
  let xInMillimeters: Double
  /// Below or above the origin, whichever the writer's frame says.
  let yInMillimeters: Double
  /// Along the optical axis.
  let zInMillimeters: Double
  /// Whether a rotation was stored too; it is not read.
  let isRotated: Bool

  /// Reads the fields after version and flags; flags 0 to 2 say which coordinates follow, the
  /// others are 0, flag 3 that a rotation follows.
  package static func read(
    _ reader: inout ByteReader, flags: UInt32
  ) throws(CaptureReadingError) -> HEIFCameraPosition {
    var coordinates = [0.0, 0.0, 0.0]
    for axis in 0..<3 where flags >> UInt32(axis) & 1 == 1 {
      coordinates[axis] = Double(try reader.readInt32("a position")) / 1000
    }
    return HEIFCameraPosition(
      xInMillimeters: coordinates[0], yInMillimeters: coordinates[1],
      zInMillimeters: coordinates[2], isRotated: flags & 8 != 0)
  }
}
