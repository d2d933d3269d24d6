public import PlumblineIO
package import PlumblineModel

/// The options for writing a photo; the defaults are lossless for depth.
public struct PhotoWritingOptions: Sendable {
  /// The layouts in which a JPEG file can store depth.
  public enum DepthLayout: String, Sendable, CaseIterable {
    /// As a separate image after the photo, found through the multi-picture index.
    case apple
    /// Google's GDepth: in the image's extended XMP.
    case googleDepth = "gdepth"
    /// Google's Dynamic Depth 1.0: after the image, found through a directory in XMP.
    case dynamicDepth = "dynamic-depth"
  }

  /// The compression of depth, mattes and gain maps that are encoded anew.
  public enum AuxiliaryCoding: Sendable, Hashable {
    /// Lossless.
    case lossless
    /// Lossy like phones' files, with a JPEG quality of 1 to 100.
    case lossy(quality: Int)
  }

  /// The encoders for HEVC.
  public enum HEVCCoding: Sendable, Hashable {
    /// VideoToolbox on Apple's systems; elsewhere `x265` if it is installed, else none.
    case automatic
    /// The program `x265`, which must be installed.
    case x265
    /// Apple's VideoToolbox, only on Apple's systems; not tested. It is always lossy, so images
    /// that must be lossless are not compressed. Its bytes may differ between devices.
    case videoToolbox
    /// No compression: plain samples (PCM); large, but possible everywhere.
    case raw
  }

  /// The layout of depth in JPEG; HEIC has only one.
  public var depthLayout: DepthLayout
  /// The compression of depth that is encoded anew.
  public var depthCoding: AuxiliaryCoding
  /// The compression of mattes and gain maps that are encoded anew.
  public var companionCoding: AuxiliaryCoding
  /// The quality of an image that is encoded anew, 1 to 100 on JPEG's scale; HEVC's quantizer is
  /// chosen for similar quality.
  public var colorQuality: Int
  /// The encoder for HEVC.
  public var hevc: HEVCCoding
  /// The maximum number of threads; the result does not depend on it.
  public var threads: Int

  /// Creates the options.
  ///
  /// - Precondition: `colorQuality` is from 1 to 100 and there is at least one thread.
  public init(
    depthLayout: DepthLayout = .apple, depthCoding: AuxiliaryCoding = .lossless,
    companionCoding: AuxiliaryCoding = .lossy(quality: 90), colorQuality: Int = 92,
    hevc: HEVCCoding = .automatic, threads: Int = 2
  ) {
    precondition((1...100).contains(colorQuality), "a quality of \(colorQuality)")
    precondition(threads >= 1, "\(threads) threads cannot write")
    self.depthLayout = depthLayout
    self.depthCoding = depthCoding
    self.companionCoding = companionCoding
    self.colorQuality = colorQuality
    self.hevc = hevc
    self.threads = threads
  }
}

/// A change of a photo file that affects none of its pixels; all other data are copied byte for
/// byte.
package struct PhotoEdit: Sendable {
  /// The change to the depth map.
  package enum DepthChange: Sendable {
    /// The depth map stays unchanged, including its compressed bytes; without one, none is added.
    case keep
    /// The depth map is removed.
    case remove
    /// The depth map is replaced, or added.
    case replace(PhotoDepth)
  }

  /// The change of the depth map, in any layout.
  package var depth: DepthChange
  /// Whether the mattes stay.
  package var keepsMattes: Bool
  /// Whether the gain map stays.
  package var keepsGainMap: Bool
  /// The new orientation for display; `nil` to keep it.
  package var orientation: ImageOrientation?

  /// Creates a change without effect.
  package init() {
    depth = .keep
    keepsMattes = true
    keepsGainMap = true
  }
}

/// An error of writing a photo: its kind, what was expected and what was found.
public enum PhotoWritingError: Error, Sendable, Hashable {
  /// The file that was to be changed cannot be read.
  case unreadable(CaptureReadingError)
  /// The format cannot represent the contents, for example an image of 70,000 pixels a side.
  case unrepresentable(format: String, place: String, expected: String, found: String)
  /// A program for encoding images is missing or failed; `detail` says which and how.
  case encoder(String)
}

extension PhotoWritingError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .unrepresentable(let format, let place, let expected, let found):
      "cannot write \(format) at \(place): expected \(expected), found \(found)"
    case .encoder(let detail): "cannot code the image: \(detail)"
    }
  }
}
