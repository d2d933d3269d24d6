package import PlumblineIO

/// The formats of a floor plan's drawing, by the endings of their files.
package enum FloorPlanFormat: String, CaseIterable, Sendable {
  case svg
  case dxf

  /// The format that the ending of a path names; `nil` for another ending.
  package init?(fileName: String) {
    self.init(rawValue: pathEnding(fileName))
  }
}

extension MeasuredFloorPlan {
  /// Writes the drawing.
  ///
  /// - Returns: The path; `nil` where there is no plan to draw, and no file then.
  package func published(
    as format: FloorPlanFormat, at path: String, _ existing: OutputTransaction.ExistingFiles
  ) throws -> String? {
    let bytes =
      switch format {
      case .svg: svg
      case .dxf: dxf
      }
    guard let bytes else { return nil }
    var transaction = OutputTransaction(existing: existing)
    try transaction.stage(bytes, at: path)
    _ = try transaction.publish()
    return path
  }

  /// How far above the floor walls may be cut, in meters.
  package static let heightsMeters = 0.1...10.0
  /// How far above the floor walls are cut where a user says nothing, in meters.
  package static let usualHeightMeters = 1.2
}
