"""Configuration of the lit tests: FileCheck tests and tests of the tools."""

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
if shutil.which("qemu-aarch64") and shutil.which("ld.lld", path=config.llvm_tools_dir):
    config.available_features.add("qemu-aarch64")
