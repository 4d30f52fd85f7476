/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls an entry of shapes.mlir on raw files, by the calling convention of
 * docs/abi.md:
 *
 *   driver ENTRY BYTES-PER-ELEMENT (FILE RANK SIZE...)...
 *
 * One group for each operand and each result, in their order. Every file is
 * there: those of the results are read as well, and every file is written back.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void _mlir_ciface_args(void *, void *);
void _mlir_ciface_args_gradient(void *, void *, void *);
void _mlir_ciface_vars(void *, void *, void *, void *);
void _mlir_ciface_vars_gradient(void *, void *, void *, void *, void *, void *,
                                void *);
void _mlir_ciface_vars_per_channel(void *, void *, void *, void *);
void _mlir_ciface_vars_per_channel_gradient(void *, void *, void *, void *,
                                            void *, void *, void *);
void _mlir_ciface_middle(void *, void *, void *, void *);
void _mlir_ciface_middle_gradient(void *, void *, void *, void *, void *,
                                  void *, void *);

struct tensor {
  char *allocated, *aligned;
  int64_t offset, sizes_and_strides[6];
};

static void fail(const char *message) {
  fprintf(stderr, "driver: %s\n", message);
  exit(1);
}

int main(int argc, char **argv) {
  struct tensor t[7];
  const char *files[7];
  size_t bytes[7];
  int count = 0;
  if (argc < 3)
    fail("expected an entry and the bytes of an element");
  size_t element = strtoul(argv[2], NULL, 10);
  for (int i = 3; i < argc; ++count) {
    if (count == 7 || argc - i < 2 || argc - i < 2 + atoi(argv[i + 1]))
      fail("expected at most 7 groups: file, rank, sizes");
    files[count] = argv[i];
    int rank = atoi(argv[i + 1]);
    i += 2;
    int64_t *sizes = t[count].sizes_and_strides, *strides = sizes + rank;
    for (int k = 0; k < rank; ++k)
      sizes[k] = strtoll(argv[i++], NULL, 10);
    int64_t elements = 1;
    for (int k = rank; k-- > 0; elements *= sizes[k])
      strides[k] = elements;
    bytes[count] = (size_t)elements * element;
    t[count].offset = 0;
    t[count].allocated = t[count].aligned = malloc(bytes[count] + 1);
    FILE *file = fopen(files[count], "rb");
    if (!file || fread(t[count].aligned, 1, bytes[count], file) != bytes[count])
      fail("expected a file of the tensor's size");
    fclose(file);
  }

#define CALL(NAME, COUNT, ...)                                                 \
  if (strcmp(argv[1], #NAME) == 0 && count == COUNT)                           \
  _mlir_ciface_##NAME(__VA_ARGS__)
  CALL(args, 2, t, t + 1);
  else CALL(args_gradient, 3, t, t + 1, t + 2);
  else CALL(vars, 4, t, t + 1, t + 2, t + 3);
  else CALL(vars_gradient, 7, t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6);
  else CALL(vars_per_channel, 4, t, t + 1, t + 2, t + 3);
  else CALL(vars_per_channel_gradient, 7, t, t + 1, t + 2, t + 3, t + 4, t + 5,
            t + 6);
  else CALL(middle, 4, t, t + 1, t + 2, t + 3);
  else CALL(middle_gradient, 7, t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6);
  else fail("expected an entry of shapes.mlir and its tensors");

  for (int i = 0; i < count; ++i) {
    FILE *file = fopen(files[i], "wb");
    if (!file || fwrite(t[i].aligned, 1, bytes[i], file) != bytes[i] ||
        fclose(file) != 0)
      fail("expected a file that can be written");
    free(t[i].allocated);
  }
  return 0;
}
