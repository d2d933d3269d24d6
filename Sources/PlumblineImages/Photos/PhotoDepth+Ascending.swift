internal import PlumblineModel

extension PhotoDepth {
  /// The same map with values that ascend with codes, as Apple's files demand: where they descend,
  /// as in Google's, each code is replaced by its mirror image.
  ///
  /// The values stay what they are but for the last bit of a double. O(*n*).
  package var ascending: PhotoDepth {
    guard quantization.minimumValue > quantization.maximumValue else { return self }
    let (low, high) = (quantization.minimumCode, quantization.maximumCode)
    func mirrored(_ code: Int) -> Int { min(max(low + high - code, 0), codes.maximumCode) }
    var copy = self
    switch codes {
    case .uint8(let raster):
      let table = (0...255).map { UInt8(mirrored($0)) }
      copy.codes = .uint8(raster.map { table[Int($0)] })
    case .uint16(let raster, let bitDepth):
      copy.codes = .uint16(raster.map { UInt16(mirrored(Int($0))) }, bitDepth: bitDepth)
    }
    copy.quantization = LinearQuantization(
      minimumCode: low, maximumCode: high, minimumValue: quantization.maximumValue,
      maximumValue: quantization.minimumValue)
    return copy
  }
}
