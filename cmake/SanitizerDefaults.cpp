//===- SanitizerDefaults.cpp - Run-time options of sanitizer builds -------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into every executable of a sanitizer build (see
// FakeQuantSanitizers.cmake). The sanitizer run time calls these functions
// before main and lets the environment override what they return.
//
//===----------------------------------------------------------------------===//

extern "C" {

__attribute__((used, visibility("default"))) const char *
__asan_default_options() {
  // Containers and LLVM's arenas mark their unused memory as poisoned, and both
  // halves of that must be compiled in. libMLIR.so and libLLVM.so are not
  // instrumented, so what one side poisons the other never clears.
  return "detect_container_overflow=0:allow_user_poisoning=0:"
         "detect_stack_use_after_return=1:strict_string_checks=1";
}

__attribute__((used, visibility("default"))) const char *
__ubsan_default_options() {
  return "print_stacktrace=1";
}

} // extern "C"
