import PlumblineNumerics
import Testing

@Suite struct MarquardtDampingTests {
  @Test("A cost that falls as predicted leaves a tenth; half of that fall changes nothing")
  func accepting() {
    var damping = MarquardtDamping(1e-2)
    damping.accept(ratio: 1)
    #expect(damping.value == 1e-2 * (1.0 / 10))
    damping.accept(ratio: 0.5)
    #expect(damping.value == 1e-2 * (1.0 / 10))
    // A fall that is far from the prediction doubles at most: 1 − (2·0 − 1)³ = 2.
    damping.accept(ratio: 0)
    #expect(damping.value == 2 * (1e-2 * (1.0 / 10)))
  }

  @Test("Failures in a row grow it by 2, 4 and 8; a success makes the next failure 2 again")
  func rejecting() {
    var damping = MarquardtDamping(1)
    for expected in [2.0, 8, 64] {
      damping.reject()
      #expect(damping.value == expected)
    }
    damping.accept(ratio: 0.5)
    damping.reject()
    #expect(damping.value == 128)
  }

  @Test("It never falls below the rounding of the diagonal")
  func floor() {
    var damping = MarquardtDamping(1e-11)
    for _ in 0..<5 { damping.accept(ratio: 1) }
    #expect(damping.value == 1e-12)
  }
}
