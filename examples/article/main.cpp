// SPDX-License-Identifier: BSL-1.0
//
// An article on TensorFlow's GradientTape and recurrence, done again: the gradient of an LSTM over
// all steps, of its last step only, and as the sum of one tape per step; how far back the gradient
// reaches; ten steps of four optimisers. Every figure stands beside TensorFlow's, and one that
// deviates by more than 1e-12 makes the exit code 1.

#include "figures.hpp"
#include "model.hpp"
#include "training.hpp"
#include "values.hpp"

#include <cmath>
#include <cstdio>

namespace us = unspool;
using namespace article;

namespace {

struct reference_norms {
    double kernel, recurrent_kernel, bias;
};

void compare_norms(comparison& all, params const& gradient, reference_norms const& expected) {
    all.line("|d kernel|", norm(gradient.kernel), expected.kernel);
    all.line("|d recurrent|", norm(gradient.recurrent_kernel), expected.recurrent_kernel);
    all.line("|d bias|", norm(gradient.bias), expected.bias);
}

/// The three answers to "what is the gradient?".
template <class Xs>
void gradients(comparison& all, params const& cell, Xs const& xs) {
    us::program whole(us::value_and_grad(loss), cell, xs);
    auto const& [value, full] = whole(cell, xs);
    comparison::head("all steps");
    all.line("loss", value, 0.0022825558165383304);
    compare_norms(all, full, {0.016192195956404618, 0.01148355412596822, 0.1410399156787282});

    us::program last(us::value_and_grad(last_step), cell, xs);
    auto const& [last_value, last_gradient] = last(cell, xs);
    comparison::head("last step only");
    all.line("loss", last_value, 0.00045033457451529557);
    compare_norms(all, last_gradient,
                  {0.012248137502953501, 0.0016320393183315994, 0.01575801148705047});

    us::program tapes(us::grad(nested_tapes), cell, xs);
    params const& sum = tapes(cell, xs);
    comparison::head("nested tapes, added");
    compare_norms(all, sum, {0.00862218134783696, 0.0066535641241367615, 0.07953879898305376});

    std::printf("\nA tape inside of each step sees the carried state (h, c) as a constant. The sum "
                "lacks every\n"
                "term that flows through it: of the %d pairs (loss of step t, parameters used at "
                "step s <= t)\n"
                "it has the %d with s = t and loses the %d with s < t, truncated backpropagation "
                "with a window\n"
                "of one step. Missing of the gradient: %.0f %% of d kernel, %.0f %% of d "
                "recurrent, %.0f %% of "
                "d bias.\n",
                steps * (steps + 1) / 2, steps, steps * (steps - 1) / 2,
                100 * missing(full.kernel, sum.kernel),
                100 * missing(full.recurrent_kernel, sum.recurrent_kernel),
                100 * missing(full.bias, sum.bias));
}

/// ‖∂L/∂h_t‖ over t: how far back a loss reaches.
template <class Xs>
void profile(params const& cell, Xs const& xs) {
    xt::xtensor_fixed<double, xt::xshape<steps, 1, units>> const no_shift =
        xt::zeros<double>({steps, 1, units});
    us::program of_all(us::grad(shifted_loss), no_shift, cell, xs);
    us::program of_last(us::grad(shifted_last_step), no_shift, cell, xs);
    auto const all = norms_of_steps(of_all(no_shift, cell, xs));
    auto const last = norms_of_steps(of_last(no_shift, cell, xs));

    std::printf(
        "\nHow far back the gradient reaches: |dL/dh_t|, L the whole loss, and its last step's "
        "part\n\n   t   whole loss   last step's, in bars of two columns for each power of ten\n");
    double const least = last[0] / 10;
    double const powers = std::log10(last[steps - 1] / least);
    for (std::size_t t = 0; t < steps; ++t) {
        double const height = std::log10(last[t] / least) / powers;
        std::printf("  %2zu   %10.3e   %10.3e  %s\n", t, all[t], last[t],
                    bar(height, static_cast<int>(std::lround(2 * powers))).c_str());
    }
    std::printf(
        "\nThe last step's loss hardly sees the first steps: its gradient falls by a factor of\n"
        "%.2g a step, %.0e over all. The whole loss has a part of its own at every step.\n",
        std::pow(last[steps - 1] / last[0], 1.0 / (steps - 1)), last[steps - 1] / last[0]);
}

}  // namespace

int main() {
    params const cell = initial_cell();
    xt::xtensor<double, 3> const sequence_of_steps = input();
    auto const xs = us::as<sequence>(sequence_of_steps);

    std::printf(
        "An LSTM of %d units over %d steps of %d features; the loss is the mean of all outputs.\n",
        units, steps, features);
    comparison all;
    gradients(all, cell, xs);
    profile(cell, xs);
    std::printf("\nTen steps of each optimiser on that sequence\n");
    train_all(all, cell, xs);

    std::printf("\nLargest relative deviation: %.1e, %s %.0e.\n", all.worst(),
                all.agrees() ? "within" : "more than", tolerance);
    return all.agrees() ? 0 : 1;
}
