import PlumblineModel
import PlumblineStereo

extension RelativePose {
  /// The pose of two cameras by their images; patches are turned when images held alike give
  /// none.
  static func estimated(
    left: Raster<UInt8>, right: Raster<UInt8>,
    cameras: (left: CameraCalibration, right: CameraCalibration)
  ) throws(StereoError) -> RelativePose {
    var matching = PairMatching()
    let matches = matching.matches(left: left, right: right)
    do throws(StereoError) {
      return try RelativePose(matches, left: cameras.left, right: cameras.right)
    } catch {
      guard error.reason == .degenerate, matches.count < 100 else { throw error }
      matching.isUpright = false
      let turned = matching.turnedMatches(left: left, right: right)
      guard turned.matches.count > matches.count else { throw error }
      return try RelativePose(
        turned.matches, left: cameras.left, right: cameras.right, turn: turned.turn)
    }
  }
}
