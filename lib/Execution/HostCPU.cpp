//===- HostCPU.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolving a CPU's name, and comparing its instructions with the host's.
//
//===----------------------------------------------------------------------===//

#include "HostCPU.h"
#include "fakequant/Execution/Jit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
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

static std::string printHostFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.getValue() ? "+" : "-") +
                       feature.getKey().str());
  llvm::sort(features);
  return llvm::join(features, ",");
}

llvm::Expected<HostCPU> fakequant::resolveHostCPU(llvm::StringRef name) {
  static const bool hasTarget = !llvm::InitializeNativeTarget() &&
                                !llvm::InitializeNativeTargetAsmPrinter() &&
                                !llvm::InitializeNativeTargetAsmParser();
  if (!hasTarget)
    return llvm::createStringError(
        "expected LLVM to have the host's target but it was built without it");

  HostCPU cpu;
  cpu.triple = llvm::Triple(llvm::sys::getProcessTriple());
  std::string message;
  cpu.target = llvm::TargetRegistry::lookupTarget(cpu.triple, message);
  if (!cpu.target)
    return llvm::createStringError(message);
  if (name == "host") {
    cpu.name = llvm::sys::getHostCPUName().str();
    cpu.features = printHostFeatures();
    return cpu;
  }

  // Made without a name first: LLVM warns about unknown ones and goes on.
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      cpu.target->createMCSubtargetInfo(cpu.triple, "", ""));
  if (!subtarget || !subtarget->isCPUStringValid(name))
    return llvm::createStringError("target-cpu: expected 'host' or a CPU of " +
                                   cpu.triple.getArchName() + " but got '" +
                                   name + "'");
  subtarget.reset(cpu.target->createMCSubtargetInfo(cpu.triple, name, ""));
  auto isEnabled = [&](llvm::StringRef key) {
    return llvm::any_of(
        subtarget->getEnabledProcessorFeatures(),
        [&](const llvm::SubtargetFeatureKV &kv) { return key == kv.Key; });
  };
  if (cpu.triple.getArch() == llvm::Triple::x86_64 && !isEnabled("64bit"))
    return llvm::createStringError(
        "target-cpu: expected a 64-bit CPU but got '" + name + "'");
  std::vector<std::string> missing = findMissingFeatures(*subtarget);
  if (!missing.empty())
    return llvm::createStringError(
        "target-cpu: expected a CPU whose instructions this machine (" +
        llvm::sys::getHostCPUName() + ") has but got '" + name +
        "', which needs " + llvm::join(missing, ", "));
  cpu.name = name.str();
  return cpu;
}

llvm::Error fakequant::checkTargetCPU(llvm::StringRef targetCPU) {
  return resolveHostCPU(targetCPU).takeError();
}
