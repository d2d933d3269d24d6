import PlumblineFaces
import PlumblineGeometry
package import PlumblineModel

/// Images by which a fit is checked at a glance.
package struct FaceImages: Sendable {
  /// The photo with the landmarks that were seen (light) and the fitted ones (dark), cut to the face.
  package let landmarks: Raster<RGB8>
  /// The residual on the photo: blue where the surface lies before what was measured, red where behind,
  /// gray where nothing was measured; `nil` without depth.
  package let residual: Raster<RGB8>?

  /// The longer side of an image at most, pixels.
  static let maximumSide = 1200
  /// The residual at which a color is full, meters.
  package static let fullScaleMeters: Float = 0.003

  /// Draws the images of a face; O(pixels).
  package static func drawn(_ face: FaceResult, of faces: PhotoFaces) -> FaceImages {
    let crop = Self.crop(face, in: faces.image.size)
    let part = faces.image.cropped(to: crop).reduced(toMaximumSide: maximumSide)
    // A small face is shown larger, by whole pixels, so that its landmarks lie apart.
    let factor = max(1, maximumSide / 2 / max(part.width, part.height))
    let photo = Raster(
      size: RasterSize(width: part.width * factor, height: part.height * factor)
    ) { x, y in part[x / factor, y / factor] }
    let scale = SIMD2(
      Double(photo.width) / Double(crop.size.width),
      Double(photo.height) / Double(crop.size.height))
    func inCrop(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
      (pixel - SIMD2(Double(crop.x), Double(crop.y)) + 0.5) * scale - 0.5
    }
    return FaceImages(
      landmarks: marked(
        photo, with: face, anchors: faces.models.fitter.model.anchors, inCrop: inCrop),
      residual: tinted(photo, with: face) { inCrop(face.observation.camera.pixel(of: $0)) })
  }

  /// Marks the landmarks that were seen and those of the surface.
  private static func marked(
    _ photo: Raster<RGB8>, with face: FaceResult, anchors: [LandmarkAnchor?],
    inCrop: (SIMD2<Double>) -> SIMD2<Double>
  ) -> Raster<RGB8> {
    var marked = photo
    for (anchor, seen) in zip(anchors, face.landmarkPixels) {
      guard let anchor else { continue }
      var fitted = SIMD3<Double>.zero
      for corner in 0..<3 {
        fitted +=
          face.mesh.positions[anchor.vertices[corner]].vector * Double(anchor.shares[corner])
      }
      let pixel = face.observation.camera.pixel(of: fitted)
      marked.dot(at: inCrop(pixel), RGB8(red: 0, green: 60, blue: 160))
      marked.dot(
        at: inCrop(SIMD2(Double(seen.x), Double(seen.y))), RGB8(red: 120, green: 255, blue: 120))
    }
    return marked
  }

  /// Tints the face by how far it is from the measured depth; `nil` without depth.
  private static func tinted(
    _ photo: Raster<RGB8>, with face: FaceResult,
    project: (SIMD3<Double>) -> SIMD2<Double>
  ) -> Raster<RGB8>? {
    guard let refined = face.refined else { return nil }
    let drawing = MeshRasterization(face.mesh, size: photo.size, faces: .front, project: project)
    return Raster(size: photo.size) { x, y in
      let under = photo[x, y]
      let triangle = drawing.triangles[x, y]
      guard triangle >= 0 else { return under }
      let corners = face.mesh.triangles[Int(triangle)]
      let shares = drawing.shares[x, y]
      let weights = [1 - shares.x - shares.y, shares.x, shares.y]
      var sum: Float = 0
      for corner in 0..<3 { sum += refined.residualMeters[corners[corner]] * weights[corner] }
      let gray = (Float(under.red) + Float(under.green) + Float(under.blue)) / 3
      guard sum.isFinite else {
        let level = UInt8(gray * 0.6)
        return RGB8(red: level, green: level, blue: level)
      }
      return DivergingTint.color(of: sum / fullScaleMeters, over: gray)
    }
  }

  private static func crop(_ result: FaceResult, in size: RasterSize) -> PixelRectangle {
    let points = result.landmarkPixels.filter { $0.x.isFinite && $0.y.isFinite }
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
    let (top, bottom) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
    let margin = 0.35 * max(right - left, bottom - top)
    let x = max(0, Int(left - margin))
    let y = max(0, Int(top - margin))
    return PixelRectangle(
      x: x, y: y, width: max(1, min(size.width, Int(right + margin)) - x),
      height: max(1, min(size.height, Int(bottom + margin)) - y))
  }
}

/// A color between blue, white and red over a gray image.
enum DivergingTint {
  static func color(of value: Float, over gray: Float) -> RGB8 {
    let share = min(1, max(-1, value))
    let strength = abs(share)
    let target: (Float, Float, Float) = share > 0 ? (40, 90, 255) : (255, 70, 30)
    func mixed(_ level: Float) -> UInt8 {
      UInt8(min(255, max(0, (0.45 * gray + 110) * (1 - strength) + level * strength)))
    }
    return RGB8(red: mixed(target.0), green: mixed(target.1), blue: mixed(target.2))
  }
}

extension Raster<RGB8> {
  /// Sets a small disk.
  fileprivate mutating func dot(at place: SIMD2<Double>, _ color: RGB8) {
    guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6, abs(place.y) < 1e6 else { return }
    let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
    for dy in -1...1 {
      for dx in -1...1 where contains(x: x + dx, y: y + dy) { self[x + dx, y + dy] = color }
    }
  }
}
