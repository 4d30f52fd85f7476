# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The project's own thin wrappers. Plain CMake targets: `add_mlir_library` would
# export into MLIR's own set, and static MLIR libraries beside libMLIR.so would
# give two registries.

# fakequant_add_library(NAME source... [DEPENDS target...] [LINK_LIBS library...])
#
# A static library of the compiler. Links the one copy of MLIR and LLVM.
function(fakequant_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# fakequant_add_tool(NAME source... [LINK_LIBS library...])
function(fakequant_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# fakequant_add_doc(SOURCE.td OUTPUT.md generator-flags...)
#
# Generates a page into the current build folder. docs/CMakeLists.txt makes the
# reference pages out of these.
function(fakequant_add_doc source output)
  set(LLVM_TARGET_DEFINITIONS ${source})
  tablegen(MLIR ${output} ${ARGN})
endfunction()
