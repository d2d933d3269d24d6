// One import for users of the library: everything that a capture passes through.
@_exported public import PlumblineCapture
@_exported public import PlumblineCorrection
@_exported public import PlumblineVerification
@_exported public import PlumblineEffects
@_exported public import PlumblineInference
@_exported public import PlumblineExport
@_exported public import PlumblineFaces
@_exported public import PlumblineGeometry
@_exported public import PlumblineIO
@_exported public import PlumblineImages
@_exported public import PlumblineModel
@_exported public import PlumblineRecordings
@_exported public import PlumblineSimulation
@_exported public import PlumblineStereo
@_exported public import PlumblineStreams
@_exported public import PlumblineVision
