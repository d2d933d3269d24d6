import CKernels
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

/// Each kernel beside the same sums in plain Swift and double precision.
@Suite struct FaceKernelTests {
  private func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float(generator.gaussian()) }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func verticesAreMeanAndModes(seed: UInt64) throws {
    let model = try SyntheticFaces.model()
    let shape = SyntheticFaces.shape(of: model, seed: seed)
    let fast = model.positions(of: shape)
    for (a, b) in zip(fast, model.positionsOneByOne(of: shape)) {
      // Sums of 21 products of up to 10 mm and a mean of up to 115 mm, in single precision: 0.1 µm.
      #expect(abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z) < 1e-7, "\(a) and \(b)")
    }
    #expect(model.positions(of: shape) == fast)
    #expect(model.positions(of: FaceShape(restingIn: model)) == model.mean)
  }

  @Test(arguments: [0, 8])
  func aRowIsTheDirectionThroughTheModes(first: Int) throws {
    let model = try SyntheticFaces.model()
    let direction: [Float] = [0.3, -0.7, 0.2]
    let before = numbers(model.stride - first, seed: 4)
    for vertex in [0, 417, model.vertexCount - 1] {
      var row = before
      plb_face_row(
        model.basis, Int32(model.stride), Int32(first), Int32(vertex), direction, &row)
      for k in first..<model.stride {
        let sum = (0..<3).reduce(Double(before[k - first])) {
          $0 + Double(direction[$1]) * Double(model.basis[(3 * vertex + $1) * model.stride + k])
        }
        // A few roundings of a number of order 1.
        #expect(abs(Double(row[k - first]) - sum) < 1e-6)
      }
    }
  }

  @Test(arguments: [0, 1, 7, 64])
  func rowsAccumulateToTheirProduct(count: Int) {
    let columns = 24
    let rows = numbers(count * columns, seed: 5)
    let before = numbers(columns * columns, seed: 6).map(Double.init)
    var matrix = before
    plb_face_accumulate(rows, Int32(count), Int32(columns), &matrix)
    var again = before
    plb_face_accumulate(rows, Int32(count), Int32(columns), &again)
    #expect(matrix == again)
    for i in 0..<columns {
      for j in 0..<columns {
        let place = i * columns + j
        guard j >= i / 8 * 8 else {
          #expect(matrix[place] == before[place])
          continue
        }
        let sum = (0..<count).reduce(before[place]) {
          $0 + Double(rows[$1 * columns + i]) * Double(rows[$1 * columns + j])
        }
        // 64 products of order 1 summed in single precision.
        #expect(abs(matrix[place] - sum) < 1e-4, "\(i), \(j)")
      }
    }
  }

  @Test(arguments: [1, 8, 13])
  func aVarianceIsTheSquareOfTheTriangleTimesTheRow(count: Int) {
    let stride = (count + 7) / 8 * 8
    var lower = [Float](repeating: 0, count: count * stride)
    let drawn = numbers(count * stride, seed: 7)
    for i in 0..<count {
      for k in 0...i { lower[i * stride + k] = drawn[i * stride + k] }
    }
    var row = numbers(stride, seed: 8)
    for k in count..<stride { row[k] = 0 }
    var total = 0.0
    for i in 0..<count {
      let sum = (0...i).reduce(0.0) { $0 + Double(lower[i * stride + $1]) * Double(row[$1]) }
      total += sum * sum
    }
    let found = plb_face_variance(lower, Int32(count), Int32(stride), row)
    // Single precision of each sum.
    #expect(abs(found - total) < 1e-5 * (1 + total))
  }

  @Test func lanesAreEightVectorsThatKnowNothingOfEachOther() {
    let count = 11
    let (a, b) = (numbers(8 * count, seed: 9), numbers(8 * count, seed: 10))
    let scales = numbers(count, seed: 11)
    let factors = SIMD8<Float>(numbers(8, seed: 12))
    let (x, y) = (LaneVectors(a), LaneVectors(b))
    let dots = x.dots(y)
    var (scaled, plus, turned) = (y, y, y)
    scaled.add(x, scaledBy: scales)
    plus.add(x, times: factors)
    turned.multiply(by: factors, adding: x)
    let alone = x.scaled(by: scales)
    for lane in 0..<8 {
      var sum = 0.0
      for place in 0..<count {
        let (p, q) = (Double(x[place, lane]), Double(y[place, lane]))
        let (s, f) = (Double(scales[place]), Double(factors[lane]))
        sum += p * q
        // Two roundings of numbers below 10.
        #expect(abs(Double(alone[place, lane]) - s * p) < 2e-6)
        #expect(abs(Double(scaled[place, lane]) - (q + s * p)) < 2e-6)
        #expect(abs(Double(plus[place, lane]) - (q + f * p)) < 2e-6)
        #expect(abs(Double(turned[place, lane]) - (f * q + p)) < 2e-6)
      }
      #expect(abs(dots[lane] - sum) < 1e-5)
    }
  }

  @Test func aSparseMatrixTimesLanes() {
    // Rows with no, one and three neighbors.
    let starts: [Int32] = [0, 0, 1, 4]
    let indices: [UInt32] = [2, 0, 1, 2]
    let (diagonal, weights) = (numbers(3, seed: 13), numbers(4, seed: 14))
    let x = numbers(24, seed: 15)
    var result = [Float](repeating: .nan, count: 24)
    plb_face_multiply(diagonal, starts, indices, weights, 3, x, &result)
    for row in 0..<3 {
      for lane in 0..<8 {
        var sum = Double(diagonal[row]) * Double(x[8 * row + lane])
        for place in Int(starts[row])..<Int(starts[row + 1]) {
          sum += Double(weights[place]) * Double(x[8 * Int(indices[place]) + lane])
        }
        // Four roundings of numbers below 10.
        #expect(abs(Double(result[8 * row + lane]) - sum) < 4e-6)
      }
    }
  }
}
