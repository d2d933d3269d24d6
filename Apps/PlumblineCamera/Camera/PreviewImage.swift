import CoreGraphics
import Foundation
import Plumbline
import SwiftUI

/// A small image, or black without one.
struct PreviewImage: View {
  let raster: Raster<RGB8>?
  let name: String

  var body: some View {
    if let image = raster?.image {
      Image(image, scale: 1, label: Text(name)).resizable().aspectRatio(contentMode: .fit)
    } else {
      Color.black.aspectRatio(0.75, contentMode: .fit).accessibilityLabel("No " + name)
    }
  }
}

extension Raster<RGB8> {
  /// The raster for the screen; `nil` where memory is short.
  var image: CGImage? {
    // Core Graphics has no pixels of 24 bits.
    guard
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 4 * width,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue),
      let memory = context.data
    else { return nil }
    let pixels = memory.bindMemory(to: UInt32.self, capacity: size.pixelCount)
    for (index, color) in packed.samples.prefix(size.pixelCount).enumerated() {
      let word = UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16
      pixels[index] = word.littleEndian
    }
    return context.makeImage()
  }
}
