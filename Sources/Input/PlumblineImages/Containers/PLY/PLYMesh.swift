package import PlumblineIO

/// The surface of a PLY file: columns of the element `vertex` and the polygons of the element `face`.
///
/// Numbers are as stored, in the unit and the frame of the file. Polygons are cut into fans around
/// their first corner. Elements and properties that were not requested are passed over.
package struct PLYMesh: Sendable {
  /// The lines of the header's comments, in their order.
  package let comments: [String]
  /// The requested columns that the file has, by name; not necessarily finite.
  package let columns: [String: [Double]]
  /// Three places of vertices for each triangle; all below ``vertexCount``.
  package let corners: [UInt32]
  /// The number of vertices.
  package let vertexCount: Int

  /// The name of the element whose rows are polygons.
  private static let faceName = "face"
  /// The names of the list of a polygon's corners; both are common.
  private static let cornerNames = ["vertex_indices", "vertex_index"]
  /// The most corners of one polygon; scanners and modelers write three or four.
  private static let maximumPolygonCorners = 1024

  /// Whether the file at these bytes has polygons.
  ///
  /// - Throws: As ``PLYHeader`` does. Cost: O(header).
  package static func hasFaces(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> Bool {
    try PLYHeader(bytes, limits: limits).elements.contains { $0.name == faceName && $0.count > 0 }
  }

  /// Reads the surface.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - names: The columns to read; `x`, `y` and `z` are always read.
  ///   - maximumCount: The maximum number of vertices, and of triangles.
  ///   - limits: The limits of the header.
  /// - Throws: `.missing` without vertices, a coordinate or polygons; `.malformed` for a file that ends
  ///   too early or an index beyond the vertices; `.unsupported` for lists among the properties of
  ///   vertices; `.limitExceeded`. Cost: O(*n*), 8 bytes of memory for each number of a column;
  ///   nothing is allocated before the length of the file is checked.
  package init(
    _ bytes: ArraySlice<UInt8>, columns names: [String], atMost maximumCount: Int,
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let file = try PLYFile(bytes, limits: limits)
    comments = file.header.comments
    var (cursor, element) = try file.cursor(
      before: PLYPoints.elementName, atMost: maximumCount, "vertices")
    vertexCount = element.count
    let axes = ["x", "y", "z"]
    for axis in axes where !element.properties.contains(where: { $0.name == axis }) {
      throw CaptureReadingError(
        .missing, path: ["PLY header", PLYPoints.elementName],
        expected: "the property “\(axis)” of vertices",
        found: element.properties.map { printable(text: $0.name) }.joined(separator: ", "))
    }
    let wanted = axes + names.filter { !axes.contains($0) }
    let found = wanted.compactMap { name in
      element.properties.firstIndex { $0.name == name }.map { (name: name, place: $0) }
    }
    let read = try cursor.columns(of: element, at: found.map(\.place))
    columns = Dictionary(zip(found.map(\.name), read)) { first, _ in first }

    (cursor, element) = try file.cursor(
      before: Self.faceName, atMost: maximumCount, "polygons")
    guard
      let place = element.properties.firstIndex(where: { property in
        guard case .list = property.kind else { return false }
        return Self.cornerNames.contains(property.name)
      })
    else {
      throw CaptureReadingError(
        .missing, path: ["PLY header", Self.faceName], expected: "a list “vertex_indices”",
        found: element.properties.map { printable(text: $0.name) }.joined(separator: ", "))
    }
    corners = try cursor.fans(
      of: element, at: place, vertexCount: vertexCount,
      polygonCorners: Self.maximumPolygonCorners, maximumTriangles: maximumCount)
  }
}

extension PLYCursor {
  /// Reads the polygons of an element as triangles around each one's first corner.
  fileprivate mutating func fans(
    of element: PLYElement, at place: Int, vertexCount: Int, polygonCorners: Int,
    maximumTriangles: Int
  ) throws(CaptureReadingError) -> [UInt32] {
    var corners: [UInt32] = []
    // A row of a triangle has at least four bytes in every encoding, since indices have one.
    corners.reserveCapacity(3 * min(element.count, bytesLeft / 4))
    for _ in 0..<element.count {
      for (index, property) in element.properties.enumerated() {
        switch property.kind {
        case .scalar(let type): _ = try number(type)
        case .list(let countType, let itemType):
          let count = try number(countType)
          guard count >= 0, count <= Double(bytesLeft) else {
            throw malformed("a length of a list", "\(count)")
          }
          guard index == place else {
            for _ in 0..<Int(count) { _ = try number(itemType) }
            continue
          }
          guard (3...Double(polygonCorners)).contains(count) else {
            throw malformed("3 to \(polygonCorners) corners of a polygon", "\(count)")
          }
          let first = try corner(itemType, below: vertexCount)
          var previous = try corner(itemType, below: vertexCount)
          for _ in 2..<Int(count) {
            let next = try corner(itemType, below: vertexCount)
            corners.append(first)
            corners.append(previous)
            corners.append(next)
            previous = next
          }
        }
      }
      guard corners.count <= 3 * maximumTriangles else {
        throw CaptureReadingError(
          .limitExceeded, path: path, offset: offset,
          expected: "at most \(maximumTriangles) triangles", found: "more")
      }
    }
    return corners
  }

  private mutating func corner(
    _ type: PLYType, below count: Int
  ) throws(CaptureReadingError) -> UInt32 {
    let value = try number(type)
    guard value >= 0, value < Double(count), value == value.rounded() else {
      throw malformed("an index below \(count)", "\(value)")
    }
    return UInt32(value)
  }
}
