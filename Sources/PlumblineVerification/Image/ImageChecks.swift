import PlumblineModel

/// The findings about how the image was stored: cropped, turned, mirrored, edited.
struct ImageChecks {
  let source: CaptureSource
  let record: DepthRecord

  /// All findings.
  var findings: [Finding] { [crop, turn, mirror, editor].compactMap(\.self) }

  private var crop: Finding? {
    guard let aperture = record.cleanAperture, aperture.size != record.size else { return nil }
    return Finding(
      .imageCropped, .note,
      "the map is cropped to \(aperture.size) of \(record.size); the camera was moved with it",
      evidence: "clap: \(aperture.size) at (\(aperture.x), \(aperture.y))", correction: .applied)
  }

  /// The turn that the calibration carries, when its extrinsics say so.
  private var bakedIn: ImageOrientation? {
    record.calibration?.extrinsics?.bakedInOrientation
  }

  private var turn: Finding? {
    if let bakedIn, bakedIn != .up {
      return Finding(
        .imageTurned, .note,
        "the turn of the phone is baked in: pixels and calibration are stored upright together",
        evidence: "ExtrinsicMatrix is the turn of Exif orientation \(bakedIn.rawValue)")
    }
    guard record.orientation != .up else { return nil }
    return Finding(
      .imageTurned, .note,
      "the pixels are stored turned; numbers and points are in the stored frame",
      evidence: "Exif orientation \(record.orientation.rawValue)")
  }

  private var mirror: Finding? {
    guard record.orientation.isMirrored || bakedIn?.isMirrored == true else { return nil }
    return Finding(
      .imageMirrored, .caution, "the image is mirrored: left and right are exchanged",
      evidence: "Exif orientation \(record.orientation.rawValue), baked in "
        + "\(bakedIn?.rawValue ?? 1)")
  }

  /// Apple's own camera writes the system's version, such as `16.2`; editors write their name.
  private var editor: Finding? {
    guard let system = source.system, let first = system.first, !first.isNumber else { return nil }
    return Finding(
      .imageEdited, .note,
      "the file was written by a program, which may have changed map or calibration",
      evidence: "Software = \(system)")
  }
}
