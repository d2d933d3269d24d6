/// The parts of a mesh that share no vertex.
///
/// Parts are numbered by their lowest vertex. A vertex of no triangle belongs to none.
package struct MeshComponents: Sendable {
  /// One part.
  package struct Component: Sendable, Hashable {
    /// The number of its vertices.
    package var vertexCount = 0
    /// The number of its triangles.
    package var triangleCount = 0
    /// The area of its triangles, in square meters.
    package var areaSquareMeters = 0.0
  }

  /// The part of each triangle.
  package let componentOfTriangle: [Int32]
  /// The parts.
  package let components: [Component]

  /// The number of parts.
  package var count: Int { components.count }

  /// The part of the largest area, the first of equal ones; `nil` of a mesh without triangles.
  package var largest: Int? {
    components.indices.max {
      let (one, other) = (components[$0].areaSquareMeters, components[$1].areaSquareMeters)
      return one < other || (one == other && $0 > $1)
    }
  }

  /// Finds the parts of a mesh, by union of the corners of each triangle; O(*n* α(*n*)).
  package static func find(in mesh: TriangleMesh) -> MeshComponents {
    var parts = DisjointSets(count: mesh.vertexCount)
    var isUsed = [Bool](repeating: false, count: mesh.vertexCount)
    for triangle in mesh.triangles {
      parts.join(triangle.first, triangle.second)
      parts.join(triangle.second, triangle.third)
      for corner in 0..<3 { isUsed[triangle[corner]] = true }
    }
    var numbers = [Int32](repeating: -1, count: mesh.vertexCount)
    var components: [Component] = []
    for vertex in 0..<mesh.vertexCount where isUsed[vertex] {
      let top = Int(parts.root(UInt32(vertex)))
      if numbers[top] < 0 {
        numbers[top] = Int32(components.count)
        components.append(Component())
      }
      components[Int(numbers[top])].vertexCount += 1
    }
    let ofTriangle = mesh.triangles.map { triangle in
      let number = numbers[Int(parts.root(triangle.first))]
      components[Int(number)].triangleCount += 1
      components[Int(number)].areaSquareMeters += mesh.area(of: triangle)
      return number
    }
    return MeshComponents(componentOfTriangle: ofTriangle, components: components)
  }
}

extension TriangleMesh {
  /// The mesh without its small parts and without vertices of no triangle.
  ///
  /// - Parameters:
  ///   - areaSquareMeters: Parts of less area go.
  ///   - vertexCount: Parts of fewer vertices go.
  /// - Returns: The rest, in its order; where nothing goes, that is the mesh without loose vertices.
  ///   Cost: O(*n*).
  package func removingComponents(
    below areaSquareMeters: Double = 0, vertexCount: Int = 0
  ) -> TriangleMesh {
    let found = MeshComponents.find(in: self)
    let stays = found.components.map {
      $0.areaSquareMeters >= areaSquareMeters && $0.vertexCount >= vertexCount
    }
    return keeping(
      triangles: triangles.indices.filter { stays[Int(found.componentOfTriangle[$0])] })
  }

  /// The part of the largest area alone; O(*n*).
  package var largestComponent: TriangleMesh {
    let found = MeshComponents.find(in: self)
    guard let largest = found.largest else { return keeping(triangles: []) }
    return keeping(
      triangles: triangles.indices.filter { found.componentOfTriangle[$0] == Int32(largest) })
  }
}
