import PlumblineModel

extension KnownModel {
  /// MoGe-2 small with normals: a map of points in meters, by the authors' own ONNX file.
  ///
  /// The input of 644 × 476 pixels has the shape of most photos, and 46 × 34 patches of 14 pixels, 1564 of
  /// the 1200 to 3600 with which it was trained.
  ///
  /// - Source: docs/onnx.md and moge/model/v2.py of microsoft/MoGe; size and checksum of three public
  ///   repositories that pin the file at this commit; the published file calls the scale `scale`.
  package static let moge2Small: KnownModel = {
    var card = ModelCard(
      name: "moge-2-small", title: "MoGe-2 small (ViT-S, normals), 644 × 476", license: "MIT",
      origin: "huggingface.co/Ruicheng/moge-2-vits-normal-onnx",
      inputSize: RasterSize(width: 644, height: 476), layout: .nchw,
      outputMeaning: .affinePoints)
    card.constants = [ModelCard.ConstantInput(name: "num_tokens", value: 1564)]
    card.placement = .scaleFit
    card.outputName = "points"
    card.maskOutputName = "mask"
    card.scaleOutputName = "scale"
    return fetched(
      card,
      from: huggingFace(
        "Ruicheng/moge-2-vits-normal-onnx/resolve/e50ffda41565591092adea54c6ac83d6212e1e23"
          + "/model.onnx"),
      sha256: "24eacb5dc7a2c54c7bc98f7de085ffbed79ad006ea5b664c2c2cdc02ff3a52f0",
      byteCount: 140_852_051,
      checksumOrigin: "three repositories that pin the file; not stated by its author",
      license: .mit("Microsoft Corporation (MoGe); the encoder DINOv2 is Apache-2.0, Meta AI"))
  }()

  /// Depth Pro in half floats: meters and the focal length.
  ///
  /// - Source: apple/ml-depth-pro for size and normalization; the export's page on Hugging Face for files.
  ///   No checksum of the file was found. The published error is that of the authors' weights with the focal
  ///   length of the model's own estimate; this export in half floats was not measured.
  package static let depthPro: KnownModel = {
    var card = ModelCard(
      name: "depth-pro", title: "Depth Pro, half floats, 1536 × 1536",
      license: "Apple's own; see the text", origin: "huggingface.co/onnx-community/DepthPro-ONNX",
      inputSize: RasterSize(width: 1536, height: 1536), layout: .nchw, outputMeaning: .meters)
    card.mean = SIMD3(repeating: 0.5)
    card.deviation = SIMD3(repeating: 0.5)
    card.outputName = "predicted_depth"
    card.focalOutputName = "focallength_px"
    card.publishedError = PublishedError(
      absoluteRelative: 0.113, delta1: 0.890, data: "SUN RGB-D (5050 images, to 10 m)",
      source: "A. Bochkovskii et al., Depth Pro, arXiv:2410.02073v2, tables 1 and 4")
    return fetched(
      card,
      from: huggingFace(
        "onnx-community/DepthPro-ONNX/resolve/0fb46fadde862e9b7e4e735eed1e99ea69780920"
          + "/onnx/model_fp16.onnx"),
      license: ModelLicense(
        name: "Apple's own",
        text: """
          The weights of Depth Pro are under a license of Apple Inc. that is not an open source license. \
          What it allows is stated in two ways: the repository has the Apple Sample Code License, the \
          page of the weights has a license for research purposes. Read both, and use the weights only \
          as they allow:

              https://github.com/apple/ml-depth-pro/blob/main/LICENSE
              https://huggingface.co/apple/DepthPro/blob/main/LICENSE
          """, needsAcceptance: true))
  }()
}
