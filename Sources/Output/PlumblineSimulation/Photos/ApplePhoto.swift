import PlumblineImages
package import PlumblineModel

/// The contents of an iPhone's photo file, before it is written.
package struct ApplePhoto: Sendable {
  /// The depth or disparity map as stored.
  package struct DepthImage: Sendable {
    /// The codes.
    package var codes: Raster<UInt8>
    /// The conversion from codes to values.
    package var quantization: LinearQuantization
    /// Whether values are meters; otherwise they are 1/m.
    package var isDepth = false
    /// The accuracy that the file states.
    package var accuracy = DepthRecord.Accuracy.absolute
    /// Whether the file says that holes were filled.
    package var isFiltered = true
    /// The file's own rating.
    package var quality = "high"
    /// The calibration that the file states, at its own reference size; `nil` to omit it.
    package var calibration: CameraCalibration?

    /// Creates an image from its codes.
    package init(codes: Raster<UInt8>, quantization: LinearQuantization) {
      self.codes = codes
      self.quantization = quantization
    }

    /// Creates an image of a measurement, with its calibration at a reference size.
    package init(_ measurement: SensorMeasurement, calibration: CameraCalibration) {
      (codes, quantization) = measurement.quantized()
      accuracy = measurement.accuracy
      isFiltered = measurement.isFiltered
      self.calibration = calibration
    }

    /// The image as in photo files, with its range rounded to the six printed decimals.
    var stored: PhotoDepth {
      var range = quantization
      range.minimumValue = Self.sixDecimals(range.minimumValue)
      range.maximumValue = Self.sixDecimals(range.maximumValue)
      var depth = PhotoDepth(
        codes: .uint8(codes), quantization: range, quantity: isDepth ? .depth : .disparity)
      depth.accuracy = accuracy
      depth.isFiltered = isFiltered
      depth.quality = quality
      depth.calibration = calibration
      return depth
    }

    private static func sixDecimals(_ value: Double) -> Double {
      (value * 1_000_000).rounded(.toNearestOrEven) / 1_000_000
    }
  }

  /// The color image as stored.
  package var color: Raster<RGB8>
  /// Its EXIF fields.
  package var exif: PhotoExif
  /// The depth map; `nil` for none.
  package var depth: DepthImage?
  /// The portrait matte; `nil` for none.
  package var portraitMatte: Raster<UInt8>?
  /// The gain map; `nil` for none.
  package var gainMap: Raster<UInt8>?

  /// Creates a photo without depth.
  package init(color: Raster<RGB8>, exif: PhotoExif = PhotoExif()) {
    self.color = color
    self.exif = exif
  }
}

/// The EXIF fields that a simulated photo carries.
package struct PhotoExif: Sendable {
  /// The description of the image, which states that it is synthetic.
  package var imageDescription: String
  /// The maker.
  package var make: String
  /// The model.
  package var model: String
  /// The lens.
  package var lensModel: String
  /// The writing software.
  package var software: String
  /// The time of capture in EXIF's form: `YYYY:MM:DD HH:MM:SS`.
  package var dateTimeOriginal: String
  /// The orientation of the image: the rotation or mirroring that makes it upright.
  package var orientation: ImageOrientation
  /// The focal length in hundredths of a millimeter.
  package var focalLengthHundredths: UInt32

  /// Creates the fields of a synthetic front-camera portrait.
  package init(
    model: String = "iPhone 12", lensModel: String? = nil, orientation: ImageOrientation = .up,
    dateTimeOriginal: String = "2021:06:01 12:00:00"
  ) {
    imageDescription = "Synthetic: rendered by the Plumbline simulator, not taken by a device"
    make = "Apple"
    self.model = model
    self.lensModel = lensModel ?? "\(model) front TrueDepth camera 2.71mm f/2.2"
    software = "Plumbline simulator"
    self.dateTimeOriginal = dateTimeOriginal
    self.orientation = orientation
    focalLengthHundredths = 271
  }

  /// The APP1 payload: `Exif`, two zero bytes, and the TIFF structure.
  ///
  /// - Source: CIPA DC-008 (Exif 2.32), tables of tags.
  func segment(size: RasterSize) -> [UInt8] {
    let exif: [UInt16: TIFFBuilder.Value] = [
      0x9000: .undefined(Array("0232".utf8)),
      0x9003: .ascii(dateTimeOriginal),
      0x9004: .ascii(dateTimeOriginal),
      // Components Y, Cb, Cr in this order.
      0x9101: .undefined([1, 2, 3, 0]),
      0x920A: .rational([(focalLengthHundredths, UInt32(100))]),
      0xA000: .undefined(Array("0100".utf8)),
      0xA001: .short([1]),
      0xA002: .long([UInt32(size.width)]),
      0xA003: .long([UInt32(size.height)]),
      0xA433: .ascii(make),
      0xA434: .ascii(lensModel),
    ]
    let builder = TIFFBuilder(entries: [
      0x010E: .ascii(imageDescription),
      0x010F: .ascii(make),
      0x0110: .ascii(model),
      0x0112: .short([UInt16(orientation.rawValue)]),
      0x011A: .rational([(72, 1)]),
      0x011B: .rational([(72, 1)]),
      0x0128: .short([2]),
      0x0131: .ascii(software),
      0x0132: .ascii(dateTimeOriginal),
      0x0213: .short([1]),
      0x8769: .directory(exif),
    ])
    return Array("Exif\0\0".utf8) + builder.bytes
  }
}
