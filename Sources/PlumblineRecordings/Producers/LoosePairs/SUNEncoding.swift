import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Whether depth maps are those of SUN RGB-D or SUN3D, whose bits are turned; known by the files
/// around them and believed only where the numbers agree.
struct SUNEncoding: Sendable {
  /// The files that gave it away.
  let evidence: String
  /// The camera of `intrinsics.txt`, for the map's own size; `nil` when there is none.
  let camera: RecordedCalibration?

  /// Looks for the files that these data sets keep beside `depth/` and `image/`.
  ///
  /// - Returns: `nil` without them.
  init?(
    _ folder: any CaptureFolder, prefix: String, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let names = folder.fileNames
    let intrinsics = prefix + "intrinsics.txt"
    guard names.contains(intrinsics),
      let sign = names.first(where: { name in
        ["depth_bfx/", "extrinsics/", "scene.txt", "annotation2Dfinal/", "annotation3Dfinal/"]
          .contains { name.hasPrefix(prefix + $0) }
      })
    else { return nil }
    evidence = "\(intrinsics), \(printable(text: sign))"
    camera = try IntrinsicsText.camera(
      folder.bytes(of: intrinsics), limits: limits, path: intrinsics)
  }

  /// A rule that a name alone suggests.
  init(evidence: String) {
    self.evidence = evidence
    camera = nil
  }

  /// Turned millimeters where the numbers look so, plain ones otherwise; a finding says which.
  func encoding(of file: DepthFile, _ capture: inout Capture) -> DepthEncoding {
    guard case .uint16(let codes) = file.values, DepthEncoding.looksRotated(codes) else {
      capture.findings.append(
        Finding(
          .depthEncodingAssumed, .caution,
          "the files are named as those of SUN RGB-D, but the bits of the codes are not turned; "
            + "they are taken as millimeters", evidence: evidence))
      return .millimeters
    }
    capture.findings.append(
      Finding(
        .depthEncodingAssumed, .note,
        "depths are taken as SUN RGB-D packs them, millimeters turned left by three bits",
        evidence: "\(evidence); the lowest three bits of every code are 0 or 1",
        correction: .applied))
    return .rotatedMillimeters
  }
}
