public import PlumblineIO
package import PlumblineModel

/// The options for writing a photo; the defaults lose nothing of the depth.
public struct PhotoWritingOptions: Sendable {
  /// The places where a JPEG file can keep its depth.
  public enum DepthLayout: String, Sendable, CaseIterable {
    /// An image of its own behind the image, found through the multi-picture index.
    case apple
    /// Google's GDepth: in the image's extended XMP.
    case googleDepth = "gdepth"
    /// Google's Dynamic Depth 1.0: behind the image, found through a directory in XMP.
    case dynamicDepth = "dynamic-depth"
  }

  /// How depth, mattes and gain maps are compressed where they are coded anew.
  public enum AuxiliaryCoding: Sendable, Hashable {
    /// Every code comes back as it was.
    case lossless
    /// As phones do; JPEG's quality, 1 to 100.
    case lossy(quality: Int)
  }

  /// The encoders for HEVC.
  public enum HEVCCoding: Sendable, Hashable {
    /// VideoToolbox on Apple's systems; elsewhere `x265` where it is installed, else none.
    case automatic
    /// The program `x265`, which must be there.
    case x265
    /// Apple's VideoToolbox, on whose systems alone it is; untried. It codes with loss only: what must
    /// lose nothing is not compressed. Its bytes may differ from device to device.
    case videoToolbox
    /// No compression at all: samples as they are (PCM); large, but possible everywhere.
    case raw
  }

  /// The place where JPEG keeps depth; HEIC has one only.
  public var depthLayout: DepthLayout
  /// The compression of depth where it is coded anew.
  public var depthCoding: AuxiliaryCoding
  /// The compression of mattes and gain maps where they are coded anew.
  public var companionCoding: AuxiliaryCoding
  /// The quality of the image where it is coded anew, 1 to 100, as JPEG counts; HEVC's quantizer is
  /// chosen to look alike.
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

/// A change of a photo file that touches none of its pixels: what else the file holds is copied byte
/// for byte.
package struct PhotoEdit: Sendable {
  /// The change to the depth map.
  package enum DepthChange: Sendable {
    /// It stays as it is, compressed bytes and all; none stays none.
    case keep
    /// The depth map is removed.
    case remove
    /// The depth map is replaced, or added.
    case replace(PhotoDepth)
  }

  /// What becomes of the depth map, in whatever layout the file has it.
  package var depth: DepthChange
  /// Whether the mattes stay.
  package var keepsMattes: Bool
  /// Whether the gain map stays.
  package var keepsGainMap: Bool
  /// How the photo shall be turned when it is shown; `nil` leaves it as it is.
  package var orientation: ImageOrientation?

  /// Creates a change that changes nothing.
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
  /// The format has no place for what it was given, such as an image of 70,000 pixels a side.
  case unrepresentable(format: String, place: String, expected: String, found: String)
  /// A program that codes images is absent or failed; `detail` says which and how.
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
