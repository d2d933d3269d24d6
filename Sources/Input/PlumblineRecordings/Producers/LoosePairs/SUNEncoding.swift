import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Detects depth maps of SUN RGB-D or SUN3D, whose bits are rotated.
///
/// The files around them suggest it, and the numbers must confirm it.
struct SUNEncoding: Sendable {
  /// The files that suggest this encoding.
  let evidence: String
  /// The camera of `intrinsics.txt` for the map's own size; `nil` if there is none.
  let camera: RecordedCalibration?

  /// Searches for the files that these data sets have beside `depth/` and `image/`.
  ///
  /// - Returns: `nil` if there are none.
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

  /// Creates the rule if only a name suggests it.
  init(evidence: String) {
    self.evidence = evidence
    camera = nil
  }

  /// Rotated millimeters if the numbers match, else plain millimeters; a finding says which.
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

/// A camera matrix as text: three rows of three numbers.
enum IntrinsicsText {
  /// The camera, whose size is not in the file; `nil` when there are not nine finite numbers.
  ///
  /// - Throws: `.limitExceeded`.
  static func camera(
    _ bytes: [UInt8], limits: ReadingLimits, path: String
  ) throws(CaptureReadingError) -> RecordedCalibration? {
    var m: [Double] = []
    for line in try NumberLines(bytes, limits: limits, path: path).lines {
      for place in line.indices where m.count < 9 {
        guard let number = line.number(at: place) else { return nil }
        m.append(number)
      }
      if m.count == 9 { break }
    }
    guard m.count == 9 else { return nil }
    var camera = RecordedCalibration()
    camera.matrix = (0..<9).map { m[$0 % 3 * 3 + $0 / 3] }
    return camera
  }
}
