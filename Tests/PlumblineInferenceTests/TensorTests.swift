import PlumblineInference
import Testing

@Suite struct TensorTests {
  @Test func aShapeSaysHowManyNumbersThereAre() {
    let tensor = Tensor(shape: [1, 2, 3], values: Array(repeating: 0.5, count: 6))
    #expect(tensor.values.count == tensor.shape.reduce(1, *))
  }
}
