import Foundation
import PlumblineModel
import PlumblineVision

/// How far a measured camera puts rays from where they truly are, a turn of the camera taken out.
struct ProjectionError {
  private let measured: CameraModel
  private let device: SimulatedDevice
  private let turn: Rotation

  /// Finds the turn that explains the middle of the image best, by three steps of Gauss and Newton.
  init(_ measured: CameraModel, of device: SimulatedDevice) {
    let truth = device.truth
    self.measured = measured
    self.device = device
    let center = truth.intrinsics.principalPoint
    let focal = truth.intrinsics.focalLength.x
    var turn = SIMD3<Double>.zero
    for _ in 0..<3 {
      var normal = Rotation(x: .zero, y: .zero, z: .zero)
      var side = SIMD3<Double>.zero
      for step in 0..<169 {
        let offset = SIMD2(Double(step % 13 - 6), Double(step / 13 - 6)) / 6 * 200
        guard (offset * offset).sum() <= 200 * 200,
          let ray = truth.unproject(center + offset),
          let seen = measured.project(Self.turned(SIMD3(ray, 1), turn))
        else { continue }
        let miss = center + offset + device.bend(at: center + offset) - seen
        // The change of a pinhole's pixel by a small turn about x, y and z.
        let x = SIMD3(ray.x * ray.y, -(1 + ray.x * ray.x), ray.y) * -focal
        let y = SIMD3(1 + ray.y * ray.y, -ray.x * ray.y, -ray.x) * -focal
        normal.x += x * x.x + y * y.x
        normal.y += x * x.y + y * y.y
        normal.z += x * x.z + y * y.z
        side += x * miss.x + y * miss.y
      }
      turn += Self.solution(normal, side)
    }
    self.turn = Rotation(axisAngle: turn) ?? .identity
  }

  private static func turned(_ ray: SIMD3<Double>, _ turn: SIMD3<Double>) -> SIMD3<Double> {
    (Rotation(axisAngle: turn) ?? .identity) * ray
  }

  private static func solution(_ matrix: Rotation, _ side: SIMD3<Double>) -> SIMD3<Double> {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let determinant = (matrix.x * cross(matrix.y, matrix.z)).sum()
    guard abs(determinant) > 1e-9 else { return .zero }
    return SIMD3(
      (side * cross(matrix.y, matrix.z)).sum(), (matrix.x * cross(side, matrix.z)).sum(),
      (matrix.x * cross(matrix.y, side)).sum()) / determinant
  }

  /// The radial error at a share of the half diagonal toward one of the four corners, with its ±.
  func radial(
    _ share: Double, _ step: Int, _ projection: ProjectionUncertainty
  ) -> (error: Double, one: Double)? {
    let truth = device.truth
    let size = truth.intrinsics.size
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let radius = share * (middle * middle).sum().squareRoot()
    let corner = middle * SIMD2(step % 2 == 0 ? 1 : -1, step / 2 == 0 ? 1 : -1)
    let direction = corner / (corner * corner).sum().squareRoot()
    let pixel = middle + direction * radius
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(size.width), pixel.y < Double(size.height),
      let ray = truth.unproject(pixel), let seen = measured.project(turn * SIMD3(ray, 1))
    else { return nil }
    let place = (pixel + 0.5) / SIMD2(Double(size.width), Double(size.height))
    let miss = seen - pixel - device.bend(at: pixel)
    return ((miss * direction).sum(), projection.sigmaShare(at: place) * Double(size.width))
  }
}
