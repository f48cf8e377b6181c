// SPDX-License-Identifier: BSL-1.0
// Loops written out, by hand or by the pass, against scans.
#include "grad/scans.hpp"

using namespace unspool_test;

TEST_CASE("a loop written out is the scan", "[grad][scan]") {
    auto const p = gradient_of_all(loss_of<scanned>, a, xs, h0);
    auto const q = gradient_of_all(loss_of<unrolled>, a, xs, h0);
    CHECK(p.value == Approx(q.value).epsilon(tolerance::pass));
    CHECK(apart(p.gradient, q.gradient) <= tolerance::pass);
    check_differences(loss_of<scanned>, a, xs, h0);
    check_adjoints(20, scanned, a, xs, h0);
    check_all_adjoints(20, unrolled, a, xs, h0);
}

TEST_CASE("the pass that unrolls changes no gradient", "[grad][scan]") {
    auto const p = gradient_of_all(loss_of<scanned>, a, xs, h0);
    auto const q = gradient_of_all(us::unroll<7>(loss_of<scanned>), a, xs, h0);
    CHECK(apart(p.gradient, q.gradient) <= tolerance::pass);
}
