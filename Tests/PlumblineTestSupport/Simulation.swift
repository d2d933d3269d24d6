// Tests see the simulator beside the oracles with one import.
@_exported public import PlumblineSimulation
