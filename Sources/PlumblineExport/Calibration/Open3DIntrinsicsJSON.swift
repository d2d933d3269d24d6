public import PlumblineIO
public import PlumblineModel

/// A pinhole camera as Open3D's `PinholeCameraIntrinsic` reads and writes it.
///
/// Its matrix stands **column after column**. There is no lens in it, so it belongs to rectified
/// images. Open3D projects to pixel centers at whole numbers, as is done here.
/// - Source: Open3D, `PinholeCameraIntrinsic::ConvertToJsonValue`, which writes Eigen's memory.
public struct Open3DIntrinsicsJSON: Hashable, Sendable {
  /// The camera.
  public var intrinsics: PinholeIntrinsics

  /// Creates a file from a camera of rectified images.
  public init(_ intrinsics: PinholeIntrinsics) { self.intrinsics = intrinsics }

  /// The document; numbers have the fewest digits that read back as the same `Double`.
  public var json: JSONValue {
    let f = intrinsics.focalLength
    let c = intrinsics.principalPoint
    return [
      "width": .integer(intrinsics.size.width),
      "height": .integer(intrinsics.size.height),
      "intrinsic_matrix": .numbers([f.x, 0, 0, 0, f.y, 0, c.x, c.y, 1]),
    ]
  }
}
