// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's input does not have as many steps, its first extent, as the scan
// expect-note: sequence<5 | Steps = 5
// expect-note: tensor<unspool::v0::traced<double>, 4> | tensor<unspool::traced<double>, 4>
// expect-note: traced<double>, 5>::gain
// twin: s/Steps - 1>, gain/Steps>, gain/
#include <unspool/unspool.hpp>

namespace us = unspool;

template <class T, auto Steps>
struct frames {
    BOOST_HANA_DEFINE_STRUCT(frames, (us::tensor<T, Steps, 3>, drive),
                             (us::tensor<T, Steps - 1>, gain));
};

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto h, auto x) { return std::pair{h + x.gain * x.drive, h}; };
    return us::scan(step, init, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, frames<double, 5>{});
