import Plumbline

/// The file that a floor plan is written to: SVG or DXF by its ending.
enum FloorPlanFile {
  /// Refuses endings that name neither.
  static func check(_ path: String) throws(MeasuredInputError) {
    guard ["svg", "dxf"].contains(pathEnding(path)) else {
      throw MeasuredInputError.drawingOfOtherFormat(path)
    }
  }

  /// Writes the drawing; `nil` where there is no plan to draw, and no file then.
  static func write(
    _ plan: MeasuredFloorPlan, at path: String, existing: OutputTransaction.ExistingFiles
  ) throws -> String? {
    guard let bytes = pathEnding(path) == "dxf" ? plan.dxf : plan.svg else { return nil }
    var transaction = OutputTransaction(existing: existing)
    try transaction.stage(bytes, at: path)
    _ = try transaction.publish()
    return path
  }
}
