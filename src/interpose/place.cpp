#include "interpose/place.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace shunt::interpose {

namespace {

std::string program_file() {
  char name[4096];
  const ssize_t length = readlink("/proc/self/exe", name, sizeof name);
  return length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "the program";
}

}  // namespace

Place place_of(const CallSite& site) {
  Place place{std::string(site.first), "unknown", 0, ""};
  // The byte before the one to which the call returns is part of the call.
  const auto* call = static_cast<const char*>(site.second) - 1;
  Dl_info info{};
  link_map* module = nullptr;
  if (dladdr1(call, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0) return place;
  // The loader has no name for the program itself.
  place.module = *module->l_name == '\0' ? program_file() : module->l_name;
  place.offset = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(call) -
                                            static_cast<std::uintptr_t>(module->l_addr));
  if (info.dli_sname != nullptr) place.symbol = info.dli_sname;
  return place;
}

}  // namespace shunt::interpose
