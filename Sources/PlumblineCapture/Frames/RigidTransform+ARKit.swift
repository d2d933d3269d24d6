public import PlumblineModel

extension RigidTransform {
  /// `worldFromCamera` out of `ARCamera.transform`: camera x right, y **up**, z **backward** in the
  /// sensor's landscape become x right, y down, z forward.
  ///
  /// - Source: Apple, *ARCamera.transform*; `T_cv = T_gl · diag(1, −1, −1, 1)`.
  /// - Parameter columns: Four columns of four, as `simd_float4x4.columns`.
  public init(
    arkitTransform columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  ) {
    func axis(_ column: SIMD4<Float>, _ sign: Double) -> SIMD3<Double> {
      SIMD3(Double(column.x), Double(column.y), Double(column.z)) * sign
    }
    self.init(
      rotation: Rotation(x: axis(columns.0, 1), y: axis(columns.1, -1), z: axis(columns.2, -1)),
      translation: axis(columns.3, 1))
  }
}
