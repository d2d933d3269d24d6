package import PlumblineIO

/// The triangles of a PLY mesh, by its element `face` and the list `vertex_indices` or `vertex_index`.
///
/// A polygon with *n* corners becomes the *n* − 2 triangles of a fan from its first one. Triangles that name a
/// corner twice have no area and are left out. All other properties are passed over.
package struct PLYTriangles: Sendable {
  /// The element whose rows are polygons.
  package static let elementName = "face"
  /// The names of the list of corners.
  package static let listNames = ["vertex_indices", "vertex_index"]
  /// The most corners of one polygon.
  private static let mostCorners = 1024.0

  /// The corners of each triangle, places among the points of the file.
  package let corners: [SIMD3<Int32>]
  /// The points that were made up, by a property `invented` of points that is not 0; `nil` without one.
  package let invented: [Bool]?

  /// Reads the triangles.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - pointCount: The number of points that corners may name.
  ///   - limits: Those of memory: at most twice ``ReadingLimits/cloudPoints`` triangles, as closed surfaces
  ///     of so many points have.
  /// - Returns: `nil` for a file without such an element or list, which is a cloud.
  /// - Throws: ``CaptureReadingError``: `.malformed` for lists that are none or that name no point,
  ///   `.limitExceeded`. Cost: O(bytes), 12 bytes of memory for each triangle.
  package static func read(
    _ bytes: ArraySlice<UInt8>, pointCount: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) -> PLYTriangles? {
    let file = try PLYFile(bytes, limits: limits)
    guard let element = file.element(elementName),
      let place = element.properties.firstIndex(where: { property in
        if case .list = property.kind { listNames.contains(property.name) } else { false }
      })
    else { return nil }
    let most = 2 * limits.cloudPoints
    var (cursor, _) = try file.cursor(before: elementName, atMost: most, "polygons")
    var corners: [SIMD3<Int32>] = []
    var polygon: [Int32] = []
    for _ in 0..<element.count {
      for (index, property) in element.properties.enumerated() {
        switch property.kind {
        case .scalar(let type): _ = try cursor.number(type)
        case .list(let countType, let itemType):
          let count = try cursor.number(countType)
          guard count >= 0, count <= mostCorners else {
            throw cursor.malformed("0 to \(Int(mostCorners)) entries of a list", "\(count)")
          }
          polygon.removeAll(keepingCapacity: true)
          for _ in 0..<Int(count) {
            let value = try cursor.number(itemType)
            guard index == place else { continue }
            guard value >= 0, value < Double(pointCount), value == value.rounded() else {
              throw cursor.malformed("the place of one of \(pointCount) points", "\(value)")
            }
            polygon.append(Int32(value))
          }
          if index == place { append(polygon, to: &corners) }
        }
      }
      try limits.require(corners.count, atMost: most, "triangles", path: cursor.path)
    }
    return PLYTriangles(corners: corners, invented: try invented(file, limits))
  }

  private static func append(_ polygon: [Int32], to corners: inout [SIMD3<Int32>]) {
    for index in stride(from: 2, to: polygon.count, by: 1) {
      let triangle = SIMD3(polygon[0], polygon[index - 1], polygon[index])
      if triangle.x != triangle.y, triangle.y != triangle.z, triangle.z != triangle.x {
        corners.append(triangle)
      }
    }
  }

  private static func invented(
    _ file: PLYFile, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [Bool]? {
    var (cursor, element) = try file.cursor(
      before: PLYPoints.elementName, atMost: limits.cloudPoints, "points")
    guard let place = element.properties.firstIndex(where: { $0.name == "invented" }) else {
      return nil
    }
    return try cursor.columns(of: element, at: [place]).first.map { $0.map { $0 != 0 } }
  }
}
