import PlumblineModel

/// A model that is known here: its card and its file.
package struct KnownModel: Sendable, Hashable {
  /// The model card, which is needed to use it.
  package var card: ModelCard
  /// The SHA-256 of the file, as 64 lowercase hexadecimal digits; `nil` where it is converted from
  /// weights that users bring.
  package var sha256: String?
  /// The size of the file in bytes; `nil` as for ``sha256``.
  package var byteCount: Int?
  /// The file names under which users may bring the model, each name for a different file.
  package var fileNames: [String]
  /// Where the file is fetched; `nil` for a model that users have to bring.
  package var source: ModelSource? = nil

  /// The known models.
  package static let all: [KnownModel] =
    [fastDepth, tcMonoDepth, fcrn] + depthAnything + [moge2Small, depthPro] + segmentation

  /// The known model of a name.
  package static func named(_ name: String) -> KnownModel? { all.first { $0.card.name == name } }

  /// The known file with a checksum.
  package static func with(sha256: String) -> KnownModel? { all.first { $0.sha256 == sha256 } }

  /// FastDepth, trained on NYU Depth v2.
  ///
  /// Its meters assume the camera of NYU Depth v2: 518.86 and 519.47 pixels at 640 × 480, reduced by
  /// 250/480, cropped to 304 × 228 and stretched to 224 × 224, which is 199.1 and 265.8 pixels.
  ///
  /// - Source: D. Wofk et al., *FastDepth*, ICRA 2019, and the loader of dwofk/fast-depth; N. Silberman
  ///   et al., *NYU Depth v2* toolbox, `camera_params.m`.
  package static let fastDepth: KnownModel = {
    var card = ModelCard(
      name: "fastdepth-nyu", title: "FastDepth, NYU Depth v2, 224 × 224", license: "MIT",
      origin: "github.com/dwofk/fast-depth, converted to ONNX by openmv/openmv",
      inputSize: RasterSize(width: 224, height: 224), layout: .nhwc, outputMeaning: .meters)
    card.assumedFocalPixels = 230
    card.publishedError = PublishedError(
      rmseMeters: 0.604, delta1: 0.771, data: "NYU Depth v2",
      source: "D. Wofk et al., FastDepth, ICRA 2019; README of dwofk/fast-depth")
    return KnownModel(
      card: card,
      sha256: "1d1e8d1195635f8605a8cd62a8f526d6041a574c58fcff9ac0794da513547605",
      byteCount: 5_459_876,
      fileNames: ["fastdepth_nyu_224_f32.onnx"])
  }()

  /// FCRN trained on NYU Depth v2, as it is converted from weights that users bring.
  ///
  /// Its meters assume the camera of NYU Depth v2 at half its size: 518.86/2 = 259.4 pixels.
  ///
  /// - Source: I. Laina et al., *Deeper Depth Prediction with Fully Convolutional Residual Networks*, 3DV
  ///   2016: images were halved, then cropped to 304 × 228.
  package static let fcrn: KnownModel = {
    var card = ModelCard(
      name: "fcrn-nyu", title: "FCRN (ResNet-50, up-projection), NYU Depth v2, 304 × 228",
      license: "see its origin; the weights are the user's own copy",
      origin: "github.com/iro-cp/FCRN-DepthPrediction, or Apple's FCRN.mlmodel",
      inputSize: RasterSize(width: 304, height: 228), layout: .nchw, outputMeaning: .meters)
    card.factor = 1
    card.assumedFocalPixels = 259.4
    card.publishedError = PublishedError(
      rmseMeters: 0.573, delta1: 0.811, data: "NYU Depth v2",
      source: "I. Laina et al., 3DV 2016, as the README of dwofk/fast-depth repeats it")
    return KnownModel(
      card: card, sha256: nil, byteCount: nil,
      fileNames: ["FCRN.mlmodel", "FCRNFP16.mlmodel", "NYU_ResNet-UpProj.npy"])
  }()

  /// TCMonoDepth, the small network.
  ///
  /// - Source: S. Li et al., *Enforcing Temporal Consistency in Video Depth Estimation*, ICCV Workshops
  ///   2021; yu-li/TCMonoDepth.
  package static let tcMonoDepth: KnownModel = {
    var card = ModelCard(
      name: "tcmonodepth-small", title: "TCMonoDepth small, 320 × 192", license: "MIT",
      origin: "github.com/yu-li/TCMonoDepth",
      inputSize: RasterSize(width: 320, height: 192), layout: .nchw,
      outputMeaning: .relativeInverse)
    card.factor = 1
    return KnownModel(
      card: card,
      sha256: "902b886beaebd3f68deb40bab2fd636a0c112c1ef1cbdd15fa26e5c55b389b4d",
      byteCount: 790_459,
      fileNames: ["tcmonodepth_small_192x320.onnx"])
  }()
}
