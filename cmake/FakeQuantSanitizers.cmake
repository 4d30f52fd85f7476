# Sanitizers for our own code; LLVM and MLIR come as packages without them.
#
#   set(FAKEQUANT_SANITIZE "address;undefined")    (the preset `sanitize`)
#   include(FakeQuantSanitizers)                   after HandleLLVMOptions
#   fakequant_enable_sanitizers()                  before any add_subdirectory
#
# Every target made afterwards, in this directory or below, is instrumented, and
# every executable carries the run-time options that a mix of instrumented and
# plain code needs (SanitizerDefaults.cpp); ASAN_OPTIONS and UBSAN_OPTIONS in
# the environment still override them one by one.

set(FAKEQUANT_SANITIZE "" CACHE STRING
  "Sanitizers for our code, as a list: address;undefined, thread, or empty")

set(_fakequant_sanitizer_defaults
  "${CMAKE_CURRENT_LIST_DIR}/SanitizerDefaults.cpp")

macro(fakequant_enable_sanitizers)
  if(FAKEQUANT_SANITIZE)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang|GNU")
      message(FATAL_ERROR
        "FAKEQUANT_SANITIZE needs clang or gcc, not ${CMAKE_CXX_COMPILER_ID}")
    endif()
    string(REPLACE ";" "," _fakequant_sanitizers "${FAKEQUANT_SANITIZE}")
    set(_fakequant_sanitizer_flags "-fsanitize=${_fakequant_sanitizers}")
    if("undefined" IN_LIST FAKEQUANT_SANITIZE)
      # Both compare type information across the border to libMLIR.so, where
      # hidden copies of inline classes make equal types look different.
      list(APPEND _fakequant_sanitizer_flags -fno-sanitize=vptr)
      if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        list(APPEND _fakequant_sanitizer_flags -fno-sanitize=function)
      endif()
    endif()
    list(APPEND _fakequant_sanitizer_flags
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_compile_options(${_fakequant_sanitizer_flags})
    add_link_options(${_fakequant_sanitizer_flags})
    # The run-time library is in the executable, so a shared library of ours
    # has open symbols until it is loaded.
    string(REPLACE "-Wl,-z,defs" "" CMAKE_SHARED_LINKER_FLAGS
      "${CMAKE_SHARED_LINKER_FLAGS}")
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}"
      CALL _fakequant_add_sanitizer_defaults "${CMAKE_SOURCE_DIR}")
    message(STATUS "Sanitizers: ${_fakequant_sanitizers}")
  endif()
endmacro()

# Adds SanitizerDefaults.cpp to each executable made in `directory` or below.
function(_fakequant_add_sanitizer_defaults directory)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      target_sources(${target} PRIVATE "${_fakequant_sanitizer_defaults}")
    endif()
  endforeach()
  get_property(children DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(child IN LISTS children)
    _fakequant_add_sanitizer_defaults("${child}")
  endforeach()
endfunction()
