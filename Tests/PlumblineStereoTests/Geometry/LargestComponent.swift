/// The largest distance of a component from 0.
func largest<Vector: SIMD>(_ vector: Vector) -> Double where Vector.Scalar == Double {
  vector.indices.reduce(0) { max($0, abs(vector[$1])) }
}
