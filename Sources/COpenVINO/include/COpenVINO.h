// OpenVINO's C interface, looked up in a library that is loaded when somebody asks for it, so that
// everything else builds and runs without OpenVINO.
#pragma once
