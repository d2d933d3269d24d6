import PlumblineModel

extension KnownModel {
  /// The networks of Depth Anything that can be fetched.
  ///
  /// - Source: DepthAnything/Depth-Anything-V2 and ByteDance-Seed/Depth-Anything-3 on GitHub for licenses,
  ///   input and output; the ONNX files are exports by others, as each ``ModelCard/origin`` says.
  package static var depthAnything: [KnownModel] {
    [
      depthAnything2Small, depthAnything2Indoor, depthAnything2Outdoor, depthAnything3Small,
      depthAnything3Metric,
    ]
  }

  /// A file of Hugging Face at a commit, and its mirror.
  ///
  /// - Source: the README of ByteDance-Seed/Depth-Anything-3 names the mirror.
  static func huggingFace(_ path: String) -> [String] {
    ["https://huggingface.co/\(path)", "https://hf-mirror.com/\(path)"]
  }

  /// ImageNet's mean and deviation, after division by 255.
  static func normalize(_ card: inout ModelCard) {
    card.mean = SIMD3(0.485, 0.456, 0.406)
    card.deviation = SIMD3(0.229, 0.224, 0.225)
  }

  /// The holders of the rights in Depth Anything V2, as its README lists the authors.
  private static let authors2 = "2024 the authors of Depth Anything V2 (HKU and TikTok)"
  /// Those of Depth Anything 3.
  private static let authors3 = "2025 the authors of Depth Anything 3 (ByteDance Seed)"

  /// Depth Anything V2 small: relative inverse depth.
  ///
  /// - Source: checksum and size of the page of `onnx/model.onnx` on Hugging Face, read on 2026-11-28.
  package static let depthAnything2Small: KnownModel = {
    var card = ModelCard(
      name: "depth-anything-v2-small", title: "Depth Anything V2 small, 518 × 518",
      license: "Apache-2.0", origin: "huggingface.co/onnx-community/depth-anything-v2-small",
      inputSize: RasterSize(width: 518, height: 518), layout: .nchw,
      outputMeaning: .relativeInverse)
    normalize(&card)
    card.outputName = "predicted_depth"
    return fetched(
      card,
      from: huggingFace(
        "onnx-community/depth-anything-v2-small/resolve/4472b7362082ad9968fee890ca0f1e5aca36b93d"
          + "/onnx/model.onnx"),
      sha256: "afb6a5c28f3b6bf1618c6e43f02073ef9dfdc70e937502d51603e57b0a1df10c",
      byteCount: 99_060_839, checksumOrigin: "the file's page on huggingface.co",
      license: .apache2(authors2))
  }()

  /// Depth Anything V2 small, trained for meters indoors (Hypersim, to 20 m).
  ///
  /// Training scaled Hypersim's 1024 × 768 to 518 rows, kept the shape and cropped: its meters assume
  /// 886.81 · 518/768 = 598 pixels.
  ///
  /// - Source: metric_depth/dataset/hypersim.py of DepthAnything/Depth-Anything-V2. The checksum is the same in three public
  ///   repositories that pin this file of the release v2.0.0 of fabio-sim/Depth-Anything-ONNX; its author
  ///   states none.
  package static let depthAnything2Indoor: KnownModel = {
    var card = ModelCard(
      name: "depth-anything-v2-indoor-small",
      title: "Depth Anything V2 small, meters indoors (Hypersim), 686 × 518",
      license: "Apache-2.0", origin: "github.com/fabio-sim/Depth-Anything-ONNX, release v2.0.0",
      inputSize: RasterSize(width: 686, height: 518), layout: .nchw, outputMeaning: .meters)
    normalize(&card)
    card.placement = .scaleFit
    card.outputName = "depth"
    card.assumedFocalPixels = 598
    return fetched(
      card, from: [fabio("depth_anything_v2_vits_indoor_dynamic.onnx")],
      sha256: "2e25a3f332b34d885a1b3059cab471f7916a36099325810821b2d6e0471f74ad",
      checksumOrigin: "three repositories that pin the file; not stated by its author",
      license: .apache2(authors2))
  }()

