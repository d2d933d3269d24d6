/// Two images of one scene from two cameras side by side, as spatial photos hold them.
package struct HEIFStereoPair: Sendable, Hashable {
  /// One eye's image.
  package struct View: Sendable, Hashable {
    /// The item that holds it.
    let itemID: HEIFItemID
    /// The camera's focal length and principal point, where the file says.
    package let intrinsics: HEIFCameraIntrinsics?
    /// Where the camera stood, where the file says.
    package let position: HEIFCameraPosition?
  }

  /// The left eye's image.
  package let left: View
  /// The right eye's image.
  package let right: View

  /// The distance between the cameras in millimeters, where both positions are known; it is
  /// 63.8 mm in a Vision Pro's photo.
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
