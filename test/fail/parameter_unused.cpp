// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the loss does not depend on a parameter that is differentiated
// expect-note: parameter<
// expect-note: dense_params<double, 3, 2>::bias
// twin: s/us::value_and_grad(loss)/us::value_and_grad(loss, us::unused::zero)/
#include <unspool/unspool.hpp>

namespace us = unspool;

// [code]
template <class T, auto Units>
struct network {
    BOOST_HANA_DEFINE_STRUCT(network, (us::dense_params<T, 3, Units>, hidden),
                             (us::tensor<T, Units>, gain));
};

constexpr auto loss = [](auto net, auto x) {
    return us::sum(us::dot(x, net.hidden.kernel) * net.gain);
};
us::program planned(us::value_and_grad(loss), network<double, 2>{}, us::tensor<double, 3>{});
// [/code]
