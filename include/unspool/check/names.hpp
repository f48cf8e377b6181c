// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/structure.hpp>
#include <unspool/expr/traced.hpp>

#include <boost/hana/first.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Names of the members of structures, for messages.

namespace unspool {
inline namespace v0 {
namespace check {

/// Appends a name for each leaf of X, in order: the members' names in Hana structs, positions in
/// tuples and arrays, "layer.kernel" where they are nested. A leaf by itself has the name `prefix`.
template <class X>
void append_leaf_names(std::vector<std::string>& names, std::string const& prefix) {
    auto const inside = [&](std::string const& member) {
        return prefix.empty() ? member : prefix + "." + member;
    };
    if constexpr (is_leaf<X>) {
        names.push_back(prefix);
    } else if constexpr (hana_struct<X>) {
        hana::for_each(hana::accessors<X>(), [&](auto accessor) {
            using member =
                std::remove_cvref_t<decltype(hana::second(accessor)(std::declval<X&>()))>;
            append_leaf_names<member>(names, inside(hana::first(accessor).c_str()));
        });
    } else {
        []<class... M>(auto append, std::type_identity<std::tuple<M...>>) {
            int position = 0;
            (append(std::type_identity<M>{}, position++), ...);
        }(
            [&]<class M>(std::type_identity<M>, int position) {
                append_leaf_names<M>(names, inside(std::to_string(position)));
            },
            std::type_identity<member_types<X>>{});
    }
}

/// The place of element k in a value of this shape: "[3, 4]"; nothing for a scalar.
inline std::string index_text(shape const& dims, int k) {
    if (dims.rank == 0) return "";
    std::string text;
    for (int axis = dims.rank - 1; axis >= 0; --axis) {
        text = (axis == 0 ? "" : ", ") + std::to_string(k % dims.extent[axis]) + text;
        k /= dims.extent[axis];
    }
    return "[" + text + "]";
}

}  // namespace check
}  // namespace v0
}  // namespace unspool
