// One import for users of the library: everything that a capture passes through.
@_exported public import PlumblineCapture
@_exported public import PlumblineCorrection
@_exported public import PlumblineDevices
@_exported public import PlumblineEffects
@_exported public import PlumblineEstimation
@_exported public import PlumblineExport
@_exported public import PlumblineFaces
@_exported public import PlumblineFormats
@_exported public import PlumblineGeometry
@_exported public import PlumblineInference
@_exported public import PlumblineJSON
@_exported public import PlumblineModel
@_exported public import PlumblineSimulation
@_exported public import PlumblineStereo
@_exported public import PlumblineVerification
@_exported public import PlumblineViewer
@_exported public import PlumblineVision
