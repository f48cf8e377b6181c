// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/shape.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/nn/orthonormalize.hpp>
#include <unspool/nn/random.hpp>

#include <cstddef>
#include <type_traits>

/// Rules that fill one parameter: Keras' initialisers by their Keras names. A rule is any object
/// with `operator()(T* values, shape const& dims, random_stream const& draw) const`; values are
/// row-major and the stream is the parameter's own. A rule of the user's needs no registration.
namespace unspool {
inline namespace v0 {
namespace init {

struct constant {
    double value = 0;

    template <class T>
    constexpr void operator()(T* values, shape const& dims, random_stream const&) const noexcept {
        int const n = dims.size();
        for (int k = 0; k < n; ++k) values[k] = static_cast<T>(value);
    }
};

struct zeros : constant {
    constexpr zeros() noexcept : constant{0} {}
};

struct ones : constant {
    constexpr ones() noexcept : constant{1} {}
};

/// Uniform on [lo, hi).
struct random_uniform {
    double lo = -0.05;
    double hi = 0.05;

    template <class T>
    constexpr void operator()(T* values, shape const& dims,
                              random_stream const& draw) const noexcept {
        draw.uniform(values, static_cast<std::size_t>(dims.size()), static_cast<T>(lo),
                     static_cast<T>(hi));
    }
};

struct random_normal {
    double mean = 0;
    double stddev = 0.05;

    template <class T>
    constexpr void operator()(T* values, shape const& dims,
                              random_stream const& draw) const noexcept {
        draw.normal(values, static_cast<std::size_t>(dims.size()), static_cast<T>(mean),
                    static_cast<T>(stddev));
    }
};

/// Uniform on [−limit, limit), limit = √(6 / (fan_in + fan_out)). The fans are the last two
/// extents, times all before them (a convolution's window); those of a vector are both its length.
/// Source: Keras' GlorotUniform; Glorot and Bengio, AISTATS 2010.
struct glorot_uniform {
    static constexpr double limit(shape const& dims) noexcept {
        int const r = dims.rank;
        double const field = r > 2 ? dims.span(0, r - 2) : 1;
        double const fan_out = r > 0 ? dims[r - 1] : 1;
        double const fan_in = r > 1 ? dims[r - 2] : fan_out;
        return math::sqrt(6 / (field * (fan_in + fan_out)));
    }
    template <class T>
    constexpr void operator()(T* values, shape const& dims,
                              random_stream const& draw) const noexcept {
        double const bound = limit(dims);
        random_uniform{-bound, bound}(values, dims, draw);
    }
};

/// A matrix with orthonormal rows or columns, whichever are fewer, times gain: the Q of a normal
/// matrix, its signs such that the distribution is uniform. Of more than two axes, all but the last
/// are rows. Orthonormal to a few rounding errors of T (nn/orthonormalize.hpp).
///
/// Cost: m²·n multiply-adds of an m × n matrix, m ≤ n; twice that if it is nearly square. In
/// constant evaluation, an LSTM of 24 units takes 28 % of clang's default limit of steps; larger
/// ones belong to run time.
/// Source: Keras' Orthogonal; Saxe, McClelland and Ganguli, ICLR 2014.
struct orthogonal {
    double gain = 1;

    template <class T>
    constexpr void operator()(T* values, shape const& dims,
                              random_stream const& draw) const noexcept {
        random_normal{0, 1}(values, dims, draw);
        int const columns = dims.rank > 0 ? dims[dims.rank - 1] : 1;
        int const rows = dims.size() / columns;
        if (rows <= columns) {
            orthonormalize(values, rows, columns, columns, std::integral_constant<int, 1>{});
        } else {
            orthonormalize(values, columns, rows, 1, columns);
        }
        if (gain != 1)
            for (int k = 0; k < rows * columns; ++k) values[k] = static_cast<T>(gain * values[k]);
    }
};

/// The bias (4·units) of an LSTM with gates i, f, c, o: 1 for the forget gate f, 0 elsewhere.
/// Source: Keras' LSTM, unit_forget_bias; Jozefowicz, Zaremba and Sutskever, ICML 2015.
struct unit_forget_bias {
    template <class T>
    constexpr void operator()(T* values, shape const& dims, random_stream const&) const noexcept {
        int const units = dims.size() / 4;
        for (int k = 0; k < 4 * units; ++k) values[k] = k >= units && k < 2 * units ? T(1) : T(0);
    }
};

/// What a struct says of its members if it says nothing: glorot_uniform for two axes and more,
/// zeros otherwise; for a member that is itself a struct, that struct's own rules.
struct automatic {
    template <class T>
    constexpr void operator()(T* values, shape const& dims,
                              random_stream const& draw) const noexcept {
        if (dims.rank >= 2) {
            glorot_uniform{}(values, dims, draw);
        } else {
            zeros{}(values, dims, draw);
        }
    }
};

}  // namespace init
}  // namespace v0
}  // namespace unspool
