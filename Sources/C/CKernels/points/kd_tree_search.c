#include "kd_tree.h"

// A subtree not yet searched: how far the place is from its half spaces, by axis, and squared in all.
typedef struct {
  uint32_t node;
  float square, away[3];
} pending;

// Puts a key into an ascending list of fixed length, whose last leaves.
INLINE void insert(uint64_t *list, int32_t length, uint64_t key) {
  int32_t place = length - 1;
  while (place > 0 && list[place - 1] > key) {
    list[place] = list[place - 1];
    place--;
  }
  list[place] = key;
}

// Keeps what a leaf has nearer than the last of the list.
INLINE void scan(
    const plb_tree_leaf *leaf, const float *place, float limit, uint64_t *list, int32_t length) {
  float squares[PLB_TREE_LEAF];
  for (uint32_t rest = squares_within(leaf, place, limit, squares); rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    if (leaf->index[i] == UINT32_MAX) continue;
    const uint64_t key = key_of(squares[i], leaf->index[i]);
    if (key < list[length - 1]) insert(list, length, key);
  }
}

// Goes to the child of a node on the side of the place; returns the other.
INLINE pending descend(const plb_tree_node *nodes, const float *place, pending *now) {
  const plb_tree_node node = nodes[now->node];
  const float away = place[node.axis] - node.split;
  pending other = *now;
  other.away[node.axis] = away;
  other.square = (other.away[0] * other.away[0] + other.away[1] * other.away[1]) +
                 other.away[2] * other.away[2];
  const uint32_t right = away >= 0;
  now->node = 2 * now->node + right;
  other.node = now->node ^ 1;
  return other;
}

// The list holds keys or UINT64_MAX on entry, ascending.
INLINE void search(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, const float *place,
    float limit, uint64_t *list, int32_t length) {
  const uint32_t first_leaf = (uint32_t)1 << depth;
  pending stack[DEEPEST + 1];
  int top = 0;
  stack[top++] = (pending){1, 0, {0, 0, 0}};
  if (list[length - 1] != UINT64_MAX && square_of(list[length - 1]) < limit)
    limit = square_of(list[length - 1]);
  while (top > 0) {
    pending now = stack[--top];
    if (now.square > limit) continue;
    while (now.node < first_leaf) {
      const pending other = descend(nodes, place, &now);
      if (other.square <= limit) stack[top++] = other;
    }
    scan(leaves + (now.node - first_leaf), place, limit, list, length);
    if (list[length - 1] != UINT64_MAX) {
      const float last = square_of(list[length - 1]);
      limit = last < limit ? last : limit;
    }
  }
}

INLINE int is_finite(const float *place) {
  return isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2]);
}

// Within which squared distance of `place` as many points lie as were found about the place before: those, by
// the triangle's inequality. 1e-5 is more than the rounding of all steps.
INLINE float bound_from(const float *before, const float *place, float last) {
  const float x = place[0] - before[0], y = place[1] - before[1], z = place[2] - before[2];
  const float radius = sqrtf((x * x + y * y) + z * z) + sqrtf(last);
  return radius * radius * 1.00001f + 1e-37f;
}

PLB_CLONES
void plb_tree_nearest(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, const float *places,
    ptrdiff_t count, int32_t neighbors, float limit, uint64_t *found) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint64_t *list = found + i * neighbors;
    for (int32_t j = 0; j < neighbors; j++) list[j] = UINT64_MAX;
    if (!is_finite(places + 3 * i)) continue;
    float near = limit;
    // The list before is full only if its place was finite.
    if (i > 0 && list[-1] != UINT64_MAX) {
      const float bound = bound_from(places + 3 * (i - 1), places + 3 * i, square_of(list[-1]));
      near = bound < near ? bound : near;
    }
    search(nodes, leaves, depth, places + 3 * i, near, list, neighbors);
  }
}

// The nearest point and a lower bound of the squared distance of all others, `others`. Begins with a candidate or
// UINT64_MAX; what lies beyond the limit is only bounded.
INLINE uint64_t nearest(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, const float *place,
    float limit, uint64_t best, float *others) {
  const uint32_t first_leaf = (uint32_t)1 << depth;
  float beyond = INFINITY;
  pending stack[DEEPEST + 1];
  int top = 0;
  stack[top++] = (pending){1, 0, {0, 0, 0}};
  while (top > 0) {
    pending now = stack[--top];
    if (now.square > limit) {
      beyond = now.square < beyond ? now.square : beyond;
      continue;
    }
    while (now.node < first_leaf) {
      const pending other = descend(nodes, place, &now);
      if (other.square <= limit) {
        stack[top++] = other;
      } else {
        beyond = other.square < beyond ? other.square : beyond;
      }
    }
    const plb_tree_leaf *leaf = leaves + (now.node - first_leaf);
    float squares[PLB_TREE_LEAF];
    float farther;
    uint32_t rest = squares_around(leaf, place, limit, squares, &farther);
    beyond = farther < beyond ? farther : beyond;
    for (; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      const uint64_t key = key_of(squares[i], leaf->index[i]);
      if (leaf->index[i] == UINT32_MAX || key == best) continue;
      const float square = key < best && best != UINT64_MAX ? square_of(best) : squares[i];
      if (best != UINT64_MAX) beyond = square < beyond ? square : beyond;
      best = key < best ? key : best;
    }
    if (best != UINT64_MAX && square_of(best) < limit) limit = square_of(best);
  }
  *others = beyond;
  return best;
}

// Whether the nearest point of a place is still the one found about the place before, `known`: by the triangle's
// inequality all others are farther. 1e-5 is more than the rounding of all steps.
INLINE int is_known(const float *place, const float *known, float square) {
  const float x = place[0] - known[0], y = place[1] - known[1], z = place[2] - known[2];
  return (sqrtf((x * x + y * y) + z * z) + sqrtf(square)) * 1.00001f < known[3];
}

PLB_CLONES
void plb_tree_nearest_from(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, const float *places,
    ptrdiff_t count, float limit, uint64_t *found, float *known) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const float *place = places + 3 * i;
    if (!is_finite(place) || (found[i] != UINT64_MAX && !(square_of(found[i]) <= limit)))
      found[i] = UINT64_MAX;
    if (!is_finite(place)) continue;
    float near = limit;
    if (found[i] != UINT64_MAX) {
      near = square_of(found[i]);
      if (is_known(place, known + 4 * i, near)) continue;
    } else if (i > 0 && found[i - 1] != UINT64_MAX) {
      const float bound = bound_from(place - 3, place, square_of(found[i - 1]));
      near = bound < near ? bound : near;
    }
    float others;
    found[i] = nearest(nodes, leaves, depth, place, near, found[i], &others);
    memcpy(known + 4 * i, place, 3 * sizeof *place);
    known[4 * i + 3] = found[i] == UINT64_MAX ? 0 : sqrtf(others) * 0.99999f;
  }
}
