import PlumblineIO
import PlumblineModel

/// Writes JPEG photos with depth, and changes the depth of such files without touching their pixels.
///
/// The layouts are those of `Documentation/formats/jpeg-mpf.md` and `gdepth-dynamic-depth.md`. Whether
/// Apple's or Google's software takes what is written here has not been tried.
package struct JPEGPhotoWriter: Sendable {
  /// The limits of memory and work for reading the file that is changed.
  package var limits: ReadingLimits

  /// Creates a writer.
  package init(limits: ReadingLimits = ReadingLimits()) { self.limits = limits }

  /// A new file: the image coded anew, its metadata byte for byte but for what is no longer true, and
  /// depth, mattes and gain map behind it.
  ///
  /// Exif's orientation becomes that of the photo, and its pixel dimensions, where it has them, become
  /// those of the image. XMP, the extended packet too, loses what it says of depth maps and videos behind
  /// the photo. Without an ICC profile, one is made for a color space that is not sRGB.
  ///
  /// - Parameters:
  ///   - photo: What to write.
  ///   - options: How; the layout holds for the depth map alone.
  /// - Returns: The bytes of the file; the same on every run with one version of libjpeg-turbo.
  /// - Throws: `.unrepresentable` for sides over 65,500 pixels, metadata over 64 kB and what else the
  ///   format cannot hold; `.unreadable` for a damaged packet or Exif block; `.encoder`. O(*n*).
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

  /// A file with a change made and everything else copied: the compressed image, every other segment,
  /// every other image, what no one knows and what follows the last image.
  ///
  /// Whatever changes, the multi-picture index comes out right, also where it was wrong about lengths or
  /// positions before, as in files of the iPhone X. A file whose index is right comes back byte for byte
  /// when nothing else is asked. Depth is removed in whatever layout the file has it; a replaced map
  /// takes the place of the old one. An index with no image left to name is left out.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - edit: The change.
  ///   - options: The depth map's layout and coding.
  /// - Returns: The changed file.
  /// - Throws: `.unreadable` for a file whose primary image has no end, and for damaged XMP or Exif
  ///   where it must change; `.unrepresentable` as for a new file; `.encoder`. O(*n*).
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

  /// The primary image with its metadata as they came.
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
      // Exif stands first, as it demands; JFIF's segment says nothing that it does not.
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
      // The image says by the versions that a gain map follows (ISO 21496-1:2025 annex C).
      head += try JPEGAuxiliaryImage.toneMappingSegment(Array(numbers.prefix(4)))
    }
    return head + encoded.rest
  }
}

/// What becomes of a JPEG photo, coded and ready to be put in.
struct JPEGPhotoChanges {
  /// A map for one of Google's layouts.
  enum GoogleDepth {
    case gdepth(GoogleDepthImage)
    case dynamicDepth(GoogleDepthImage, CameraCalibration?)
  }

  var removesDepth = false
  var removesMattes = false
  var removesGainMap = false
  /// Whether the file is new, so that what its metadata say of images behind it is not true of it.
  var isNewFile = false
  /// Complete images to stand behind the photo, found through the index.
  var images: [[UInt8]] = []
  var googleDepth: GoogleDepth?
  /// What was done to depth that has no image of its own to say it.
  var provenance: [ProvenanceStep] = []
  var orientation: ImageOrientation?

  /// Whether nothing changes but an index that is wrong.
  var isEmpty: Bool {
    !removesDepth && !removesMattes && !removesGainMap && !isNewFile && images.isEmpty
      && googleDepth == nil && orientation == nil
  }

  /// Puts a map into the layout that the options name.
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
