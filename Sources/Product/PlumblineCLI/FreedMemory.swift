#if os(Linux)
  private import CMalloc

  /// What the allocator does with memory that was freed.
  enum FreedMemory {
    /// Lets this program keep up to 64 MiB, which the next capture or frame takes again.
    ///
    /// Otherwise glibc gives the rasters of each capture back to the system, and the next one waits
    /// for its pages: a third of the processor time of `check` over many photos. Called once, before
    /// other threads run. A library leaves that to its program.
    ///
    /// - Source: mallopt(3): 32 MiB is the largest threshold of blocks that are mapped.
    static func keep() { plb_keep_freed_memory(32 << 20, 64 << 20) }
  }
#endif
