// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/as.hpp>
#include <unspool/ext/file.hpp>
#include <unspool/run/program.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Tensors as NumPy's npy files.
///
/// * `us::npy::write("x.npy", x)` writes what `numpy.save` writes;
/// * `us::npy::read<us::tensor<float, 3, 4>>("x.npy")` reads what `numpy.save` wrote, if it is an
///   array of that element type and shape; `us::npy::read("x.npy", x)` reads into x.
///
/// A file is refused by a std::runtime_error of one sentence with the file, what was found and what
/// is needed; what was to be read into is then as before. Versions 1.0, 2.0 and 3.0 are read; 1.0
/// is written. Arrays in Fortran's order, big-endian ones, headers above 64 KiB, bytes after the
/// array, and truth values other than 0 and 1 are refused. Needs POSIX and a little-endian machine.
/// Source: numpy.lib.format.

namespace unspool {
inline namespace v0 {

namespace npy {

/// The option that lets `read` convert elements of another type. Floating-point numbers round; any
/// other number that the tensor's type does not hold exactly is refused.
struct convert_t {};
inline constexpr convert_t convert{};

}  // namespace npy

namespace detail {

static_assert(std::endian::native == std::endian::little,
              "unspool: npy files are read and written on little-endian machines");

inline constexpr std::string_view npy_magic = "\x93NUMPY";
inline constexpr std::uint64_t npy_longest_header = 65536;

/// NumPy's letter and size of an element type.
struct npy_type {
    char kind = '?';
    int size = 0;
    friend constexpr bool operator==(npy_type const&, npy_type const&) = default;
};
template <class T>
inline constexpr npy_type npy_type_of = {std::is_same_v<T, bool>       ? 'b'
                                         : std::is_floating_point_v<T> ? 'f'
                                         : std::is_signed_v<T>         ? 'i'
                                                                       : 'u',
                                         static_cast<int>(sizeof(T))};

/// Its text in a header: '<f4'. The order of a single byte is of no matter, and '|' by convention.
inline std::string npy_descr(npy_type type) {
    return std::string(type.size == 1 ? "|" : "<") + type.kind + std::to_string(type.size);
}

/// Calls f with a null pointer to the element type that `type` says; whether there is one.
template <class F>
bool for_npy_type(npy_type type, F f) {
    auto const attempt = [&]<class... U>(U*... element) {
        return ((type == npy_type_of<U> && (f(element), true)) || ...);
    };
    return std::apply(
        attempt,
        std::tuple<float*, double*, bool*, std::int8_t*, std::int16_t*, std::int32_t*,
                   std::int64_t*, std::uint8_t*, std::uint16_t*, std::uint32_t*, std::uint64_t*>{});
}

/// What a header says.
struct npy_header {
    std::string_view descr;
    bool fortran_order = false;
    std::vector<std::uint64_t> extents;
};

/// Reads the text of a header, a Python dictionary of three keys in any order.
class npy_header_reader {
public:
    explicit npy_header_reader(std::string_view text) : rest_(text) {}

    /// Whether the text is such a dictionary, spaces and the end of the line after it.
    bool read(npy_header& header) {
        bool descr = false;
        bool order = false;
        bool shape = false;
        if (!take("{")) return false;
        while (!take("}")) {
            std::string_view key;
            if (!string(key) || !take(":")) return false;
            bool* const seen = key == "descr"           ? &descr
                               : key == "fortran_order" ? &order
                               : key == "shape"         ? &shape
                                                        : nullptr;
            if (seen == nullptr || *seen) return false;
            *seen = true;
            if (seen == &descr && !string(header.descr)) return false;
            if (seen == &order && !truth(header.fortran_order)) return false;
            if (seen == &shape && !tuple(header.extents)) return false;
            if (!take(",") && !next_is('}')) return false;
        }
        spaces();
        return descr && order && shape && rest_ == "\n";
    }

private:
    void spaces() {
        while (next_is(' ')) rest_.remove_prefix(1);
    }
    bool next_is(char c) const { return !rest_.empty() && rest_[0] == c; }
    /// Takes a word and the spaces around it.
    bool take(std::string_view word) {
        spaces();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        spaces();
        return true;
    }
    bool string(std::string_view& into) {
        spaces();
        if (!next_is('\'') && !next_is('"')) return false;
        auto const end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return false;
        into = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return true;
    }
    bool truth(bool& into) {
        into = take("True");
        return into || take("False");
    }
    bool number(std::uint64_t& into) {
        constexpr auto most = std::uint64_t{1} << 53;
        std::size_t digits = 0;
        into = 0;
        for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
            into = 10 * into + static_cast<std::uint64_t>(rest_[digits] - '0');
            if (into > most) return false;
        }
        bool const canonical = digits == 1 || (digits > 1 && rest_[0] != '0');
        rest_.remove_prefix(digits);
        return canonical;
    }
    bool tuple(std::vector<std::uint64_t>& into) {
        constexpr std::size_t most_axes = 64;  // NumPy's limit
        if (!take("(")) return false;
        while (!take(")")) {
            std::uint64_t extent = 0;
            if (into.size() == most_axes || !number(extent)) return false;
            into.push_back(extent);
            bool const comma = take(",");
            if (!comma && (into.size() == 1 || !next_is(')'))) return false;
        }
        return true;
    }

    std::string_view rest_;
};

/// An array found in a file and checked.
struct npy_array {
    npy_type type;
    std::string_view elements;
};

/// Calls f with each element of an array of elements U.
template <class U, class F>
void for_each_npy_element(npy_array const& array, F f) {
    using stored = std::conditional_t<std::is_same_v<U, bool>, std::uint8_t, U>;
    for (std::size_t at = 0; at < array.elements.size(); at += sizeof(stored)) {
        stored x;
        std::memcpy(&x, array.elements.data() + at, sizeof x);
        f(x);
    }
}

/// Whether T holds a number: exactly, but that floating-point numbers round to each other.
template <class T, class U>
bool holds(U x) {
    if constexpr (std::is_floating_point_v<T> && std::is_floating_point_v<U>) {
        if constexpr (sizeof(T) >= sizeof(U)) return true;
        else return !std::isfinite(x) || std::abs(x) <= U{std::numeric_limits<T>::max()};
    } else if constexpr (std::is_floating_point_v<T>) {
        constexpr auto most = std::int64_t{1} << std::numeric_limits<T>::digits;
        return std::cmp_less_equal(x, most) && std::cmp_greater_equal(x, -most);
    } else if constexpr (std::is_floating_point_v<U>) {
        U const end = std::ldexp(U(1), std::numeric_limits<T>::digits);
        return x >= static_cast<U>(std::numeric_limits<T>::min()) && x < end && x == std::trunc(x);
    } else {
        return std::cmp_less_equal(x, static_cast<std::uint64_t>(std::numeric_limits<T>::max())) &&
               std::cmp_greater_equal(x, static_cast<std::int64_t>(std::numeric_limits<T>::min()));
    }
}

/// An element type that npy files hold.
template <class T>
constexpr bool npy_element() {
    constexpr bool known = sizeof(T) <= 8;
    static_assert(known, "unspool: npy files hold float, double, bool and integers of up to 8 "
                         "bytes; the element type stands in npy_element<T>");
    return known;
}

/// The most bytes that a file of such a leaf may have.
template <class Leaf>
inline constexpr std::uint64_t npy_most_bytes = npy_magic.size() + 6 + npy_longest_header
                                                + std::uint64_t{as_traced<Leaf>::count} * 8;

/// The array of a file's bytes, which must fit a leaf of this type; refuses any other.
template <class Leaf>
npy_array find_npy_array(std::string const& name, std::string_view bytes, bool convert) {
    using T = element_t<Leaf>;
    byte_reader file{bytes};
    if (file.bytes(npy_magic.size()) != npy_magic)
        refuse_file(name, "is not an npy file: it does not begin as one");
    auto const major = file.number(1);
    auto const minor = file.number(1);
    if (major < 1 || major > 3 || minor != 0 || file.failed)
        refuse_file(name, "has version " + std::to_string(major) + "." + std::to_string(minor) +
                              " of the npy format, where 1.0, 2.0 or 3.0 is needed");
    auto const length = file.number(major == 1 ? 2 : 4);
    if (length > npy_longest_header)
        refuse_file(name, "has a header of " + std::to_string(length) + " bytes, where at most " +
                              std::to_string(npy_longest_header) + " are read");
    auto const text = file.bytes(length);
    if (file.failed) refuse_file(name, "ends within its header");
    npy_header header;
    if (!npy_header_reader(text).read(header))
        refuse_file(name, "has a header " + shown(text) +
                              ", where one like '{'descr': '<f4', 'fortran_order': False, 'shape': "
                              "(3, 4), }' and the end of the line are needed");
    if (header.fortran_order)
        refuse_file(name, "holds an array in Fortran's order, where C's is needed; save "
                          "numpy.ascontiguousarray of it");

    constexpr shape dims = as_traced<Leaf>::dims;
    bool same = header.extents.size() == static_cast<std::size_t>(dims.rank);
    for (int i = 0; same && i < dims.rank; ++i)
        same = std::cmp_equal(header.extents[static_cast<std::size_t>(i)], dims.extent[i]);
    if (!same)
        refuse_file(name, "holds an array of shape " +
                              shape_text(header.extents, header.extents.size()) + ", where shape " +
                              shape_text(dims.extent, static_cast<std::size_t>(dims.rank)) +
                              " is needed");

    auto const expected = npy_descr(npy_type_of<T>);
    auto const refuse_type = [&](char const* hint) {
        refuse_file(name, "holds elements of type " + shown(header.descr) + ", where '" + expected +
                              "' is needed" + hint);
    };
    npy_array array;
    if (auto const& d = header.descr; d.size() == 3) array.type = {d[1], d[2] - '0'};
    if (!for_npy_type(array.type, [](auto*) {})) refuse_type("");
    char const order = header.descr[0];
    if (order != '<' && (order != '|' || array.type.size > 1))
        refuse_type(order == '>' ? "; save x.astype(x.dtype.newbyteorder('<'))" : "");
    if (array.type != npy_type_of<T> && !convert)
        refuse_type("; us::npy::convert as a further argument converts them");

    auto const size = std::uint64_t{dims.size()} * static_cast<unsigned>(array.type.size);
    if (file.rest.size() != size)
        refuse_file(name, "has " + std::to_string(file.rest.size()) +
                              " bytes after its header, where its array takes " +
                              std::to_string(size));
    array.elements = file.rest;
    for_npy_type(array.type, [&]<class U>(U*) {
        for_each_npy_element<U>(array, [&](auto x) {
            if (std::is_same_v<U, bool> && x != 0 && x != 1)
                refuse_file(name, "holds a truth value that is neither 0 nor 1");
            if (!holds<T>(x))
                refuse_file(name, "holds " + std::to_string(x) + ", which elements of type '" +
                                      expected + "' cannot hold");
        });
    });
    return array;
}

/// Copies an array that was found to fit into a leaf.
template <class Leaf>
void copy_npy_array(npy_array const& array, Leaf& leaf) {
    using T = element_t<Leaf>;
    auto* to = run::elements_of(leaf);
    for_npy_type(array.type, [&]<class U>(U*) {
        for_each_npy_element<U>(array, [&](auto x) { *to++ = static_cast<T>(x); });
    });
}

template <class Leaf>
void read_npy(std::string const& name, std::string_view bytes, bool convert, Leaf& into) {
    copy_npy_array(find_npy_array<Leaf>(name, bytes, convert), into);
}

/// The bytes of a leaf's file.
template <class Leaf>
std::string npy_bytes(Leaf const& leaf) {
    constexpr std::size_t alignment = 64;  // of the elements in the file, as NumPy has it
    constexpr shape dims = as_traced<Leaf>::dims;
    std::string text = "{'descr': '" + npy_descr(npy_type_of<element_t<Leaf>>) +
                       "', 'fortran_order': False, 'shape': " +
                       shape_text(dims.extent, static_cast<std::size_t>(dims.rank)) + ", }";
    std::size_t const before = npy_magic.size() + 4;
    text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
    text += '\n';
    std::string bytes(npy_magic);
    append_number(bytes, 1, 2);  // version 1.0
    append_number(bytes, text.size(), 2);
    bytes += text;
    auto const* const elements = reinterpret_cast<char const*>(run::elements_of(leaf));
    return bytes.append(elements, static_cast<std::size_t>(dims.size()) * sizeof(element_t<Leaf>));
}

}  // namespace detail

namespace npy {

/// Reads a file into a tensor, a number, or another leaf that owns its elements: of the very
/// element type and shape, or of any type of number with the option `convert`. Throws
/// std::runtime_error if the file cannot be read or is refused, and leaves `into` as it was.
template <class X, std::same_as<convert_t>... Option>
    requires is_leaf<X>
void read(std::string const& path, X& into, Option...) {
    if constexpr (detail::npy_element<element_t<X>>()) {
        auto const bytes = detail::read_file(path, detail::npy_most_bytes<X>);
        detail::read_npy(path, bytes, sizeof...(Option) > 0, into);
    }
}

/// Reads a file as a tensor of type X. Above 64 KiB, read into one that lies elsewhere.
template <class X, std::same_as<convert_t>... Option>
    requires is_leaf<X> X read(std::string const& path, Option... option) {
        X result{};
        npy::read(path, result, option...);
        return result;
    }

/// Writes a tensor or a number, in full under another name in the same folder first: a file of
/// this name is replaced or, should that fail, left as it was. Throws std::runtime_error then.
template <class X>
    requires is_leaf<X>
void write(std::string const& path, X const& x) {
    if constexpr (detail::npy_element<element_t<X>>())
        detail::write_file(path, detail::npy_bytes(x));
}

}  // namespace npy
}  // namespace v0
}  // namespace unspool
