public import PlumblineModel

/// A change of a photo file that touches none of its pixels: what else the file holds is copied byte
/// for byte.
public struct PhotoEdit: Sendable {
  /// The change to the depth map.
  public enum DepthChange: Sendable {
    /// It stays as it is, compressed bytes and all; none stays none.
    case keep
    /// The depth map is removed.
    case remove
    /// The depth map is replaced, or added.
    case replace(PhotoDepth)
  }

  /// What becomes of the depth map, in whatever layout the file has it.
  public var depth: DepthChange
  /// Whether the mattes stay.
  public var keepsMattes: Bool
  /// Whether the gain map stays.
  public var keepsGainMap: Bool
  /// How the photo shall be turned when it is shown; `nil` leaves it as it is.
  public var orientation: ImageOrientation?

  /// Creates a change that changes nothing.
  public init() {
    depth = .keep
    keepsMattes = true
    keepsGainMap = true
  }
}
