extension NamedPixel {
  /// Reads `X,Y`, a pixel of the photo as shown, or `depth:X,Y`, one of the depth map as stored.
  package init(parsing text: some StringProtocol) throws(SettingTextError) {
    let prefix = "depth:"
    let isDepth = text.hasPrefix(prefix)
    let numbers = NumberText.numbers(text.dropFirst(isDepth ? prefix.count : 0), between: ",")
    guard let numbers, numbers.count == 2 else {
      throw SettingTextError(
        "a pixel of the photo as shown, as in 1200,1600, or of the stored depth map, as in "
          + "depth:380,420", found: text)
    }
    self.init(isDepth ? .depth : .photo, [numbers[0], numbers[1]])
  }
}

extension MeasuredDistance {
  /// Reads a pixel and its distance in meters, such as `380,420=0.41` or `depth:380,420=0.41`.
  package init(parsing text: String) throws(SettingTextError) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let pixel = try? NamedPixel(parsing: sides[0]),
      let meters = Double(sides[1])
    else {
      throw SettingTextError(
        "the pixel first, then meters without a unit, as in 380,420=0.41 or depth:380,420=0.41",
        found: text)
    }
    // Nothing nearer than a millimeter is in focus, and its inverse would overflow in the end.
    guard (0.001...1000).contains(meters) else {
      throw SettingTextError("a distance between 0.001 and 1000 meters", found: text)
    }
    self.init(at: pixel, meters: meters)
  }
}
