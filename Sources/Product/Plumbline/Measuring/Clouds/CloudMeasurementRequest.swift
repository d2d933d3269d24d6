/// A box along the axes of a cloud's frame, by its first corner and its size, in meters.
public struct CloudRegion: Hashable, Sendable {
  /// The corner of the least coordinates.
  public var corner: SIMD3<Double>
  /// Its sizes along x, y and z, above 0.
  public var size: SIMD3<Double>

  /// All points that a file can have: the word `all` on the command line.
  public static let all = CloudRegion([-1e6, -1e6, -1e6], size: [2e6, 2e6, 2e6])

  /// Creates a box.
  public init(_ corner: SIMD3<Double>, size: SIMD3<Double>) {
    self.corner = corner
    self.size = size
  }
}

extension CloudRegion: CustomStringConvertible {
  /// The box as the command line writes it, such as `0.1,-0.2,1,0.3x0.2x0.1`.
  public var description: String {
    if self == .all { return "all" }
    return corner.coordinates + ","
      + [size.x, size.y, size.z].map(\.shortest).joined(separator: "x")
  }
}

/// What is to be measured in a cloud or a mesh: places by their coordinates in its frame, in meters.
public enum CloudMeasurementRequest: Hashable, Sendable {
  /// The position of the point nearest to a place.
  case point(SIMD3<Double>)
  /// The length of the straight line between two points.
  case distance(SIMD3<Double>, SIMD3<Double>)
  /// The angle at the second of three points.
  case angle(SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  /// The plane of the points in a region.
  case plane(CloudRegion)
  /// The box that stands in a region of a mesh; it is refused in a cloud, whose points cover no area.
  case box(CloudRegion)
  /// The distance of a point from the plane of a region.
  case height(SIMD3<Double>, CloudRegion)
  /// The volume that the triangles of a mesh in a region enclose; refused in a cloud.
  case volume(CloudRegion)
  /// The area of the triangles of a mesh in a region; refused in a cloud.
  case area(CloudRegion)
  /// Where a plane cuts a mesh: the length of the lines and the area in them; refused in a cloud.
  case section(SectionPlane)
  /// The rooms of a mesh at a height above its floor, in meters; refused in a cloud.
  case floorPlan(heightMeters: Double)

  /// The word of its kind in documents.
  public var kind: String {
    switch self {
    case .point: "point"
    case .distance: "distance"
    case .angle: "angle"
    case .plane: "plane"
    case .box: "box"
    case .height: "height"
    case .volume: "volume"
    case .area: "area"
    case .section: "section"
    case .floorPlan: "floor-plan"
    }
  }

  /// Whether it needs triangles, where others need points.
  public var isOfSurface: Bool {
    switch self {
    case .point, .distance, .angle, .plane, .height: false
    case .box, .volume, .area, .section, .floorPlan: true
    }
  }

  /// Its places as they were given, in order.
  public var places: [SIMD3<Double>] {
    switch self {
    case .point(let a): [a]
    case .distance(let a, let b): [a, b]
    case .angle(let a, let b, let c): [a, b, c]
    case .height(let a, _): [a]
    case .plane, .box, .volume, .area, .section, .floorPlan: []
    }
  }

  /// Its region; `nil` for what has only points.
  public var region: CloudRegion? {
    switch self {
    case .point, .distance, .angle, .section, .floorPlan: nil
    case .plane(let region), .box(let region), .height(_, let region), .volume(let region),
      .area(let region):
      region
    }
  }
}

extension CloudMeasurementRequest: CustomStringConvertible {
  /// The places as the command line writes them.
  public var description: String {
    switch self {
    case .section(let plane): plane.description
    case .floorPlan(let height): height.shortest
    default:
      (places.map(\.coordinates) + [region?.description].compactMap(\.self))
        .joined(separator: ":")
    }
  }
}

extension SIMD3<Double> {
  /// The coordinates as they are written, such as `0.1,-0.2,1`.
  var coordinates: String { [x, y, z].map(\.shortest).joined(separator: ",") }
}

extension Double {
  /// The shortest decimals that give the same number again, without those of a whole one.
  var shortest: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}
