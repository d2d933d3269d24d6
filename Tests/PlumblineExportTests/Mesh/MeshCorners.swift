import PlumblineExport
import PlumblineGeometry
import PlumblineModel

/// What every reader must find at the corners of a mesh's triangles, whatever its indices are.
struct MeshCorners {
  /// Three coordinates for each corner of each triangle.
  let positions: [Float]
  /// Two for each corner, `v` from the bottom as most programs count it.
  let coordinates: [Float]

  init(_ document: MeshDocument, isViewer: Bool) {
    let mesh = document.mesh
    var positions: [Float] = []
    var coordinates: [Float] = []
    for (index, triangle) in mesh.triangles.enumerated() {
      for corner in 0..<3 {
        let point = mesh.positions[triangle[corner]]
        positions += isViewer ? [point.x, -point.y, -point.z] : [point.x, point.y, point.z]
        if let layout = mesh.texture {
          let place = layout.coordinates[layout.triangles[index][corner]]
          coordinates += [place.x, 1 - place.y]
        }
      }
    }
    self.positions = positions
    self.coordinates = coordinates
  }

  /// Positions, then coordinates, as the oracle writes them.
  var bytes: [UInt8] { rawBytes(positions) + rawBytes(coordinates) }
}
