import PlumblineModel

/// Which rows of a JPEG image may be damaged after a warning of the decoder.
///
/// Huffman codes have no check of their own: after a damaged byte the decoder goes on with wrong
/// codes, finds its way back some blocks later, and from there on every block lies where another
/// belongs, until a restart marker says which one comes. The warning comes where the data end too
/// early or too late, which may be far below the damage. So what is certain ends at the last
/// restart marker before the warning; without such markers nothing is certain, unless the file was
/// simply cut.
///
/// - Source: ITU-T T.81 §F.1.2, §E.1.4; the texts of warnings are libjpeg's (`jerror.h`).
struct JPEGDamage {
  /// The decoder's warning.
  let warning: String
  /// The rows of the whole image.
  let rowCount: Int
  /// The rows that may be missing, gray or shifted; empty for a warning that no pixel depends on.
  let affectedRows: Range<Int>

  private let hasRestarts: Bool
  private let isCut: Bool

  /// Locates the damage.
  ///
  /// - Parameters:
  ///   - warning: The decoder's last warning.
  ///   - image: The image with its frame header.
  ///   - decodedRows: How many rows came out before its first warning.
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
      // The warning comes when the next interval starts: one may have come out before it.
      affectedRows = max(0, decodedRows - 2 * intervalRows)..<rows
    } else if isCut, image.frame?.isProgressive == false {
      // The decoder fills the row of blocks that the end fell into before it warns.
      affectedRows = max(0, decodedRows - image.blockRowHeight)..<rows
    } else {
      affectedRows = 0..<rows
    }
  }

  /// Warnings about headers, which come before any pixel, and being the last were the only ones.
  private static func concernsHeader(_ warning: String) -> Bool {
    ["Invalid SOS parameters", "Unknown Adobe color transform", "Corrupt JPEG data: bad ICC"]
      .contains { warning.hasPrefix($0) }
  }

  /// Whether all that is left over are equal bytes 00 or FF before the end marker, behind an image
  /// that came out whole: some cameras fill up so, and damage does not look like it.
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
  /// The warning, then the rows and the share of the image that it concerns.
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
  /// The rows of pixels in one row of the blocks that are coded together (T.81 §A.2).
  var blockRowHeight: Int {
    guard let frame, frame.components.count > 1 else { return 8 }
    return 8 * (frame.components.map(\.verticalSampling).max() ?? 1)
  }

  /// How many rows of pixels one restart interval reaches over at most; `nil` without intervals
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
    // An interval that starts inside a row of blocks reaches into one more.
    let blockRows =
      interval % blocksPerRow == 0
      ? interval / blocksPerRow : (interval + blocksPerRow - 1) / blocksPerRow + 1
    return blockRows * blockRowHeight
  }
}
