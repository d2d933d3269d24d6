"""The number of errors that an audit of a DXF file finds, then the length of each of its dimensions, a line each."""
import sys

import ezdxf

drawing = ezdxf.readfile(sys.argv[1])
auditor = drawing.audit()
print(len(auditor.errors))
for dimension in drawing.modelspace().query("DIMENSION"):
    print((dimension.dxf.defpoint3 - dimension.dxf.defpoint2).magnitude)