  /// Depth Anything V2 small, trained for meters outdoors (Virtual KITTI 2, to 80 m).
  ///
  /// Its meters assume the camera of Virtual KITTI 2, 725 pixels at 1242 × 375, scaled to 518 rows with its
  /// shape kept: 725 · 518/375 = 1001 pixels. No checksum of the file was found.
  ///
  /// - Source: metric_depth/dataset/vkitti2.py of DepthAnything/Depth-Anything-V2; the 725 pixels are from
  ///   memory.
  package static let depthAnything2Outdoor: KnownModel = {
    var card = ModelCard(
      name: "depth-anything-v2-outdoor-small",
      title: "Depth Anything V2 small, meters outdoors (Virtual KITTI 2), 686 × 518",
      license: "Apache-2.0", origin: "github.com/fabio-sim/Depth-Anything-ONNX, release v2.0.0",
      inputSize: RasterSize(width: 686, height: 518), layout: .nchw, outputMeaning: .meters)
    normalize(&card)
    card.placement = .scaleFit
    card.outputName = "depth"
    card.assumedFocalPixels = 1001
    return fetched(
      card, from: [fabio("depth_anything_v2_vits_outdoor_dynamic.onnx")],
      license: .apache2(authors2))
  }()

  /// Depth Anything 3 small, one image: relative depth.
  ///
  /// Its export takes codes and normalizes itself.
  ///
  /// - Source: size and checksum of one public repository that pins the file; the input by the export's
  ///   description (`--fold-preprocess`).
  package static let depthAnything3Small: KnownModel = {
    var card = ModelCard(
      name: "depth-anything-3-small", title: "Depth Anything 3 small, 518 × 518",
      license: "Apache-2.0", origin: "huggingface.co/zerochocobo/DepthAnything3_ONNX",
      inputSize: RasterSize(width: 518, height: 518), layout: .nhwc,
      outputMeaning: .relativeDepth)
    card.factor = 1
    card.outputName = "depth"
    return fetched(
      card, from: huggingFace("zerochocobo/DepthAnything3_ONNX/resolve/main/da3_small.onnx"),
      sha256: "d659ca25f1c665d5c064a64294d5fd0303e456aa94bf224a7777d9682cac7a39",
      byteCount: 100_704_575,
      checksumOrigin: "one repository that pins the file; not stated by its author",
      license: .apache2(authors3))
  }()

  /// Depth Anything 3 metric (large): meters for a focal length of 300 pixels of the input.
  ///
  /// - Source: the FAQ in the README of ByteDance-Seed/Depth-Anything-3: meters are the output times the
  ///   focal length over 300. The input's size is fixed in the export. No checksum was found. The published
  ///   error is that of the authors' weights; this export with its small input was not measured.
  package static let depthAnything3Metric: KnownModel = {
    var card = ModelCard(
      name: "depth-anything-3-metric", title: "Depth Anything 3 metric (large), 504 × 280",
      license: "Apache-2.0", origin: "huggingface.co/TillBeemelmanns/Depth-Anything-V3-ONNX",
      inputSize: RasterSize(width: 504, height: 280), layout: .nchw, outputMeaning: .meters)
    normalize(&card)
    card.outputName = "depth"
    card.assumedFocalPixels = 300
    card.publishedError = PublishedError(
      absoluteRelative: 0.105, delta1: 0.973, data: "SUN RGB-D",
      source: "H. Lin et al., Depth Anything 3, arXiv:2511.10647v1, table 11")
    return fetched(
      card,
      from: huggingFace(
        "TillBeemelmanns/Depth-Anything-V3-ONNX/resolve/main/DA3METRIC-LARGE.onnx"),
      license: .apache2(authors3))
  }()

  private static func fabio(_ file: String) -> String {
    "https://github.com/fabio-sim/Depth-Anything-ONNX/releases/download/v2.0.0/\(file)"
  }

  /// A model that is fetched.
  static func fetched(
    _ card: ModelCard, from addresses: [String], sha256: String? = nil, byteCount: Int? = nil,
    checksumOrigin: String? = nil, license: ModelLicense
  ) -> KnownModel {
    KnownModel(
      card: card, sha256: sha256, byteCount: byteCount, fileNames: [],
      source: ModelSource(
        addresses: addresses, sha256: sha256, byteCount: byteCount,
        checksumOrigin: checksumOrigin, license: license))
  }
}
