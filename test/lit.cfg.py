"""Configuration of the lit tests: FileCheck tests and tests of the tools."""

import glob
import os
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "fakequant"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ll"]
config.excludes = ["Inputs", "Golden", "unittests", "tools", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.fakequant_tools_dir, append_path=True)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%examples", config.fakequant_source_dir + "/examples"))
llvm_config.add_tool_substitutions(
    [
        "fq-lsp-server",
        "fq-opt",
        "fq-reduce",
        "fq-run",
        "fq-translate",
        ToolSubst("FileCheck", unresolved="fatal"),
        ToolSubst("not", unresolved="fatal"),
        "split-file",
        "mlir-translate",
        "mlir-opt",
        "llc",
        "opt",
    ],
    [config.fakequant_tools_dir, config.llvm_tools_dir],
)

if config.sanitizers:
    config.available_features.add("sanitizers")
if config.host_arch in ("x86_64", "AMD64"):
    config.available_features.add("host-x86_64")

# C drivers around our objects: with the clang beside LLVM, for the host and, with
# Debian's cross libraries, for an AArch64 that qemu runs.
clang = shutil.which("clang", path=config.llvm_tools_dir)
lld = shutil.which("ld.lld", path=config.llvm_tools_dir)
cross_gcc = sorted(glob.glob("/usr/lib/gcc-cross/aarch64-linux-gnu/*"))
cross_libc = "/usr/aarch64-linux-gnu"
if clang:
    config.available_features.add("clang")
    config.substitutions.append(("%host-cc", clang + " -Wall -Werror"))
if (
    clang
    and lld
    and cross_gcc
    and os.path.isdir(cross_libc)
    and shutil.which("qemu-aarch64")
):
    config.available_features.add("qemu-aarch64")
    config.substitutions.append(
        (
            "%aarch64-cc",
            f"{clang} --target=aarch64-linux-gnu -fuse-ld=lld -Wall -Werror"
            f" --gcc-install-dir={cross_gcc[-1]}",
        )
    )
    config.substitutions.append(("%aarch64-run", f"qemu-aarch64 -L {cross_libc}"))
