// SPDX-License-Identifier: BSL-1.0
// Only its command line matters: test/tools/check.py takes the compiler and its flags from it.
int main() {}
