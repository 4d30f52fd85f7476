//===- CPUTarget.cpp - What code generation knows of a CPU ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/CPUTarget.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using namespace mlir;
using namespace mlir::fakequant;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    // The CPUs that code is generated for, not every back end LLVM has.
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  });
}

static std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

/// The first line of a small file; empty if it cannot be read.
static std::string readLine(const llvm::Twine &path) {
  // As a stream: files of sysfs have no size of their own.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().split('\n').first.str() : std::string();
}

/// Reads the sizes of the host's caches, as far as Linux tells them. glibc's
/// `sysconf` does not do: on some AMD processors it multiplies the size of the
/// last level by a number of threads.
static void readHostCaches(CPUTarget &target) {
  unsigned lastLevel = 0;
  for (unsigned index = 0;; ++index) {
    std::string folder =
        ("/sys/devices/system/cpu/cpu0/cache/index" + llvm::Twine(index)).str();
    unsigned level;
    int64_t kibibytes;
    if (llvm::StringRef(readLine(folder + "/level")).getAsInteger(10, level))
      return;
    std::string text = readLine(folder + "/size");
    llvm::StringRef size = text;
    if (readLine(folder + "/type") == "Instruction" ||
        !size.consume_back("K") || size.getAsInteger(10, kibibytes))
      continue;
    if (level == 1)
      target.firstLevelCacheBytes = kibibytes << 10;
    if (level >= lastLevel)
      target.lastLevelCacheBytes = kibibytes << 10;
    lastLevel = std::max(lastLevel, level);
  }
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<CPUTarget> CPUTarget::get(StringRef tripleName, StringRef cpu) {
  initializeTargets();
  CPUTarget target;
  bool isHost = cpu.empty() || cpu == "host";
  std::string hostTriple = llvm::sys::getProcessTriple();
  target.triple = llvm::Triple(llvm::Triple::normalize(
      tripleName.empty() ? StringRef(hostTriple) : tripleName));
  if (target.triple.getArch() != llvm::Triple::x86_64 &&
      target.triple.getArch() != llvm::Triple::aarch64)
    return makeError("target-triple: expected x86-64 or AArch64 but got '" +
                     target.triple.str() + "'");
  bool isNative = target.triple.getArch() == llvm::Triple(hostTriple).getArch();
  if (isHost) {
    if (!isNative)
      return makeError("target-cpu: expected a CPU of " +
                       target.triple.getArchName() +
                       ", which is not the host's architecture, but got "
                       "'host'");
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = hostFeatures();
    readHostCaches(target);
  } else {
    target.cpu = cpu.str();
  }

  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (!backend)
    return makeError(message);
  // Ask about the name before anything else: an unknown one makes LLVM print
  // a warning and go on.
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      backend->createMCSubtargetInfo(target.triple, "", ""));
  if (!generic)
    return makeError("expected a triple with a code generator but got '" +
                     target.triple.str() + "'");
  if (!generic->isCPUStringValid(target.cpu))
    return makeError(llvm::Twine("target-cpu: expected ") +
                     (isNative ? "'host' or " : "") + "a CPU of " +
                     target.triple.getArchName() + " but got '" + target.cpu +
                     "'");
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(target.triple, target.cpu,
                                     target.features));
  if (target.triple.isX86()) {
    if (!subtarget->checkFeatures("+64bit"))
      return makeError("target-cpu: expected a 64-bit CPU but got '" +
                       target.cpu + "'");
    if (subtarget->checkFeatures("+avx512f,+avx512bw,+avx512vl,+avx512dq"))
      target.vectorBits = 512;
    else if (subtarget->checkFeatures("+avx"))
      target.vectorBits = 256;
    target.roundsVectors = subtarget->checkFeatures("+sse4.1");
    target.convertsHalf = subtarget->checkFeatures("+f16c");
  }
  return target;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
CPUTarget::createTargetMachine(llvm::CodeGenOptLevel level) const {
  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return makeError(message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return makeError("no code generator for '" + triple.str() + "'");
  return machine;
}
