import CViewerAssets

/// The hand-written files of the page, as the linker placed them in the binary.
enum ReportAssets {
  /// The skeleton with its `{{slots}}`.
  static var template: [UInt8] { Array(bytes(of: plumbline_report_template())) }
  /// All style sheets in order.
  static var style: [UInt8] { Array(bytes(of: plumbline_report_style())) }
  /// All scripts in order; one classic script.
  static var script: [UInt8] { Array(bytes(of: plumbline_report_script())) }
  /// The skeleton of the page of figures.
  static var figureTemplate: [UInt8] { Array(bytes(of: plumbline_figure_template())) }
  /// The style sheets of the page of figures.
  static var figureStyle: [UInt8] { Array(bytes(of: plumbline_figure_style())) }
  /// The script of the page of figures.
  static var figureScript: [UInt8] { Array(bytes(of: plumbline_figure_script())) }

  private static func bytes(of asset: plumbline_asset) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: asset.bytes, count: asset.count)
  }
}
