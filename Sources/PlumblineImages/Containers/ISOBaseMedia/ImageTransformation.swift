import PlumblineIO
package import PlumblineModel

/// One step from an item's stored pixels to the pixels that are shown; steps apply in file order.
package enum ImageTransformation: Sendable, Hashable {
  /// `clap`: keep a window.
  case crop(CleanAperture)
  /// `irot`: turn counterclockwise by 0 to 3 right angles.
  case rotation(counterclockwiseQuarterTurns: Int)
  /// `imir`: exchange top and bottom, or left and right.
  case mirror(MirrorDirection)

  /// The axis along which an image is mirrored.
  package enum MirrorDirection: Sendable, Hashable {
    /// Rows: the first becomes the last.
    case topToBottom
    /// Columns: the first becomes the last.
    case leftToRight
  }

  /// What the step turns or mirrors; `nil` for a crop.
  package var orientation: ImageOrientation? {
    switch self {
    case .crop: nil
    case .rotation(let turns): [.up, .left, .down, .right][turns & 3]
    case .mirror(.leftToRight): .upMirrored
    case .mirror(.topToBottom): .downMirrored
    }
  }

  /// Reads the payload of `irot` (ISO/IEC 23008-12 §6.5.10).
  static func readRotation(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> ImageTransformation {
    .rotation(counterclockwiseQuarterTurns: Int(try reader.readUInt8("a rotation") & 3))
  }

  /// Reads the payload of `imir`: 0 exchanges top and bottom, 1 left and right (ISO/IEC
  /// 23008-12:2022 §6.5.12; the first edition had them the other way round, no writer did).
  static func readMirror(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> ImageTransformation {
    .mirror(try reader.readUInt8("a mirror axis") & 1 == 0 ? .topToBottom : .leftToRight)
  }
}
