// SPDX-License-Identifier: BSL-1.0
// docs/for-jax-users.md
#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace us = unspool;

// [functions]
inline constexpr auto f = [](auto w, auto x) { return us::sum(us::tanh(us::dot(x, w))); };
inline constexpr auto with_aux = [](auto w, auto x) {
    auto const y = us::dot(x, w);
    return std::pair{us::sum(us::square(y)), y};  // {loss, aux}
};
// [/functions]

// [scan]
inline constexpr auto discounted = [](auto rewards) {
    auto const step = [](auto const& value, auto const& reward) {
        auto const next = reward + 0.9 * value;
        return std::pair{next, next};  // {carry, y}
    };
    return us::scan(step, 0.0, rewards, us::reversed).second;
};
static_assert(us::call(discounted, us::tensor<double, 3>{0, 0, 1})[0] > 0.8099);
// [/scan]

// [structs]
template <class T, auto Joints>
struct pose {
    BOOST_HANA_DEFINE_STRUCT(pose, (us::tensor<T, Joints>, angle), (us::tensor<T, Joints>, speed));
};
inline constexpr auto travelled = [](auto start, auto forces) {
    auto const step = [](auto state, auto const& force) {
        state.speed = state.speed + 0.01 * force;
        state.angle = state.angle + 0.01 * state.speed;
        return std::pair{state, state};  // ys has the members angle and speed, (steps, joints)
    };
    return us::scan(step, start, forces).second;
};
using path = pose<us::stacked<double, 20>, 3>;  // its angle is a us::tensor<double, 20, 3>
constexpr path moved = us::call(travelled, pose<double, 3>{}, us::ones<double, 20, 3>());
// [/structs]
static_assert(moved.speed(19, 2) > 0.1999 && moved.speed(19, 2) < 0.2001);
static_assert(moved.angle(19, 0) > 0.02099 && moved.angle(19, 0) < 0.02101);  // 0.0001·(1 + … + 20)

// [indexing]
inline constexpr auto pieces = [](auto x) {               // x has shape (4, 6)
    auto const columns = x(us::all, us::range<1, 5, 2>);  // x[:, 1:5:2]
    auto const last = x(us::at<-1>);                      // x[-1]
    auto const gram = us::einsum<"ij,kj->ik">(columns, columns);
    auto const picked = us::take(x, us::tensor<int, 2>{3, 0});  // x[jnp.array([3, 0])]
    return us::sum(us::where(gram > 0, gram, 0)) + us::max(us::softmax(last)) + us::sum(picked);
};
// [/indexing]

int main() {
    auto const w = us::normal<double, 3, 2>(1);
    auto const x = us::normal<double, 5, 3>(2);
    // [calls]
    us::program step(us::value_and_grad(f), w, x);  // jax.jit(jax.value_and_grad(f))
    auto const& [value, gradient] = step(w, x);

    auto const [of_w, of_x] = us::grad<0, 1>(f)(w, x);  // argnums=(0, 1)
    auto const [loss_and_y, g] = us::value_and_grad(with_aux, us::has_aux)(w, x);

    auto const direction = us::normal<double, 3, 2>(3);
    auto const [at, along] = us::jvp(f)(w, x, direction);  // jax.jvp(…, (w,), (direction,))
    auto const [same, pulled] = us::vjp(f)(w, x, 1.0);     // the seed is an argument
    auto const hessian_times_direction = us::jvp(us::grad(f))(w, x, direction).second;
    // [/calls]
    double slope = 0, curvature = 0;
    for (int k = 0; k < w.size(); ++k) slope += gradient[k] * direction[k];
    for (int k = 0; k < w.size(); ++k) curvature += hessian_times_direction[k] * direction[k];
    auto const line = [&](double h) {  // f along the direction, as a formula
        double total = 0;
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 2; ++j) {
                double z = 0;
                for (int k = 0; k < 3; ++k) z += x(i, k) * (w(k, j) + h * direction(k, j));
                total += std::tanh(z);
            }
        return total;
    };
    auto const near = [](double a, double b) { return std::fabs(a - b) < 1e-5; };
    double const h = 1e-3;
    bool const good = near(value, line(0)) && near(at, line(0)) && near(same, line(0)) &&
                      near(loss_and_y.first, us::call(with_aux, w, x).first) &&
                      near(along, slope) && near(slope, (line(h) - line(-h)) / (2 * h)) &&
                      near(curvature, (line(h) - 2 * line(0) + line(-h)) / (h * h)) &&
                      of_w == gradient && pulled == gradient && of_x.size() == 15 && g.size() == 6;
    auto const p = us::normal<double, 4, 6>(4);
    double expected = 0, most = 0, total = 0;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k) expected += std::fmax(p(i, 1) * p(k, 1) + p(i, 3) * p(k, 3), 0);
    for (int j = 0; j < 6; ++j) most = std::fmax(most, std::exp(p(3, j)));
    for (int j = 0; j < 6; ++j) total += std::exp(p(3, j));
    for (int j = 0; j < 6; ++j) expected += p(3, j) + p(0, j);
    bool const indexed = near(us::call(pieces, p), expected + most / total);
    std::printf("%d %d\n", good, indexed);
    return good && indexed ? 0 : 1;
}
