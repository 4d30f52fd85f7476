# Where the build finds MLIR, Python and ccache when the user says nothing.
# Include it after project() and before find_package(MLIR).

# Debian installs LLVM below a prefix of its own that CMake does not search. An
# explicit MLIR_DIR (cache or environment) or CMAKE_PREFIX_PATH comes first: the
# prefix is only appended.
if(NOT MLIR_DIR AND NOT DEFINED ENV{MLIR_DIR})
  find_program(FAKEQUANT_LLVM_CONFIG NAMES llvm-config-22
    DOC "llvm-config whose MLIR is used when MLIR_DIR is not given")
  if(FAKEQUANT_LLVM_CONFIG)
    execute_process(COMMAND "${FAKEQUANT_LLVM_CONFIG}" --prefix
      OUTPUT_VARIABLE _fakequant_llvm_prefix
      OUTPUT_STRIP_TRAILING_WHITESPACE
      COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND CMAKE_PREFIX_PATH "${_fakequant_llvm_prefix}")
  endif()
endif()

# scripts/bootstrap puts a Python with the pinned requirements here; tests that
# need numpy run under it.
set(_fakequant_python "${CMAKE_SOURCE_DIR}/build/python/bin/python")
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS "${_fakequant_python}")
  set(Python3_EXECUTABLE "${_fakequant_python}" CACHE FILEPATH
    "Python >= 3.11 with scripts/requirements.txt installed")
endif()

option(FAKEQUANT_USE_CCACHE "Compile through ccache where it is installed" ON)
if(FAKEQUANT_USE_CCACHE)
  find_program(FAKEQUANT_CCACHE NAMES ccache)
  mark_as_advanced(FAKEQUANT_CCACHE)
  if(FAKEQUANT_CCACHE)
    foreach(_fakequant_language C CXX)
      if(NOT DEFINED CMAKE_${_fakequant_language}_COMPILER_LAUNCHER)
        set(CMAKE_${_fakequant_language}_COMPILER_LAUNCHER
          "${FAKEQUANT_CCACHE}")
      endif()
    endforeach()
  endif()
endif()
