// SPDX-License-Identifier: BSL-1.0
//
// Cells that the library does not know, against its LSTM: one JSON line per cell, size and pass,
// with the time of a floating-point operation and its ratio to the LSTM's of the same size. The
// mean of all outputs and its gradient with respect to all parameters.
//
// usage: cells [SIZE]...      W2, W4; all if none is named

#include "../examples/gru.hpp"
#include "../examples/peephole.hpp"
#include "measure.hpp"

#include <unspool/unspool.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace us = unspool;

namespace {

using element = float;

inline constexpr auto lstm_loss = [](auto const& p, auto const& xs) {
    return us::mean(us::lstm(p, xs).outputs);
};
inline constexpr auto peephole_loss = [](auto const& p, auto const& xs) {
    return us::mean(examples::peephole(p, xs));
};
inline constexpr auto gru_loss = []<class T, auto I, auto H>(
    examples::gru_params<us::traced<T>, I, H> const& p, auto const& xs) {
    us::tensor<us::traced<T>, std::remove_cvref_t<decltype(xs)>::dims.extent[1], H> const zeros;
    return us::mean(examples::gru(p, xs, zeros).second);
};

/// Picoseconds per floating-point operation of the LSTM, by size and pass.
std::map<std::string, double> lstm_time;

template <class Program>
void report(std::string const& size, std::string const& cell, char const* what,
            bench::timing const& t) {
    double const ps = t.least_us() * 1e6 / Program::flops;
    auto const [of, first] = lstm_time.try_emplace(size + what, ps);
    bench::print(size + "_" + cell, what, t,
                 "\"ps_per_flop\": " + bench::number(ps) +
                     ", \"to_lstm\": " + bench::number(ps / of->second));
}

template <int T, int B, int I, int H, class Params, class Loss>
void cell(std::string const& size, std::string const& name, Loss loss) {
    using sequence = us::tensor<element, T, B, I>;
    auto const params = std::make_unique<Params>();
    us::initialize(*params, 1);
    auto const xs = std::make_unique<sequence>();
    us::fill_normal(*xs, 2);
    using forward = us::program<Loss, Params, sequence>;
    auto const f = std::make_unique<forward>();
    report<forward>(size, name, "forward",
                    bench::measure([&] { bench::keep((*f)(*params, *xs)); }));
    using gradient = us::program<decltype(us::value_and_grad(loss)), Params, sequence>;
    auto const g = std::make_unique<gradient>();
    auto const result = std::make_unique<typename gradient::result_type>();
    report<gradient>(size, name, "gradient", bench::measure([&] {
                         (*g)(*params, *xs, *result);
                         bench::keep(*result);
                     }));
}
template <int T, int B, int I, int H>
void cells(std::string const& size) {
    cell<T, B, I, H, us::lstm_params<element, I, H>>(size, "lstm", lstm_loss);
    cell<T, B, I, H, examples::peephole_params<element, I, H>>(size, "peephole", peephole_loss);
    cell<T, B, I, H, examples::gru_params<element, I, H>>(size, "gru", gru_loss);
}

}  // namespace

int main(int argc, char** argv) {
    if (bench::wanted(argc, argv, "W2")) cells<100, 1, 32, 32>("W2");
    if (bench::wanted(argc, argv, "W4")) cells<50, 32, 128, 128>("W4");
}
