import PlumblineGeometry
import PlumblineModel

/// What a file says of the numbers of a cloud, for headers made of lines.
struct PointCloudStatements {
  let cloud: PointCloud
  let origin: ExportOrigin
  /// What else is to be said, such as how points were thinned.
  var further: [String] = []

  /// The unit.
  var unit: String {
    cloud.isMetric
      ? "meter" : "relative: lengths cannot be measured, scale and offset are unknown"
  }

  /// The axes.
  var frame: String { cloud.frame.statement }

  /// The meaning of σ; `nil` without one.
  var sigma: String? {
    guard cloud.sigmaMeters != nil else { return nil }
    return switch cloud.frame {
    case .camera: "one standard deviation of z, same unit as z"
    case .world:
      "one standard deviation along the rays that saw the point, in meters; "
        + "the error of the poses is not in it"
    }
  }

  /// One line for each, in printable ASCII.
  var lines: [String] {
    var lines = origin.lines + ["unit \(unit)", "frame \(frame)"]
    if let sigma { lines.append("sigma is \(sigma)") }
    return lines + further.map { ExportOrigin.oneLine($0) }
  }
}

extension PointCloud.Frame {
  /// The axes in words, as files state them.
  package var statement: String {
    switch self {
    case .camera: "camera: x right, y down, z forward"
    case .world(.yUp): "world: y up, right-handed, of the recording's poses"
    case .world(.zUp): "world: z up, right-handed, of the recording's poses"
    case .world(.unknown): "world: of the recording's poses, which do not say what is up"
    }
  }

  /// The axes of formats with `y` up, in words.
  var viewerStatement: String {
    switch self {
    case .camera: ViewerAxes.statement
    case .world(.yUp), .world(.unknown): statement
    case .world(.zUp): "world: y up, right-handed; turned from the recording's, whose z is up"
    }
  }

  /// A point or direction in the axes of formats with `y` up, where the frame says what is up; exact.
  func viewer(_ point: PackedPoint) -> PackedPoint {
    switch self {
    case .camera: ViewerAxes.viewer(point)
    // Subtracted from 0, since −0 would be written as a different number.
    case .world(.zUp): PackedPoint(x: point.x, y: point.z, z: 0 - point.y)
    case .world(.yUp), .world(.unknown): point
    }
  }
}

extension MeshDocument {
  /// The axes of the mesh in formats with `y` up, in words.
  var viewerStatement: String { frame.viewerStatement }

  /// A point or direction of the mesh in the axes of formats with `y` up; exact.
  func viewer(_ point: PackedPoint) -> PackedPoint { frame.viewer(point) }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores a float in little-endian byte order, at any alignment.
  @inline(__always)
  func store(_ value: Float, at offset: Int) {
    storeBytes(of: value.bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
}
