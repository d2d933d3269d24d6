public import PlumblineImages
import PlumblineModel

/// The changes to a photo that `plumbline write` makes.
public struct PhotoWritingRequest: Sendable {
  /// The kinds of photo files that can be written.
  public enum Container: String, Sendable, CaseIterable {
    /// JPEG.
    case jpeg
    /// HEIC.
    case heic
  }

  /// Parts that can be taken out of a photo.
  public enum Part: String, Sendable, CaseIterable {
    /// The depth map, with its camera.
    case depth
    /// All mattes.
    case mattes
    /// The gain map.
    case gainMap = "gain-map"
  }

  /// The depth to write.
  public enum DepthSource: Sendable {
    /// The photo's own depth, unchanged.
    case own
    /// The photo's own, with what was wrong set right.
    case corrected(PhotoCorrection)
    /// Another map.
    case other(PhotoDepthSource)
  }

  /// What becomes of the depth.
  public var depth: DepthSource
  /// The quantity in which new depth is stored.
  public var quantity: PhotoDepth.Quantity
  /// Bits of each code of new depth: 8, as phones write, or 16.
  public var depthBits: Int
  /// How new depth is compressed; `nil` for what others can read with the least loss: in a JPEG of Apple's
  /// layout lossy at quality 100, which is within a code or two, elsewhere without any loss.
  public var depthCoding: PhotoWritingOptions.AuxiliaryCoding?
  /// The parts to remove from the photo.
  public var stripped: Set<Part>
  /// Crop, turn and size.
  public var framing: PhotoFraming
  /// The kind of file; `nil` for that of the photo.
  public var container: Container?
  /// Options of coding and layout.
  public var options: PhotoWritingOptions

  /// Creates a request that changes nothing.
  public init() {
    depth = .own
    depthCoding = nil
    quantity = .disparity
    depthBits = 8
    stripped = []
    framing = PhotoFraming()
    options = PhotoWritingOptions()
  }
}
