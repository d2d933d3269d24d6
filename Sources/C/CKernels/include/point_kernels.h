#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// A k-d tree of three-dimensional points, split at the middle of its widest axis.
//
// The tree is complete: `depth` levels of inner nodes, node 1 first, node i before nodes 2i and 2i + 1, and
// 2^depth leaves. Node i of level l covers an equal share of the order: positions count·j/2^l to
// count·(j + 1)/2^l with j = i − 2^l. A leaf holds at most PLB_TREE_LEAF points.
enum { PLB_TREE_LEAF = 16 };

typedef struct {
  float split;
  uint32_t axis;
} plb_tree_node;

// The points of a leaf; places without a point have the index UINT32_MAX and lie at infinity.
typedef struct {
  float x[PLB_TREE_LEAF], y[PLB_TREE_LEAF], z[PLB_TREE_LEAF];
  uint32_t index[PLB_TREE_LEAF];
} plb_tree_leaf;

// Splits node 2^level + place of a tree of `count` points: orders its share of `order` about its middle along the
// widest axis of its points, and writes the node. The lower half of an element of `order` is the index of a point
// of three floats; the upper half is used while it is ordered. Equal coordinates are ordered by index.
void plb_tree_split(
    const float *_Nonnull points, uint64_t *_Nonnull order, ptrdiff_t count, int32_t level,
    ptrdiff_t place, plb_tree_node *_Nonnull nodes);

// Splits node 2^level + place and everything below it, and fills its leaves.
void plb_tree_grow(
    const float *_Nonnull points, uint64_t *_Nonnull order, ptrdiff_t count, int32_t level,
    ptrdiff_t place, int32_t depth, plb_tree_node *_Nonnull nodes,
    plb_tree_leaf *_Nonnull leaves);

// The nearest points of `count` places of three floats each, `found` for each, in the order of (squared
// distance, index): found[i·neighbors + j] = bits of the squared distance << 32 | index, and UINT64_MAX where
// there are fewer. Points farther than `limit` squared are not found; a place that is not finite finds none.
// Squares are summed as (x² + y²) + z², each step rounded to single precision.
void plb_tree_nearest(
    const plb_tree_node *_Nonnull nodes, const plb_tree_leaf *_Nonnull leaves, int32_t depth,
    const float *_Nonnull places, ptrdiff_t count, int32_t neighbors, float limit,
    uint64_t *_Nonnull found);

// The same for the points of leaves `first` to `end` of the tree themselves, in the order in which they lie there:
// those of one leaf search together. At most PLB_TREE_OWN neighbors.
enum { PLB_TREE_OWN = 48 };
void plb_tree_own_nearest(
    const plb_tree_node *_Nonnull nodes, const plb_tree_leaf *_Nonnull leaves, int32_t depth,
    ptrdiff_t first, ptrdiff_t end, int32_t neighbors, float limit, uint64_t *_Nonnull found);

// As plb_tree_nearest with one neighbor, where found[i] holds on entry a candidate in the same form with the
// distance from this place, or UINT64_MAX: the search begins with its distance. known[4·i …] is the place of the
// search before that found the candidate, and within which distance of it no other point lies; it is written anew
// by each search, and a search that it makes needless is left out. Without one, the distance is 0.
void plb_tree_nearest_from(
    const plb_tree_node *_Nonnull nodes, const plb_tree_leaf *_Nonnull leaves, int32_t depth,
    const float *_Nonnull places, ptrdiff_t count, float limit, uint64_t *_Nonnull found,
    float *_Nonnull known);

// The plane of the neighbors that plb_tree_nearest found: normals[3·i …], the eigenvector of the least
// eigenvalue of their covariance, toward `viewpoint`; and the three eigenvalues, ascending, in values[3·i …].
// NaN with fewer than 3 neighbors or where they lie on a line or at one place.
void plb_neighbor_planes(
    const float *_Nonnull points, const uint64_t *_Nonnull found, ptrdiff_t count,
    int32_t neighbors, const float *_Nonnull places, const float *_Nonnull viewpoint,
    float *_Nonnull normals, float *_Nonnull values);

// The voxel of each point of three floats: the whole numbers ⌊(p − origin)/size⌋, packed with `bits` bits an
// axis, x highest. Keys outside, or of points that are not finite, are UINT64_MAX; returns how many are not.
ptrdiff_t plb_voxel_keys(
    const float *_Nonnull points, ptrdiff_t count, const double *_Nonnull origin, double size,
    const int32_t *_Nonnull bits, uint64_t *_Nonnull keys);

// Orders indices by their keys, equal keys by index: `order` holds 0 ..< count afterwards; `passes` of 11 bits
// from the lowest decide. `scratch` has the size of `order`, and keys are not moved.
void plb_sort_by_key(
    const uint64_t *_Nonnull keys, ptrdiff_t count, int32_t passes, uint32_t *_Nonnull order,
    uint32_t *_Nonnull scratch);
