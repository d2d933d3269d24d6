public import PlumblineCapture
public import PlumblineModel

/// How a screen shows live depth: as an image or as points, in which colors, over which distances.
public struct DepthDisplay: Hashable, Sendable {
  /// The two views.
  public enum View: String, Hashable, Sendable, CaseIterable {
    /// An image, depth as colors.
    case image
    /// Points in space.
    case points

    /// Its name for people.
    public var name: String { self == .image ? "2D" : "3D" }
  }

  /// How the distances at the two ends of the color map are chosen.
  public enum Span: String, Hashable, Sendable, CaseIterable {
    /// By the sliders.
    case chosen
    /// By the nearest and the farthest depth of each frame.
    case automatic
    /// Each color for equally many pixels.
    case equalized

    /// Its name for people.
    public var name: String {
      switch self {
      case .chosen: "Chosen"
      case .automatic: "Automatic"
      case .equalized: "Equalized"
      }
    }
  }

  /// The view.
  public var view = View.image
  /// The color map.
  public var colorMap = ColorMap.jet
  /// How the ends of the color map are chosen.
  public var span = Span.chosen
  /// The ends of the color map, for ``Span/chosen``.
  public var range: DepthRange
  private var share = 1.0

  /// Creates a display with the distances that a camera is made for.
  public init(for camera: CameraSelection) {
    range = Self.range(for: camera)
  }

  /// How much of the depth's colors is mixed into the image: 0 is the image alone, 1 the colors alone.
  ///
  /// Values outside are moved to the next end.
  public var depthShare: Double {
    get { share }
    set { share = newValue.isNaN ? share : min(max(newValue, 0), 1) }
  }

  /// Takes the distances of another camera; the other choices stay.
  public mutating func changeCamera(to camera: CameraSelection) {
    range = Self.range(for: camera)
  }

  /// The colors.
  public var colors: DepthColors {
    let span: DepthColors.Span =
      switch span {
      case .chosen: .fixed(nearMeters: range.nearMeters, farMeters: range.farMeters)
      case .automatic: .automatic
      case .equalized: .equalized
      }
    return DepthColors(colorMap, span: span)
  }

  /// What the colors mean for one frame, such as `near 0.20 m, far 1.20 m`.
  ///
  /// - Parameters:
  ///   - values: The depth of the frame.
  ///   - isMetric: Whether its unit is known to be meters.
  /// - Returns: One clause. Cost: that of ``DepthColors/rangeMeters(of:)``.
  public func legend(of values: DepthRecord.Values, isMetric: Bool) -> String {
    guard span != .equalized else { return "each color for equally many pixels" }
    guard let range = colors.rangeMeters(of: values) else { return "nothing measured" }
    let unit = isMetric ? " m" : ""
    let ends = [range.lowerBound, range.upperBound].map { Double($0).fixed(2) + unit }
    return "near \(ends[0]), far \(ends[1])" + (isMetric ? "" : ", no unit: relative depth")
  }

  private static func range(for camera: CameraSelection) -> DepthRange {
    var (near, far): (Float, Float) = (0.2, 5)
    if case .fixed(let first, let last) = camera.previewColors.span { (near, far) = (first, last) }
    return DepthRange(
      limits: camera.isAtFront ? 0.1...2 : 0.1...8, nearMeters: near, farMeters: far)
  }
}

extension ColorMap {
  /// Its name for people, as the literature has it.
  public var name: String {
    switch self {
    case .turbo: "Turbo"
    case .viridis: "Viridis"
    case .jet: "JET"
    case .gray: "Gray"
    }
  }
}
