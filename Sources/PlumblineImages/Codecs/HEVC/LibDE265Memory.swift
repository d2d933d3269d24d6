#if canImport(CLibDE265)
  import CLibDE265

  /// Gives libde265 planes that hold zeros: slices that a stream leaves out then show as black,
  /// never as what the memory held before.
  enum LibDE265Memory {
    /// Takes a reference on the library once and for all: the last context to end would otherwise
    /// drop its scan tables, and each tile would pay for them again (a fifth of its time).
    static let libraryStatus = de265_init()

    /// The functions for `de265_set_image_allocation_functions`.
    static var allocation: de265_image_allocation {
      de265_image_allocation(
        get_buffer: { _, specification, image, _ in
          guard let specification = specification?.pointee, let image else { return 0 }
          return LibDE265Memory.allocatePlanes(of: image, specification) ? 1 : 0
        },
        release_buffer: { _, image, _ in
          for channel: Int32 in 0..<3 {
            de265_get_image_plane_user_data(image, channel)?.deallocate()
          }
        })
    }

    private static func allocatePlanes(
      of image: OpaquePointer, _ specification: de265_image_spec
    ) -> Bool {
      let format = de265_get_chroma_format(image)
      let width = Int(specification.width)
      let height = Int(specification.height)
      guard width > 0, height > 0 else { return false }
      for channel: Int32 in 0..<3 {
        if channel > 0 && format == de265_chroma_mono {
          de265_set_image_plane(image, channel, nil, 0, nil)
          continue
        }
        let isHalfWide = channel > 0 && format != de265_chroma_444
        let isHalfHigh = channel > 0 && format == de265_chroma_420
        let sampleBytes = de265_get_bits_per_pixel(image, channel) > 8 ? 2 : 1
        // 64 suits every vector width of the codec.
        let stride = (sampleBytes * (isHalfWide ? width / 2 : width) + 63) / 64 * 64
        let rows = isHalfHigh ? height / 2 : height
        // The codec's vector code may touch a few bytes after the last sample.
        let byteCount = stride * rows + 64
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        de265_set_image_plane(image, channel, memory, Int32(stride), memory)
        // Strides count bytes here; a release that counted samples would write past the end.
        var understood: Int32 = 0
        _ = de265_get_image_plane(image, channel, &understood)
        guard Int(understood) == stride else { return false }
      }
      return true
    }
  }
#endif
