/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls @forward of object.mlir by the calling convention of docs/abi.md. Also
 * valid C++.
 */

#include <stdint.h>
#include <stdio.h>

struct vector {
  float *allocated, *aligned;
  int64_t offset, size, stride;
};
struct matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

#ifdef __cplusplus
extern "C"
#endif
    void _mlir_ciface_forward(struct matrix *x, struct vector *min,
                              struct vector *max, struct matrix *y);

int main(void) {
  float x[2][3] = {{2.579f, -0.6f, 2.6f}, {0.0f, 1.0f, -9.0f}};
  float min[3] = {-0.5f, -0.5f, -0.5f}, max[3] = {2.5f, 2.5f, 2.5f};
  float y[2][3];
  struct matrix xs = {x[0], x[0], 0, {2, 3}, {3, 1}};
  struct matrix ys = {y[0], y[0], 0, {2, 3}, {3, 1}};
  struct vector mins = {min, min, 0, 3, 1}, maxs = {max, max, 0, 3, 1};
  _mlir_ciface_forward(&xs, &mins, &maxs, &ys);
  for (int i = 0; i < 2; ++i)
    printf("%.9g %.9g %.9g\n", y[i][0], y[i][1], y[i][2]);
  return 0;
}
