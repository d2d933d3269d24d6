import PlumblineModel

extension KnownModel {
  /// The networks that say what of an image is in front.
  package static var segmentation: [KnownModel] {
    [u2netSmall, modnet, selfieMulticlass, biRefNetLite]
  }

  /// U²-Net small: whatever stands out, people or not.
  ///
  /// - Source: rembg/sessions/u2netp.py and base.py of danielgatis/rembg for address, MD5, size of the input and
  ///   normalization; size and SHA-256 are the same in more than three public repositories that pin the file.
  ///   rembg divides by the image's own maximum instead of 255, and stretches the output to 0…1; neither is
  ///   done here.
  package static let u2netSmall: KnownModel = {
    var card = ModelCard(
      name: "u2netp", title: "U²-Net small (salient objects), 320 × 320", license: "Apache-2.0",
      origin: "github.com/danielgatis/rembg, release v0.0.0, of xuebinqin/U-2-Net",
      inputSize: RasterSize(width: 320, height: 320), layout: .nchw,
      outputMeaning: .foregroundProbability)
    normalize(&card)
    return fetched(
      card,
      from: ["https://github.com/danielgatis/rembg/releases/download/v0.0.0/u2netp.onnx"],
      sha256: "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
      byteCount: 4_574_861,
      checksumOrigin: "repositories that pin the file; its publisher pins an MD5",
      license: .apache2("2020 the authors of U²-Net (Xuebin Qin et al.)"))
  }()

  /// MODNet: people, with soft edges.
  ///
  /// - Source: onnx/inference_onnx.py of ZHKKKe/MODNet for normalization and output; issue 154 there
  ///   for the license, which was another before 2022; size and SHA-256 are the same in more than three public repositories that
  ///   pin the file. The authors scale the shorter side to 512 pixels; the input of 672 × 512 has the shape of
  ///   most photos.
  package static let modnet: KnownModel = {
    var card = ModelCard(
      name: "modnet", title: "MODNet (portraits), 672 × 512", license: "Apache-2.0",
      origin: "huggingface.co/Xenova/modnet, of ZHKKKe/MODNet",
      inputSize: RasterSize(width: 672, height: 512), layout: .nchw,
      outputMeaning: .foregroundProbability)
    card.mean = SIMD3(repeating: 0.5)
    card.deviation = SIMD3(repeating: 0.5)
    card.placement = .scaleFit
    return fetched(
      card,
      from: huggingFace(
        "Xenova/modnet/resolve/fa2fa546052fba4c08921230a26cc69a333fca12/onnx/model.onnx"),
      sha256: "07c308cf0fc7e6e8b2065a12ed7fc07e1de8febb7dc7839d7b7f15dd66584df9",
      byteCount: 25_888_640,
      checksumOrigin: "repositories that pin the file; not stated by its author",
      license: .apache2("2020 the authors of MODNet (Zhanghan Ke et al.)"))
  }()

  /// MediaPipe's multiclass selfie segmenter: hair, skin, clothes and what is worn, of people.
  ///
  /// It is a TFLite file, which OpenVINO runs.
  ///
  /// - Source: Google, *MediaPipe Image Segmenter*, ai.google.dev/edge/mediapipe, for the classes; the page of
  ///   its ONNX copy (senty-au/selfie_multiclass_256x256-ONNX) for numbers of classes, scores and input; size
  ///   and SHA-256 are the same in more than three public repositories that pin the file.
  package static let selfieMulticlass: KnownModel = {
    var card = ModelCard(
      name: "selfie-multiclass", title: "MediaPipe selfie segmenter, six classes, 256 × 256",
      license: "Apache-2.0",
      origin: "ai.google.dev/edge/mediapipe, image_segmenter/selfie_multiclass_256x256",
      inputSize: RasterSize(width: 256, height: 256), layout: .nhwc, outputMeaning: .classScores)
    card.foregroundClasses = [1, 2, 3, 4, 5]
    return fetched(
      card,
      from: [
        "https://storage.googleapis.com/mediapipe-models/image_segmenter/selfie_multiclass_256x256"
          + "/float32/1/selfie_multiclass_256x256.tflite"
      ],
      sha256: "c6748b1253a99067ef71f7e26ca71096cd449baefa8f101900ea23016507e0e0",
      byteCount: 16_371_837,
      checksumOrigin: "repositories that pin the file; not stated by its author",
      license: .apache2("2023 the MediaPipe authors (Google)"))
  }()

  /// BiRefNet lite: objects with fine outlines; slow.
  ///
  /// - Source: the pages of onnx-community/BiRefNet_lite-ONNX and of other exports of it for input and output;
  ///   size and SHA-256 are the same in three public repositories that pin the file at this commit.
  package static let biRefNetLite: KnownModel = {
    var card = ModelCard(
      name: "birefnet-lite", title: "BiRefNet lite (objects), 1024 × 1024", license: "MIT",
      origin: "huggingface.co/onnx-community/BiRefNet_lite-ONNX, of ZhengPeng7/BiRefNet",
      inputSize: RasterSize(width: 1024, height: 1024), layout: .nchw,
      outputMeaning: .foregroundLogit)
    normalize(&card)
    card.outputName = "output_image"
    return fetched(
      card,
      from: huggingFace(
        "onnx-community/BiRefNet_lite-ONNX/resolve/de15b22ba131738a16dff04aab8bdf8dc32e3ac1"
          + "/onnx/model.onnx"),
      sha256: "5600024376f572a557870a5eb0afb1e5961636bef4e1e22132025467d0f03333",
      byteCount: 224_005_088,
      checksumOrigin: "repositories that pin the file; one read it on the file's page",
      license: .mit("2024 ZhengPeng"))
  }()
}
