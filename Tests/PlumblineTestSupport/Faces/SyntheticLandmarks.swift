import Foundation
import PlumblineFaces

/// Where the landmarks 0…467 lie on a ``SyntheticFace``, seen from the front: meters to the head's left and
/// up.
///
/// Lines of eyes, brows, lips, nose and contour are arcs; what has no line is spread inside the contour
/// like the seeds of a sunflower.
enum SyntheticLandmarks {
  static let places: [SIMD2<Double>] = {
    var places = [SIMD2<Double>?](repeating: nil, count: FaceLandmarks.meshCount)
    func put(_ line: [Int], from first: SIMD2<Double>, to last: SIMD2<Double>, rise: Double) {
      for (index, landmark) in line.enumerated() where places[landmark] == nil {
        let share = Double(index) / Double(line.count - 1)
        places[landmark] =
          first + (last - first) * share + SIMD2(0, rise * 4 * share * (1 - share))
      }
    }
    func putArcs(
      _ region: LandmarkRegion, from first: SIMD2<Double>, to last: SIMD2<Double>, rises: [Double]
    ) {
      for (line, rise) in zip(region.lines, rises) { put(line, from: first, to: last, rise: rise) }
    }
    putArcs(.rightEye, from: [-0.045, 0.022], to: [-0.018, 0.022], rises: [-0.004, 0.005])
    putArcs(.leftEye, from: [0.045, 0.022], to: [0.018, 0.022], rises: [-0.004, 0.005])
    putArcs(.rightEyebrow, from: [-0.05, 0.034], to: [-0.014, 0.036], rises: [0.002, 0.006])
    putArcs(.leftEyebrow, from: [0.05, 0.034], to: [0.014, 0.036], rises: [0.002, 0.006])
    let lips = LandmarkRegion.lips.lines
    put(lips[0], from: [-0.025, -0.042], to: [0.025, -0.042], rise: -0.009)
    put(lips[1], from: [-0.025, -0.042], to: [0.025, -0.042], rise: 0.008)
    put(lips[2], from: [-0.021, -0.042], to: [0.021, -0.042], rise: -0.002)
    put(lips[3], from: [-0.021, -0.042], to: [0.021, -0.042], rise: 0.002)
    let nose = LandmarkRegion.nose.lines
    put(nose[0], from: [0, 0.022], to: [0, -0.022], rise: 0)
    for (index, landmark) in nose[1].enumerated() where places[landmark] == nil {
      let angle = 2 * Double.pi * Double(index) / Double(nose[1].count - 1)
      places[landmark] = SIMD2(-0.014 * cos(angle), -0.014 - 0.006 * sin(angle))
    }
    places[129] = SIMD2(-0.017, -0.013)
    places[358] = SIMD2(0.017, -0.013)
    let contour = LandmarkRegion.faceOval.lines[0].dropLast()
    for (index, landmark) in contour.enumerated() {
      let angle = 2 * Double.pi * Double(index) / Double(contour.count)
      places[landmark] = SIMD2(0.066 * sin(angle), -0.002 + 0.085 * cos(angle))
    }
    let rest = places.indices.filter { places[$0] == nil }
    for (index, landmark) in rest.enumerated() {
      let radius = ((Double(index) + 0.5) / Double(rest.count)).squareRoot()
      let angle = Double(index) * Double.pi * (3 - 5.0.squareRoot())
      places[landmark] = SIMD2(0.06 * radius * cos(angle), 0.078 * radius * sin(angle))
    }
    return places.map { $0 ?? .zero }
  }()
}
