import PlumblineModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How far an image is from the truth.
struct ImageError: Codable {
  /// The peak signal-to-noise ratio over all pixels and channels, in dB of 8-bit codes.
  var decibels: Double
  /// The mean absolute error of all channels within the zone of edges, in codes.
  var halo: Double
  /// The mean error within the zone, its sign kept: above 0 for a bright rim, in codes.
  var rim: Double
  /// The peak signal-to-noise ratio within the zone, in dB of 8-bit codes.
  var zoneDecibels: Double

  init(_ image: Raster<RGB8>, _ truth: Raster<RGB8>, _ zone: EdgeZone) {
    let (found, wanted) = (image.packed.samples, truth.packed.samples)
    func errors(_ index: Int) -> [Double] {
      let (a, b) = (found[index], wanted[index])
      return [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].map {
        Double($0) - Double($1)
      }
    }
    var squares = 0.0
    for index in wanted.indices { squares += errors(index).reduce(0) { $0 + $1 * $1 } }
    decibels = 10 * log10(255 * 255 * Double(3 * wanted.count) / squares)
    let count = Double(3 * max(zone.pixels.count, 1))
    var (sum, signed, zoneSquares) = (0.0, 0.0, 0.0)
    for index in zone.pixels {
      sum += errors(index).reduce(0) { $0 + abs($1) }
      signed += errors(index).reduce(0, +)
      zoneSquares += errors(index).reduce(0) { $0 + $1 * $1 }
    }
    halo = sum / count
    rim = signed / count
    zoneDecibels = 10 * log10(255 * 255 * count / zoneSquares)
  }
}
