import PlumblineModel

/// A pixel as a user names it: by the image that its numbers count in.
///
/// The center of the first pixel is (0, 0); columns count to the right, rows downward.
public struct NamedPixel: Hashable, Sendable {
  /// The images whose pixels can be named.
  public enum Space: String, Hashable, Sendable {
    /// The photo as it is shown, upright; for a capture without color, the depth map as it is shown.
    case photo
    /// The depth map as stored.
    case depth
  }

  /// The image.
  public var space: Space
  /// Column and row, not necessarily whole.
  public var place: SIMD2<Double>

  /// Creates a pixel.
  public init(_ space: Space, _ place: SIMD2<Double>) {
    self.space = space
    self.place = place
  }

  /// A pixel of the photo as shown.
  public static func photo(_ place: SIMD2<Double>) -> NamedPixel { NamedPixel(.photo, place) }

  /// A pixel of the depth map as stored.
  public static func depth(_ place: SIMD2<Double>) -> NamedPixel { NamedPixel(.depth, place) }
}

extension NamedPixel: CustomStringConvertible {
  /// The pixel as the command line writes it, such as `120,80` or `depth:60,40`.
  public var description: String {
    let numbers = [place.x, place.y].map { $0 == $0.rounded() ? $0.fixed(0) : $0.fixed(2) }
    return (space == .depth ? "depth:" : "") + numbers.joined(separator: ",")
  }
}
