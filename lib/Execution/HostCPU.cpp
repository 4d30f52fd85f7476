//===- HostCPU.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparing a CPU's instructions with the host's.
//
//===----------------------------------------------------------------------===//

#include "HostCPU.h"
#include "fakequant/Execution/Jit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Instructions of x86 that compiled tensor code never holds: protection keys,
/// enclaves, power management, random numbers, cache control. Virtual machines
/// hide many of them, so that even the machine's own CPU name would be refused.
static const llvm::StringSet<> &getUnusedFeatures() {
  static const llvm::StringSet<> features = {
      "cldemote",  "clflushopt", "clwb",    "clzero",    "enqcmd",
      "fsgsbase",  "hreset",     "invpcid", "kl",        "lwp",
      "movdir64b", "movdiri",    "mwaitx",  "pconfig",   "pku",
      "prefetchi", "prfchw",     "ptwrite", "rdpid",     "rdpru",
      "rdrnd",     "rdseed",     "rtm",     "serialize", "sgx",
      "shstk",     "tsxldtrk",   "uintr",   "usermsr",   "waitpkg",
      "wbnoinvd",  "widekl",     "xsave",   "xsavec",    "xsaveopt",
      "xsaves"};
  return features;
}

/// The features `cpu` has by its name and the host has not.
static std::vector<std::string>
findMissingFeatures(const llvm::MCSubtargetInfo &cpu) {
  llvm::StringMap<bool> host;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    host[feature.getKey()] = feature.getValue();
  std::vector<std::string> missing;
  for (const llvm::SubtargetFeatureKV &feature :
       cpu.getEnabledProcessorFeatures()) {
    // What the host was not asked about is tuning, or cannot be asked about.
    auto known = host.find(feature.Key);
    if (known != host.end() && !known->second &&
        !getUnusedFeatures().contains(feature.Key))
      missing.emplace_back(feature.Key);
  }
  llvm::sort(missing);
  return missing;
}

llvm::Expected<CPUTarget> fakequant::resolveHostCPU(llvm::StringRef name) {
  // Left out means the host in a pipeline; here it was given, and is nothing.
  if (name.empty())
    return llvm::createStringError(
        "target-cpu: expected 'host' or the name of a CPU but got ''");
  llvm::Expected<CPUTarget> target = CPUTarget::get(/*triple=*/"", name);
  if (!target || name == "host")
    return target;

  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(target->triple, message);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(target->triple, target->cpu, ""));
  std::vector<std::string> missing = findMissingFeatures(*subtarget);
  if (!missing.empty())
    return llvm::createStringError(
        "target-cpu: expected a CPU whose instructions this machine (" +
        llvm::sys::getHostCPUName() + ") has but got '" + name +
        "', which needs " + llvm::join(missing, ", "));
  return target;
}

llvm::Error fakequant::checkTargetCPU(llvm::StringRef targetCPU) {
  return resolveHostCPU(targetCPU).takeError();
}
