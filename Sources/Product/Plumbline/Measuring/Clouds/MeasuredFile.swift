import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineImages

/// The points and triangles of a file that is measured in, as stored, whatever its format.
struct MeasuredFile {
  /// The points, in the unit and the frame of the file.
  let points: PointList
  /// One standard deviation of each, in the same unit; `nil` where the file has none.
  let sigmas: [Double]?
  /// The corners of the triangles; `nil` for a cloud.
  let corners: [SIMD3<Int32>]?
  /// Which points were invented to close holes; `nil` for none.
  let invented: [Bool]?
  /// What the file says of its numbers, a line each.
  let comments: [String]
  /// Meters per unit, where the format or a comment in it says another one than the meter; else `nil`.
  let metersPerUnit: Double?

  /// Whether bytes are those of points or triangles rather than of a capture.
  ///
  /// - Throws: ``CaptureReadingError`` for a PLY file whose header cannot be read. Cost: O(header).
  static func recognizes(
    _ bytes: [UInt8], named name: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    switch MeshReader().format(of: bytes, named: name) {
    case .ply: try PLYPoints.recognizes(bytes[...], limits: limits)
    case .glb, .obj, .stl: true
    case nil: false
    }
  }

  /// Reads PLY clouds and meshes in double precision, and meshes of the other formats of ``MeshReader``, whose
  /// corners at one place become one point.
  ///
  /// - Throws: ``CaptureReadingError``, also where there are more points than limits allow. Cost: O(*n*).
  static func read(
    _ bytes: [UInt8], named name: String, limits: ReadingLimits
  ) throws(CaptureReadingError) -> MeasuredFile {
    var reader = MeshReader()
    reader.maximumCount = 2 * limits.cloudPoints
    guard let format = reader.format(of: bytes, named: name), format != .ply else {
      return try read(ply: bytes, limits)
    }
    return try points(of: reader.read(bytes, named: name), limits)
  }

  private static func read(
    ply bytes: [UInt8], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> MeasuredFile {
    let file = try PLYPoints(bytes[...], limits: limits)
    let points = PointList(x: file.x, y: file.y, z: file.z)
    let triangles = try PLYTriangles.read(bytes[...], pointCount: points.count, limits: limits)
    return MeasuredFile(
      points: points, sigmas: file.sigmas, corners: triangles?.corners,
      invented: triangles?.invented, comments: file.comments, metersPerUnit: nil)
  }

  private static func points(
    of file: ReadMesh, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> MeasuredFile {
    // GLB has a vertex for each texture coordinate; a surface that is cut there has no volume.
    let mesh = MeshCleanup().clean(file.mesh)
    try limits.require(mesh.vertexCount, atMost: limits.cloudPoints, "points")
    func column(_ axis: (PackedPoint) -> Float) -> [Double] {
      mesh.positions.map { Double(axis($0)) }
    }
    // STL has one line for all of them.
    let comments = file.statements.flatMap { statement in
      statement.hasPrefix("STL ")
        ? statement.dropFirst(4).split(separator: "; ").map(String.init) : [statement]
    }
    return MeasuredFile(
      points: PointList(x: column(\.x), y: column(\.y), z: column(\.z)),
      sigmas: mesh.sigmaMeters?.map { Double($0) },
      corners: mesh.triangles.map {
        SIMD3(Int32($0.first), Int32($0.second), Int32($0.third))
      }, invented: mesh.isInvented, comments: comments, metersPerUnit: file.metersPerUnit)
  }
}
