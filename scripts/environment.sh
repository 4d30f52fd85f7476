# shellcheck shell=bash
# What the scripts beside this file share; sourced, never run.
#
# Sets ROOT (the checkout) and PYTHON (the interpreter that scripts/bootstrap
# makes), and names the build folders and tools.

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # used by the scripts that source this file
PYTHON=$ROOT/build/python/bin/python

# die MESSAGE…: prints the script's name and the message; exit status 1.
die() {
  printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
  exit 1
}

# usage: prints the comment block at the top of the running script.
usage() {
  sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' -- "$0"
}

# build_folder PRESET: where CMakePresets.json puts that preset's build.
build_folder() {
  case $1 in
  release) printf '%s\n' "$ROOT/build" ;;
  *) printf '%s\n' "$ROOT/build/$1" ;;
  esac
}

# own_mlir: true where the user brings an MLIR with MLIR_DIR.
own_mlir() {
  [[ -n ${MLIR_DIR:-} ]]
}

# llvm_tool NAME: the path of an LLVM 22 program: Debian's NAME-22, one beside
# the user's MLIR, or plain NAME. False where there is none.
llvm_tool() {
  if own_mlir && [[ -x $MLIR_DIR/../../../bin/$1 ]]; then
    printf '%s\n' "$(cd -- "$MLIR_DIR/../../../bin" && pwd)/$1"
  else
    command -v -- "$1-22" || command -v -- "$1"
  fi
}
