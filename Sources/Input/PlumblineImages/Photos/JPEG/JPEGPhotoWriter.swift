import PlumblineIO
import PlumblineModel

/// Writes JPEG photos with depth, and changes the depth of such files without changing their
/// pixels.
///
/// The layouts are described in `Documentation/formats/jpeg-mpf.md` and `gdepth-dynamic-depth.md`.
/// It was not tested whether Apple's or Google's software accepts these files.
package struct JPEGPhotoWriter: Sendable {
  /// The limits for reading the file that is changed.
  package var limits: ReadingLimits

  /// Creates a writer.
  package init(limits: ReadingLimits = ReadingLimits()) { self.limits = limits }

  /// A new file with a newly encoded image, followed by depth, mattes and gain map.
  ///
  /// Its metadata are copied byte for byte, except values that are no longer true.
  /// Exif's orientation is set to that of the photo, and its pixel dimensions, if present, to those
  /// of the image. XMP, including the extended packet, loses the properties about depth maps and
  /// videos appended to the photo. Without an ICC profile, a profile is made for a color space
  /// other than sRGB.
  ///
  /// - Parameters:
  ///   - photo: The contents to write.
  ///   - options: The coding; the layout applies only to the depth map.
  /// - Returns: The bytes of the file; one version of libjpeg-turbo gives the same bytes on every
  ///   run.
  /// - Throws: `.unrepresentable` for sides over 65,500 pixels, metadata over 64 kB and other
  ///   contents that the format cannot represent; `.unreadable` for a damaged packet or Exif block;
  ///   `.encoder`. O(*n*).
  package func bytes(
    of photo: PhotoContents, options: PhotoWritingOptions = PhotoWritingOptions()
  ) throws(PhotoWritingError) -> [UInt8] {
    var changes = JPEGPhotoChanges()
    changes.isNewFile = true
    changes.removesDepth = true
    if let gainMap = photo.gainMap {
      let further = photo.companions[.gainMap]
      changes.images.append(
        try JPEGAuxiliaryImage.image(
          gainMap.samples, options.companionCoding,
          packet: gainMap.isInISOFormAlone ? nil : ApplePhotoXMP().packet(for: gainMap, further),
          profile: photo.gainMapProfile, toneMapping: gainMap.toneMapping))
    }
    if let depth = photo.depth { try changes.add(depth, options) }
    for matte in photo.mattes {
      changes.images.append(
        try JPEGAuxiliaryImage.image(
          .uint8(matte.coverage), options.companionCoding,
          packet: ApplePhotoXMP().packet(
            for: matte.kind, photo.companions[.matte(matte.kind)])))
    }
    let metadata = photo.metadata
    if metadata.orientation != .up || metadata.exif != nil {
      changes.orientation = metadata.orientation
    }
    let image = try image(photo, quality: options.colorQuality)
    do {
      return try JPEGPhotoRewriter(image[...], limits: limits).rewritten(changes)
    } catch let error as PhotoWritingError {
      throw error
    } catch let error as CaptureReadingError {
      throw .unreadable(error)
    } catch {
      throw .encoder("\(error)")
    }
  }

  /// A file with a change applied and everything else copied: the compressed image, all other
  /// segments, all other images, unknown data and the data after the last image.
  ///
  /// The multi-picture index of the result is correct, even if its lengths or positions were wrong
  /// before, as in files of the iPhone X. If nothing else changes, a file with a correct index is
  /// returned byte for byte. Depth is removed from any layout; a replaced map is put at the
  /// position of the old one. An index without images to name is omitted.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - edit: The change.
  ///   - options: The depth map's layout and coding.
  /// - Returns: The changed file.
  /// - Throws: `.unreadable` for a file whose primary image has no end marker, and for damaged XMP
  ///   or Exif that must be changed; `.unrepresentable` as for a new file; `.encoder`. O(*n*).
  package func edited(
    _ bytes: [UInt8], _ edit: PhotoEdit, options: PhotoWritingOptions = PhotoWritingOptions()
  ) throws(PhotoWritingError) -> [UInt8] {
    var changes = JPEGPhotoChanges()
    changes.removesMattes = !edit.keepsMattes
    changes.removesGainMap = !edit.keepsGainMap
    changes.orientation = edit.orientation
    switch edit.depth {
    case .keep: break
    case .remove: changes.removesDepth = true
    case .replace(let depth):
      changes.removesDepth = true
      try changes.add(depth, options)
    }
    do {
      return try JPEGPhotoRewriter(bytes[...], limits: limits).rewritten(changes)
    } catch let error as PhotoWritingError {
      throw error
    } catch let error as CaptureReadingError {
      throw .unreadable(error)
    } catch {
      throw .encoder("\(error)")
    }
  }

  /// The primary image with its original metadata.
  private func image(_ photo: PhotoContents, quality: Int) throws(PhotoWritingError) -> [UInt8] {
    let longest = max(photo.color.width, photo.color.height)
    guard longest <= JPEGEncoder.maximumSide, photo.color.size.pixelCount > 0 else {
      throw .unrepresentable(
        format: "JPEG", place: "picture",
        expected: "sides from 1 to \(JPEGEncoder.maximumSide) pixels", found: "\(photo.color.size)")
    }
    let encoded: JPEGSegments
    do {
      encoded = JPEGSegments(try JPEGEncoder(quality: quality).encoded(photo.color))
    } catch {
      throw .encoder("\(error)")
    }
    var head: [UInt8] = encoded.start
    if let exif = photo.metadata.exif {
      var editing = try ExifEditing(exif)
      editing.setPixelSize(photo.color.size)
      // Exif comes first, as its specification requires; the JFIF segment adds no information.
      head =
        [0xFF, 0xD8]
        + (try JPEGAuxiliaryImage.segment(0xE1, Array("Exif\0\0".utf8) + editing.block, "Exif"))
    }
    if let xmp = photo.metadata.xmp { head += try JPEGAuxiliaryImage.xmpSegment(xmp) }
    if let extended = photo.metadata.extendedXMP {
      head += ExtendedXMP.segments(of: extended.bytes, guid: extended.guid)
    }
    if let profile = photo.metadata.profile {
      head += try JPEGAuxiliaryImage.profileSegments(profile)
    }
    if let numbers = photo.gainMap?.toneMapping {
      // The versions in the image state that a gain map follows (ISO 21496-1:2025 annex C).
      head += try JPEGAuxiliaryImage.toneMappingSegment(Array(numbers.prefix(4)))
    }
    return head + encoded.rest
  }
}

