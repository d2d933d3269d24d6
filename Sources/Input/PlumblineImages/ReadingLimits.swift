public import PlumblineIO
/// The limits of a reader for one capture; every limit is checked before memory is allocated.
///
/// With the defaults real 48-megapixel iPhone files pass easily (about 55 items, 54 tiles and more
/// than 48 references), and the crafted files of the test corpus are stopped.
public struct ReadingLimits: Sendable, Hashable {
  /// Bytes of one file held in memory; the maximum real capture seen has 75 MB (RAW excluded).
  public var fileBytes = 256 << 20
  /// Pixels of the color image; 48-megapixel phones and 128-megapixel panoramas pass.
  public var colorPixels = 128 << 20
  /// Pixels of one depth map, matte or gain map; no phone writes more than 13 million.
  public var auxiliaryPixels = 16 << 20
  /// Decoded bytes of all planes of one capture together, which limits memory for any combination.
  public var decodedBytes = 1 << 30
  /// Depth of `grid`, `iovl`, `iden` and `tmap` derivations; Apple's files use two.
  public var derivationDepth = 4
  /// Properties in `ipco`, counted separately from items, since items share them.
  public var items = 2_000
  /// Properties in `ipco`, counted apart from items since items share them.
  public var properties = 2_000
  /// References in one `iref` entry; a 48-megapixel grid needs 48 or more.
  public var references = 4_096
  /// Extents of one item; phones write one, streaming writers a few.
  public var extents = 64
  /// Brands of one ISO base-media file that are examined; real files have about eight.
  public var brands = 64
  /// Children of one box; a million empty boxes cost seconds otherwise.
  public var boxChildren = 10_000
  /// Bytes of one string in a box, such as an item name or content type.
  public var stringBytes = 64 << 10
  /// Bytes of one metadata block (Exif, XMP, or assembled extended XMP).
  public var metadataBytes = 16 << 20
  /// Entries in one Exif directory; cameras write fewer than 100.
  public var exifEntries = 1_000
  /// Nesting of XML elements; Apple's XMP needs six.
  public var xmlDepth = 64
  /// Attributes and elements of one XMP packet.
  public var xmlNodes = 100_000
  /// Attributes and elements of the XMP packet of one auxiliary image; Apple's has about 60.
  public var auxiliaryXMLNodes = 4_096
  /// Auxiliary images of one capture; iPhone 16 writes eight.
  public var auxiliaryImages = 32
  /// Segments and markers of one JPEG image; extended XMP of 16 MB needs 260.
  public var jpegSegments = 4_096
  /// Scans of one JPEG image; progressive cameras write about ten, decoding costs a pass each.
  public var jpegScans = 100
  /// The maximum number of pixels of a JPEG image that may declare more than its compressed data
  /// can contain, since it may be truncated.
  public var unbackedJPEGPixels = 4 << 20
  /// Images named by one multi-picture index or found by scanning.
  public var jpegImages = 64
  /// False start markers of images in one JPEG file; compressed data contain about one in 16 MB.
  public var jpegFalseStarts = 10_000
  /// The limits of one JSON text.
  public var json = JSONLimits()
  /// Bytes of a PLY header; real ones have less than 1 kB.
  public var plyHeaderBytes = 64 << 10
  /// Elements of a PLY file, and properties of one of them.
  public var plyElements = 256
  /// Points of one cloud, each of which costs 32 bytes of memory; a file of 256 MB has room for as many
  /// with color or ±.
  public var cloudPoints = 16 << 20
  /// Frames of one folder; ten minutes at 60 Hz pass.
  public var sequenceFrames = 36_000
  /// Motion samples of one recording; an hour at 200 Hz passes.
  public var motionSamples = 720_000
  /// Images of one video; an hour at 60 Hz passes.
  public var videoImages = 216_000
  /// Bytes of the index of a video (`moov`); ten minutes at 60 Hz have about 700 kB.
  public var videoIndexBytes = 32 << 20
  /// Bytes of one coded image of a video; a high-quality one of 12 megapixels has 5 MB.
  public var videoImageBytes = 64 << 20
  /// Messages of one MCAP file, each of which costs 24 bytes of memory; four hours of five topics
  /// at 60 Hz pass.
  public var mcapMessages = 4_500_000
  /// Bytes of the summary of an MCAP file; 60 GB in chunks of 512 kB need 16 MB.
  public var mcapSummaryBytes = 64 << 20
  /// Bytes of the chunks of one MCAP file that are cached.
  public var mcapCacheBytes = 32 << 20
  /// Files of one folder.
  public var folderFiles = 200_000
  /// Entries of one archive; 36,000 frames of three files each pass.
  public var archiveEntries = 200_000
  /// Bytes of all decompressed entries of one archive; they are never in memory together.
  public var archiveBytes = 64 << 30
  /// Bytes of one decompressed entry.
  public var archiveInflatedBytes = 1 << 30
  /// The maximum compression ratio of entries above ``archiveRatioBytes``.
  public var archiveRatio = 200
  /// Bytes that an entry may have at any compression ratio: a confidence map of 192×256 equal
  /// values compresses 756:1 with zlib level 6.
  public var archiveRatioBytes = 4 << 20
  /// Where third-party codecs decode; in this process, unless a caller sets workers.
  package var codecs = CodecIsolation.none

  /// The default limits.
  public init() {}

  /// Checks a count against its limit.
  ///
  /// - Throws: `.limitExceeded` with the name, the limit and the count.
  public func require(
    _ count: Int, atMost limit: Int, _ what: String, path: [String] = [], offset: Int? = nil
  ) throws(CaptureReadingError) {
    guard count <= limit else {
      throw CaptureReadingError(
        .limitExceeded, path: path, offset: offset,
        expected: "at most \(limit) \(what)", found: "\(count)")
    }
  }

  /// The number of pixels of an image; throws if it is empty, overflows or exceeds `limit`.
  public func pixelCount(
    width: Int, height: Int, atMost limit: Int, path: [String] = [], offset: Int? = nil
  ) throws(CaptureReadingError) -> Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= limit else {
      let isEmpty = width <= 0 || height <= 0
      throw CaptureReadingError(
        isEmpty ? .malformed : .limitExceeded, path: path, offset: offset,
        expected: isEmpty ? "a width and height above 0" : "at most \(limit) pixels",
        found: "\(width) × \(height)")
    }
    return count
  }
}
