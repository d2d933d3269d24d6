package import PlumblineIO

/// Two images of one scene from two cameras side by side, as in spatial photos.
package struct HEIFStereoPair: Sendable, Hashable {
  /// One eye's image.
  package struct View: Sendable, Hashable {
    /// The item that contains the image.
    let itemID: HEIFItemID
    /// The camera's focal length and principal point, if the file states them.
    package let intrinsics: HEIFCameraIntrinsics?
    /// The camera's position, if the file states it.
    package let position: HEIFCameraPosition?
  }

  /// The left eye's image.
  package let left: View
  /// The right eye's image.
  package let right: View

  /// The distance between the cameras in millimeters, if both positions are known; 63.8 mm in a
  /// Vision Pro's photo.
  var baselineInMillimeters: Double? {
    guard let a = left.position, let b = right.position else { return nil }
    let x = b.xInMillimeters - a.xInMillimeters
    let y = b.yInMillimeters - a.yInMillimeters
    let z = b.zInMillimeters - a.zInMillimeters
    return (x * x + y * y + z * z).squareRoot()
  }
}

extension HEIFFile {
  /// The pair that the first `ster` group names: left, then right (ISO/IEC 23008-12 §6.8.5).
  package var stereoPair: HEIFStereoPair? {
    for group in groups where group.type == "ster" && group.items.count == 2 {
      guard let left = view(group.items[0]), let right = view(group.items[1]) else { continue }
      return HEIFStereoPair(left: left, right: right)
    }
    return nil
  }

  private func view(_ id: HEIFItemID) -> HEIFStereoPair.View? {
    guard item(id) != nil else { return nil }
    var intrinsics: HEIFCameraIntrinsics?
    var position: HEIFCameraPosition?
    for use in properties(of: id) {
      switch use.property {
      case .cameraIntrinsics(let value): intrinsics = value
      case .cameraPosition(let value): position = value
      default: break
      }
    }
    return HEIFStereoPair.View(itemID: id, intrinsics: intrinsics, position: position)
  }
}

/// The focal length and principal point of a pinhole camera as fractions of the image's size.
///
/// It is `cmin` of ISO/IEC 23008-12:2022/Amd 1. Vision Pro writes the same fields in a `uuid` box,
/// from before the amendment was final; both are read.
package struct HEIFCameraIntrinsics: Sendable, Hashable {
  /// The user type of the draft in spatial photos.
  static let draftUserType = "22cc04c7d6d94e079d904eb6ecbaf3a3"

  /// The horizontal focal length divided by the image's width.
  let focalLengthPerWidth: Double
  /// The vertical focal length divided by the image's height; `nil` if it equals the horizontal one
  /// in pixels.
  let focalLengthPerHeight: Double?
  /// The principal point's distance from the left edge, divided by the image's width.
  let principalPointPerWidth: Double
  /// The principal point's distance from the top edge, divided by the image's height.
  let principalPointPerHeight: Double

  /// Reads the fields after version and flags.
  ///
  /// Flag 0 means that a second focal length follows; flags 8 to 12 contain the exponent of the
  /// common denominator.
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

/// The position of a camera, in millimeters in a frame that the cameras of one file share.
///
/// `cmex` of ISO/IEC 23008-12:2022/Amd 1, or the draft in a `uuid` box; both store micrometers.
package struct HEIFCameraPosition: Sendable, Hashable {
  /// The user type of the draft in spatial photos.
  static let draftUserType = "4363e9145b7d4aab97aebea69803b434"

  /// To the right of the origin.
  let xInMillimeters: Double
  /// Below or above the origin, depending on the writer's frame.
  let yInMillimeters: Double
  /// Along the optical axis.
  let zInMillimeters: Double
  /// Whether a rotation is stored too; it is not read.
  let isRotated: Bool

  /// Reads the fields after version and flags.
  ///
  /// Flags 0 to 2 state which coordinates follow (the others are 0); flag 3 means that a rotation
  /// follows.
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

/// Items that belong together (`grpl`, ISO/IEC 14496-12 §8.18), such as a stereo pair.
package struct HEIFEntityGroup: Sendable, Hashable {
  /// The four-character kind: `ster` (left, right), `altr` (best first) …, escaped.
  package let type: String
  /// The group's own number.
  package let id: UInt32
  /// The members in file order.
  package let items: [HEIFItemID]

  /// Reads `grpl`.
  ///
  /// - Throws: `.malformed` for damaged groups, `.limitExceeded` for too many members.
  package static func readAll(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [HEIFEntityGroup] {
    var reader = box.reader(in: path)
    var groups: [HEIFEntityGroup] = []
    for child in try reader.readBoxes(limits) {
      try limits.require(
        groups.count + 1, atMost: limits.items, "groups", path: reader.path, offset: child.offset)
      var childReader = child.reader(in: reader.path)
      _ = try childReader.readFullBoxHeader()
      let id = try childReader.readUInt32("a group number")
      let count = Int(try childReader.readUInt32("a member count"))
      try limits.require(
        count, atMost: limits.items, "members", path: childReader.path, offset: child.offset)
      var items: [HEIFItemID] = []
      for _ in 0..<count { items.append(try childReader.readUInt32("a member")) }
      groups.append(HEIFEntityGroup(type: child.type, id: id, items: items))
    }
    return groups
  }
}