/// The changes of a JPEG photo, encoded and ready for insertion.
struct JPEGPhotoChanges {
  /// A map for one of Google's layouts.
  enum GoogleDepth {
    case gdepth(GoogleDepthImage)
    case dynamicDepth(GoogleDepthImage, CameraCalibration?)
  }

  var removesDepth = false
  var removesMattes = false
  var removesGainMap = false
  /// Whether the file is new, so that metadata about appended images do not apply to it.
  var isNewFile = false
  /// Complete images to append to the photo, found through the index.
  var images: [[UInt8]] = []
  var googleDepth: GoogleDepth?
  /// The provenance of depth that has no image of its own to contain it.
  var provenance: [ProvenanceStep] = []
  var orientation: ImageOrientation?

  /// Whether nothing changes except an incorrect index.
  var isEmpty: Bool {
    !removesDepth && !removesMattes && !removesGainMap && !isNewFile && images.isEmpty
      && googleDepth == nil && orientation == nil
  }

  /// Adds a map in the layout of the options.
  mutating func add(
    _ depth: PhotoDepth, _ options: PhotoWritingOptions
  ) throws(PhotoWritingError) {
    let depth = depth.ascending
    switch options.depthLayout {
    case .apple:
      images.append(
        try JPEGAuxiliaryImage.image(
          depth.codes, options.depthCoding, packet: ApplePhotoXMP().packet(for: depth)))
      return
    case .googleDepth:
      googleDepth = .gdepth(try GoogleDepthImage(depth, coding: options.depthCoding))
    case .dynamicDepth:
      googleDepth = .dynamicDepth(
        try GoogleDepthImage(depth, coding: options.depthCoding), depth.calibration)
    }
    provenance = depth.provenance
  }
}
