import PlumblineModel

extension ImageOrientation {
  /// The payloads of `irot` and, for mirrored ones, of `imir` after it that show stored pixels
  /// upright.
  ///
  /// - Source: ISO/IEC 23008-12:2022 §6.5.10 and §6.5.12; in this order by ISO/IEC 23000-22 §7.3.6.7.
  var transformationPayloads: (rotation: [UInt8], mirror: [UInt8]?) {
    // Turns counterclockwise; then columns exchanged for the mirrored ones.
    let unmirrored = isMirrored ? followed(by: .upMirrored) : self
    let turns: UInt8 =
      switch unmirrored {
      case .left: 1
      case .down: 2
      case .right: 3
      default: 0
      }
    return ([turns], isMirrored ? [1] : nil)
  }
}
