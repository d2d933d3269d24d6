public import PlumblineGeometry
public import PlumblineIO
internal import PlumblineModel

/// Writes a point cloud as binary little-endian PLY, in pieces or as a whole.
///
/// One `vertex` element: `float x, y, z`; with color `uchar red, green, blue`; with uncertainty
/// `float sigma`, one standard deviation of `z`, in the world along the rays. Comments state unit, frame, meaning of `sigma` and
/// origin; see `Documentation/formats/ply.md`.
///
/// - Source: G. Turk, *The PLY Polygon File Format*, Stanford 1994.
public struct PLYWriter: Sendable {
  private let cloud: PointCloud
  private let comments: [String]

  /// Creates a writer for a cloud; O(1).
  ///
  /// - Parameters:
  ///   - cloud: The points.
  ///   - origin: The program and the source file.
  ///   - statements: What else the file says of the points, a sentence for each comment.
  public init(_ cloud: PointCloud, origin: ExportOrigin, statements: [String] = []) {
    self.cloud = cloud
    comments = PointCloudStatements(cloud: cloud, origin: origin, further: statements).lines
  }

  /// The whole file; O(*n*).
  public var bytes: [UInt8] {
    let header = header
    return [UInt8](unsafeUninitializedCapacity: header.count + cloud.count * stride) {
      buffer, count in
      _ = buffer.update(fromContentsOf: header)
      let body = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[header.count...])
      fill(body, with: 0..<cloud.count)
      count = buffer.count
    }
  }

  /// Writes the file in pieces of about 1 MiB, so that it uses no more memory than that.
  ///
  /// - Throws: Errors of the file.
  public func write(to file: borrowing StagedFile) throws(OutputError) {
    try file.write(header)
    let step = max(1, (1 << 20) / stride)
    var first = 0
    while first < cloud.count {
      let next = min(first + step, cloud.count)
      try file.write(records(first..<next))
      first = next
    }
  }

  /// The header with its last line feed, in ASCII.
  var header: [UInt8] {
    var lines = ["ply", "format binary_little_endian 1.0"]
    lines += comments.map { "comment \($0)" }
    lines.append("element vertex \(cloud.count)")
    lines += ["x", "y", "z"].map { "property float \($0)" }
    if cloud.colors != nil { lines += ["red", "green", "blue"].map { "property uchar \($0)" } }
    if cloud.sigmaMeters != nil { lines.append("property float sigma") }
    lines.append("end_header")
    return lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  /// The size of one vertex in bytes.
  private var stride: Int {
    12 + (cloud.colors == nil ? 0 : 3) + (cloud.sigmaMeters == nil ? 0 : 4)
  }

  private func records(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count * stride) { buffer, count in
      fill(UnsafeMutableRawBufferPointer(buffer), with: range)
      count = range.count * stride
    }
  }

  /// Writes vertices one after another; the memory must fit exactly `range.count` of them.
  private func fill(_ output: UnsafeMutableRawBufferPointer, with range: Range<Int>) {
    precondition(output.count >= range.count * stride)
    // One attribute at a time: three short loops without branches.
    cloud.positions.withUnsafeBufferPointer { positions in
      var offset = 0
      for index in range {
        let point = positions[index]
        output.store(point.x, at: offset)
        output.store(point.y, at: offset &+ 4)
        output.store(point.z, at: offset &+ 8)
        offset &+= stride
      }
    }
    cloud.colors?.withUnsafeBufferPointer { colors in
      var offset = 12
      for index in range {
        output.storeBytes(of: colors[index], toByteOffset: offset, as: RGB8.self)
        offset &+= stride
      }
    }
    cloud.sigmaMeters?.withUnsafeBufferPointer { sigmas in
      var offset = stride - 4
      for index in range {
        output.store(sigmas[index], at: offset)
        offset &+= stride
      }
    }
  }
}
