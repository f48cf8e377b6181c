// SPDX-License-Identifier: BSL-1.0
// Uses unspool as a project of its own would: first include, one computation, exit code.
#if __has_include(<unspool/unspool.hpp>)
#include <unspool/unspool.hpp>
#else
#error "unspool's headers are not on the include path"
#endif

int main() {}
