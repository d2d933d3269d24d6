#pragma once
#include <stdint.h>

// Where landmarks of MediaPipe's canonical face lie on ICT-FaceKit's face.
//
// Landmark `i` of 468 is the point Σ shares[c]·vertex(vertices[c]) of three vertices; shares add to 1.
// How it was made: Documentation/faces.md.
typedef struct {
  uint16_t vertices[3];
  float shares[3];
} plb_face_anchor;

extern const plb_face_anchor plb_ict_face_kit_anchors[468];
