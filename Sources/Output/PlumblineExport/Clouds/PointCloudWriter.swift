public import PlumblineGeometry
public import PlumblineIO
import PlumblineModel

/// The file formats of point clouds.
public enum PointCloudFormat: String, Sendable, CaseIterable {
  /// Binary PLY.
  case ply
  /// Binary PCD of the Point Cloud Library.
  case pcd
  /// Lines of numbers.
  case xyz
  /// Binary glTF 2.0.
  case glb
  /// E57, the exchange format of laser scanners.
  case e57

  /// The format of a file's name: that of its ending, in any case; PLY for a name without an ending.
  ///
  /// It is `nil` for another ending.
  public init?(fileName: String) {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else {
      self = .ply
      return
    }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}

/// Writes a point cloud in any of the formats, in pieces of about a megabyte.
///
/// Every file states unit, axes, the meaning of σ and its origin. The bytes depend only on the
/// arguments.
public struct PointCloudWriter: Sendable {
  private let statements: PointCloudStatements
  private let format: PointCloudFormat

  /// Creates a writer; O(1).
  ///
  /// - Parameters:
  ///   - cloud: The points.
  ///   - format: The format.
  ///   - origin: The program and the source file.
  ///   - statements: What else the file says of the points, a sentence each, such as how they were
  ///     thinned.
  public init(
    _ cloud: PointCloud, format: PointCloudFormat, origin: ExportOrigin, statements: [String] = []
  ) {
    self.statements = PointCloudStatements(cloud: cloud, origin: origin, further: statements)
    self.format = format
  }

  /// Writes the file; O(*n*).
  ///
  /// - Throws: Errors of the file; `.cannotCreate` for a GLB of 4 GiB or more, whose length does not
  ///   fit its header.
  public func write(to file: borrowing StagedFile) throws(OutputError) {
    let cloud = statements.cloud
    switch format {
    case .ply:
      try PLYWriter(cloud, origin: statements.origin, statements: statements.further)
        .write(to: file)
    case .pcd:
      let writer = PCDWriter(cloud: cloud, comments: statements.lines)
      try file.write(writer.header)
      try Self.forEachRange(of: cloud.count, bytesEach: writer.stride) {
        range throws(OutputError) in try file.write(writer.records(range))
      }
    case .xyz:
      let writer = XYZWriter(cloud: cloud, comments: statements.lines)
      try file.write(writer.header)
      try Self.forEachRange(of: cloud.count, bytesEach: 64) { range throws(OutputError) in
        try file.write(writer.lines(range))
      }
    case .glb:
      let points = GLBPoints(statements: statements)
      let head = points.head
      guard head.length <= GLBPoints.maximumLength else {
        throw OutputError(
          .cannotCreate, path: file.path,
          detail: "a GLB holds at most \(GLBPoints.maximumLength) bytes, and the points take "
            + "\(head.length)")
      }
      try file.write(head.bytes)
      try points.forEachPiece { bytes throws(OutputError) in try file.write(bytes) }
    case .e57:
      try E57Writer(statements: statements).forEachPiece { bytes throws(OutputError) in
        try file.write(bytes)
      }
    }
  }

  private static func forEachRange(
    of count: Int, bytesEach: Int, _ body: (Range<Int>) throws(OutputError) -> Void
  ) throws(OutputError) {
    let step = (1 << 20) / bytesEach
    var first = 0
    while first < count {
      let next = min(first + step, count)
      try body(first..<next)
      first = next
    }
  }
}
