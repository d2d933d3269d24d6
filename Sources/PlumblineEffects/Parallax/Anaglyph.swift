internal import CKernels
public import PlumblineModel

extension StereoViews {
  /// One image for red-cyan glasses, red on the left eye; O(*n*).
  ///
  /// The matrix is the least-squares fit, in linear light, of what both eyes see through such glasses.
  /// - Source: Dubois, *A projection method to generate anaglyph stereo images*, ICASSP 2001; numbers
  ///   of Dubois, *Conversion of a stereo pair to anaglyph with the least-squares projection method*,
  ///   March 2009, as dolphin-emu's `dubois.glsl` and Camera3D's `AnaglyphConstants.java` quote them.
  /// - Precondition: Both views have one size.
  public func anaglyph(threads: Int = 2) -> Raster<RGB8> {
    precondition(left.size == right.size, "views of \(left.size) and \(right.size)")
    let light = LinearLight.shared
    let full = Raster(size: left.size, repeating: UInt8(255))
    let right = self.right.packed
    return right.samples.withUnsafeBytes { right in
      nonisolated(unsafe) let right = right
      return ImageMixing.mix(left, full, threads: threads) { left, _, first, count, target in
        guard let right = right.bindMemory(to: UInt8.self).baseAddress else { return }
        plb_parallax_anaglyph(
          left, right + 3 * first, count, Self.redCyanThousandths, light.linear, light.codes, target
        )
      }
    }
  }

  /// Rows: red, green and blue of the result; columns: red, green and blue of left, then of right.
  private static let redCyanThousandths: [Int32] = [
    437, 449, 164, -11, -32, -7,
    -62, -62, -24, 377, 761, 9,
    -48, -50, -17, -26, -93, 1234,
  ]
}
