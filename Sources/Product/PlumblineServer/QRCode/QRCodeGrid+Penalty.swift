extension QRCodeGrid {
  /// How much there is in the code that readers confuse: the mask with the least is used.
  ///
  /// - Source: Section 7.8.3, Table 11, with its weights 3, 3, 40 and 10.
  var penalty: Int {
    var total = 0
    for index in 0..<size {
      total += Self.penalty(ofLine: (0..<size).map { isDark[index * size + $0] })
      total += Self.penalty(ofLine: (0..<size).map { isDark[$0 * size + index] })
    }
    for y in 1..<size {
      for x in 1..<size {
        let corner = y * size + x
        let dark = isDark[corner]
        if dark == isDark[corner - 1], dark == isDark[corner - size],
          dark == isDark[corner - size - 1]
        {
          total += 3
        }
      }
    }
    // Each full 5 % by which the share of dark modules is off one half.
    let excess = abs(2 * isDark.count { $0 } - isDark.count)
    return total + 10 * (10 * excess / isDark.count)
  }

  /// Five or more modules of one color, and what looks like a finder pattern.
  private static func penalty(ofLine line: [Bool]) -> Int {
    // Lengths of light and dark in turn, beginning with light, which may be none.
    var runs = [0]
    var isDark = false
    for module in line {
      if module != isDark {
        runs.append(0)
        isDark = module
      }
      runs[runs.count - 1] += 1
    }
    var total = runs.reduce(0) { $0 + ($1 >= 5 ? $1 - 2 : 0) }
    // Dark and light as 1 : 1 : 3 : 1 : 1, with light as wide as 4 on a side; the quiet zone is light.
    for middle in stride(from: 3, to: runs.count - 2, by: 2) where runs[middle] % 3 == 0 {
      let unit = runs[middle] / 3
      let arms = [runs[middle - 2], runs[middle - 1], runs[middle + 1], runs[middle + 2]]
      guard arms.allSatisfy({ $0 == unit }) else { continue }
      let isLightBefore = middle == 3 || runs[middle - 3] >= 4 * unit
      let isLightAfter = middle + 3 >= runs.count - 1 || runs[middle + 3] >= 4 * unit
      if isLightBefore || isLightAfter { total += 40 }
    }
    return total
  }
}
