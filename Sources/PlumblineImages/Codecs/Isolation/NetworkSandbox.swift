#if os(Linux)
  import CDecoderSandbox

  /// The sandbox of a network's worker; see `CDecoderSandbox.h`.
  package struct NetworkSandbox: Sendable {
    /// Bytes of address space.
    package var addressSpaceBytes: Int
    /// Processor time, all runs together.
    package var processorSeconds: Int
    /// The model's descriptor.
    package var model: CInt
    /// The name by which the model can be opened.
    package var modelPath: String
    /// The runtime's folder, without symbolic links.
    package var folder: String
    /// Descriptors that may be open at once: channel, folder, model, and what is opened again.
    package static let descriptors = 32

    package init(
      addressSpaceBytes: Int, processorSeconds: Int, model: CInt, modelPath: String,
      folder: String
    ) {
      self.addressSpaceBytes = addressSpaceBytes
      self.processorSeconds = processorSeconds
      self.model = model
      self.modelPath = modelPath
      self.folder = folder
    }

    /// Shuts this process in for good; 0, or the negative error number of the system.
    package func enter() -> CInt {
      var limits = plb_process_limits(
        address_space: UInt64(addressSpaceBytes), processor_seconds: UInt64(processorSeconds),
        descriptors: UInt64(Self.descriptors))
      return folder.withCString { folder in
        modelPath.withCString { path in
          var files = plb_network_files(model: model, model_path: path, folder: folder)
          return plb_enter_network_sandbox(&limits, &files)
        }
      }
    }
  }
#endif
