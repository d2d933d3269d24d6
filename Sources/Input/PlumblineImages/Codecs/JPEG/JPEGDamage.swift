import PlumblineModel

/// The rows of a JPEG image that may be damaged after a warning of the decoder.
///
/// Huffman codes have no checksum: after a damaged byte the decoder continues with wrong codes and
/// resynchronizes some blocks later. From there on every block is at a wrong position, until a
/// restart marker gives the right one. The warning comes when the data end too early or too late,
/// which may be far below the damage. So only the rows up to the last restart marker before the
/// warning are certain. Without such markers no row is certain, unless the file was simply
/// truncated.
///
/// - Source: ITU-T T.81 §F.1.2, §E.1.4; the texts of warnings are libjpeg's (`jerror.h`).
struct JPEGDamage {
  /// The decoder's warning.
  let warning: String
  /// The number of rows of the image.
  let rowCount: Int
  /// The rows that may be missing, gray or shifted; empty for a warning that affects no pixel.
  let affectedRows: Range<Int>

  private let hasRestarts: Bool
  private let isCut: Bool

  /// Locates the damage.
  ///
  /// - Parameters:
  ///   - warning: The decoder's last warning.
  ///   - image: The image with its frame header.
  ///   - decodedRows: The number of rows that were decoded before the first warning.
  init(warning: String, of image: JPEGImage, decodedRows: Int) {
    let rows = image.frame?.size.height ?? 0
    self.warning = warning
    rowCount = rows
    let intervalRows = image.restartIntervalRows
    hasRestarts = intervalRows != nil
    isCut = image.damage != nil || warning.hasPrefix("Premature end of JPEG file")
    if Self.concernsHeader(warning) || Self.concernsPadding(warning, of: image, decodedRows, rows) {
      affectedRows = rows..<rows
    } else if let intervalRows {
      // The warning comes at the start of the next interval, and one interval may have been decoded
      // before.
      affectedRows = max(0, decodedRows - 2 * intervalRows)..<rows
    } else if isCut, image.frame?.isProgressive == false {
      // The decoder fills the block row in which the data end before it warns.
      affectedRows = max(0, decodedRows - image.blockRowHeight)..<rows
    } else {
      affectedRows = 0..<rows
    }
  }

  /// Whether a warning concerns headers.
  ///
  /// Such warnings precede all pixels, so if one is the last, there were no others.
  private static func concernsHeader(_ warning: String) -> Bool {
    ["Invalid SOS parameters", "Unknown Adobe color transform", "Corrupt JPEG data: bad ICC"]
      .contains { warning.hasPrefix($0) }
  }

  /// Whether the only remaining data are equal bytes 00 or FF before the end marker, after a
  /// complete image: some cameras pad this way, and damage does not look like it.
  private static func concernsPadding(
    _ warning: String, of image: JPEGImage, _ decodedRows: Int, _ rows: Int
  ) -> Bool {
    let words = warning.split(separator: " ")
    guard decodedRows == rows, image.isComplete,
      warning.hasSuffix("extraneous bytes before marker 0xd9"),
      words.count > 3, let count = Int(words[3]), count + 2 <= image.bytes.count
    else { return false }
    let padding = image.bytes.dropLast(2).suffix(count)
    return padding.allSatisfy { $0 == 0 } || padding.allSatisfy { $0 == 0xFF }
  }
}

extension JPEGDamage: CustomStringConvertible {
  /// The warning, with the affected rows and fraction of the image.
  package var description: String {
    let percent = (100 * Double(affectedRows.count) / Double(max(1, rowCount))).fixed(0)
    let rows = "rows \(affectedRows.lowerBound) to \(rowCount - 1) of \(rowCount), \(percent) %"
    if isCut, hasRestarts || affectedRows.lowerBound > 0 {
      return "“\(warning)”: the data end early, \(rows) of the image, are missing"
    }
    if affectedRows.lowerBound > 0 || hasRestarts {
      return "“\(warning)”: \(rows) of the image, may be shifted or missing"
    }
    return "“\(warning)”: \(rows) of the image, may be shifted or missing, since no restart marker "
      + "says where the damage begins"
  }
}

extension JPEGImage {
  /// The number of pixel rows in one row of MCUs (T.81 §A.2).
  var blockRowHeight: Int {
    guard let frame, frame.components.count > 1 else { return 8 }
    return 8 * (frame.components.map(\.verticalSampling).max() ?? 1)
  }

  /// The maximum number of pixel rows that one restart interval spans; `nil` without intervals
  /// (T.81 §B.2.4.4).
  var restartIntervalRows: Int? {
    guard let frame, !frame.isProgressive,
      let payload = payloads(of: .defineRestartInterval).last, payload.count == 2
    else { return nil }
    let interval = payload.reduce(0) { $0 << 8 | Int($1) }
    guard interval > 0 else { return nil }
    let sampling =
      frame.components.count > 1
      ? frame.components.map(\.horizontalSampling).max() ?? 1 : 1
    let blocksPerRow = (frame.size.width + 8 * sampling - 1) / (8 * sampling)
    // An interval that starts inside a block row reaches into one more.
    let blockRows =
      interval % blocksPerRow == 0
      ? interval / blocksPerRow : (interval + blocksPerRow - 1) / blocksPerRow + 1
    return blockRows * blockRowHeight
  }
}
