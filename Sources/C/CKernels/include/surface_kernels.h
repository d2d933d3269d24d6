// Searches in a tree of boxes over triangles, eight children a node.
// No kernel allocates, checks sizes or keeps state: the Swift caller has done so. Tests hold each to
// plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// Level 0 has the boxes of leaves, eight in a node; each higher level those of the nodes below. Child k of
// node j of a level is node 8·j + k of the level below, or that leaf.
typedef struct {
  // Six rows of eight for each node: least x, y, z, then largest; +∞ and −∞ for a child that is not there.
  const float *_Nonnull boxes;
  // Nine rows of eight for each leaf: x, y, z of the three corners.
  const float *_Nonnull leaves;
  // Where each level starts in `boxes`, counted in nodes, from level 0 on.
  const int32_t *_Nonnull levels;
  int32_t level_count;
} plb_surface_tree;

// For each of `count` points (x, y, z) the place 8·leaf + k of the nearest triangle. A search begins with the
// distance of the triangle that the one before found.
void plb_surface_nearest(
    const plb_surface_tree *_Nonnull tree, const float *_Nonnull points, ptrdiff_t count,
    int32_t *_Nonnull places);

// For each of `count` rays (origin, then direction, six numbers) the place of the first triangle that it
// meets in front of its origin and how far, in lengths of the direction; −1 and +∞ for none.
void plb_surface_rays(
    const plb_surface_tree *_Nonnull tree, const float *_Nonnull rays, ptrdiff_t count,
    int32_t *_Nonnull places, float *_Nonnull lengths);
