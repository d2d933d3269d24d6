package import PlumblineFaces
package import PlumblineInference

extension ICTFaceKit {
  /// Where the model is fetched: GitHub's archive of the repository at a commit.
  ///
  /// GitHub promises no fixed bytes for archives, so there is no checksum; the address names the commit,
  /// and what is read of the archive is checked as the folder is. The commit is one that has the shapes of
  /// the cheeks (`cheekRaiser_L`), which makes 55 expressions.
  package static let source = ModelSource(
    addresses: [
      "https://github.com/ICT-VGL/ICT-FaceKit/archive/aa8c24174d00f370ce3f7d99e56ff3c734037805.zip",
      "https://codeload.github.com/ICT-VGL/ICT-FaceKit/zip/"
        + "aa8c24174d00f370ce3f7d99e56ff3c734037805",
    ],
    license: .mit("2020 USC Institute for Creative Technologies"))
}
