// SPDX-License-Identifier: BSL-1.0
// npy and npz files: NumPy's, ours, and hostile ones.
#include <unspool/ext/npz.hpp>
#include <unspool/unspool.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace us = unspool;
using unspool_test::put_text;
using unspool_test::scratch_folder;
using unspool_test::text_of;

namespace {

template <class T>
using matrix = us::tensor<T, 2, 3>;

/// The elements of test/unit/data/make_npy.py.
template <class T>
constexpr matrix<T> quarters{-0.5, -0.25, 0, 0.25, 0.5, 0.75};

template <class T, auto Rows>
struct cell {
    BOOST_HANA_DEFINE_STRUCT(cell, (us::tensor<T, Rows, 3>, w), (us::tensor<T, 3>, b));
};
using params = cell<float, 2>;
constexpr params expected{quarters<float>, us::tensor<float, 3>{5, 6, 7}};

bool same(params const& a, params const& b) { return a.w == b.w && a.b == b.b; }

std::string file(std::string const& name) {
    return (unspool_test::test_folder() / "unit/data" / name).string();
}

/// What a refusal says, without the file's name in front.
template <class F>
std::string refusal(F f) {
    try {
        f();
    } catch (std::runtime_error const& e) {
        std::string const text = e.what();
        REQUIRE(text.starts_with("unspool: "));
        REQUIRE(std::all_of(text.begin(), text.end(), [](char c) { return c < 0 || c >= ' '; }));
        return text;
    }
    return "nothing was thrown";
}
template <class X, class... Option>
std::string refusal_of(std::string const& bytes, Option... option) {
    return refusal([&] {
        X x{};
        us::detail::read_npy("x.npy", bytes, sizeof...(option) > 0, x);
    });
}

std::string npy(std::string const& header, std::string const& elements = "",
                std::string const& version = std::string("\1\0", 2)) {
    std::string bytes = "\x93NUMPY" + version;
    us::detail::append_number(bytes, header.size(), version[0] == 1 ? 2 : 4);
    return bytes + header + elements;
}
std::string header(std::string const& descr, std::string const& shape,
                   std::string const& order = "False") {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + "}\n";
}
template <class... T>
std::string raw(T... x) {
    std::string bytes;
    (bytes.append(reinterpret_cast<char const*>(&x), sizeof x), ...);
    return bytes;
}

/// Both members of an archive, each as bytes.
std::string archive(std::string const& w, std::string const& b) {
    us::detail::zip_writer writer;
    writer.add("w.npy", w);
    writer.add("b.npy", b);
    return std::move(writer).finish();
}

params read_archive(std::string const& bytes) {
    params p{};
    us::detail::read_npz("x.npz", bytes, false, p);
    return p;
}

}  // namespace

TEST_CASE("NumPy's npy files are read", "[ext]") {
    CHECK(us::npy::read<matrix<float>>(file("f4.npy")) == quarters<float>);
    CHECK(us::npy::read<matrix<double>>(file("f8.npy")) == quarters<double>);
    CHECK(us::npy::read<matrix<double>>(file("version-2.npy")) == quarters<double>);
    CHECK(us::npy::read<matrix<double>>(file("version-3.npy")) == quarters<double>);
    CHECK(us::npy::read<matrix<std::int8_t>>(file("i1.npy")) ==
          matrix<std::int8_t>{-2, -1, 0, 1, 2, 3});
    CHECK(us::npy::read<matrix<std::int64_t>>(file("i8.npy")) ==
          matrix<std::int64_t>{-2, -1, 0, 1, 2, 3});
    CHECK(us::npy::read<matrix<std::uint16_t>>(file("u2.npy")) ==
          matrix<std::uint16_t>{0, 1, 2, 3, 4, 5});
    CHECK(us::npy::read<matrix<bool>>(file("b1.npy")) == matrix<bool>{1, 1, 0, 1, 1, 1});
    CHECK(us::npy::read<double>(file("scalar.npy")) == 2.5);
    CHECK(us::npy::read<us::tensor<double>>(file("scalar.npy"))[0] == 2.5);
    us::tensor<float, 3> vector;
    us::npy::read(std::filesystem::path(file("vector.npy")), vector);
    CHECK(vector == us::tensor<float, 3>{1, 2, 3});
}

TEST_CASE("npy files are written as NumPy writes them, byte by byte", "[ext]") {
    scratch_folder const folder;
    auto const written = [&](auto const& x) {
        us::npy::write((folder.path / "x.npy").string(), x);
        return folder.text("x.npy");
    };
    CHECK(written(quarters<float>) == text_of(file("f4.npy")));
    CHECK(written(quarters<double>) == text_of(file("f8.npy")));
    CHECK(written(matrix<std::int8_t>{-2, -1, 0, 1, 2, 3}) == text_of(file("i1.npy")));
    CHECK(written(matrix<std::int64_t>{-2, -1, 0, 1, 2, 3}) == text_of(file("i8.npy")));
    CHECK(written(matrix<std::uint16_t>{0, 1, 2, 3, 4, 5}) == text_of(file("u2.npy")));
    CHECK(written(matrix<bool>{1, 1, 0, 1, 1, 1}) == text_of(file("b1.npy")));
    CHECK(written(2.5) == text_of(file("scalar.npy")));
    CHECK(written(us::tensor<float, 3>{1, 2, 3}) == text_of(file("vector.npy")));
    CHECK(folder.names() == std::set<std::string>{"x.npy"});
}

TEST_CASE("elements are converted when asked, if the type holds them", "[ext]") {
    using us::npy::convert;
    CHECK(us::npy::read<matrix<float>>(file("f8.npy"), convert) == quarters<float>);
    CHECK(us::npy::read<matrix<float>>(file("i8.npy"), convert) ==
          matrix<float>{-2, -1, 0, 1, 2, 3});
    CHECK(us::npy::read<matrix<int>>(file("i1.npy"), convert) == matrix<int>{-2, -1, 0, 1, 2, 3});
    CHECK(us::npy::read<matrix<double>>(file("b1.npy"), convert) ==
          matrix<double>{1, 1, 0, 1, 1, 1});
    CHECK_THAT(refusal([] { us::npy::read<matrix<float>>(file("i8.npy")); }),
               ContainsSubstring("i8.npy holds elements of type '<i8', where '<f4' is needed; "
                                 "us::npy::convert as a further argument converts them"));
    CHECK_THAT(refusal([] { us::npy::read<matrix<unsigned>>(file("i8.npy"), convert); }),
               ContainsSubstring("holds -2, which elements of type '<u4' cannot hold"));
    CHECK_THAT(refusal([] { us::npy::read<matrix<int>>(file("f8.npy"), convert); }),
               ContainsSubstring("holds -0.500000, which elements of type '<i4' cannot hold"));

    auto const fits = [](std::string const& descr, std::string const& element, auto to) {
        return refusal_of<decltype(to)>(npy(header(descr, "()"), element), convert) ==
               "nothing was thrown";
    };
    auto const two = [](int power) { return std::ldexp(1.0, power); };
    double const infinite = std::numeric_limits<double>::infinity();
    CHECK(fits("'<f8'", raw(0.1), 0.F));
    CHECK(fits("'<f8'", raw(infinite), 0.F));
    CHECK(fits("'<f8'", raw(std::nan("")), 0.F));
    CHECK_FALSE(fits("'<f8'", raw(1e300), 0.F));
    CHECK_FALSE(fits("'<f8'", raw(infinite), 0));
    CHECK_FALSE(fits("'<f8'", raw(std::nan("")), 0));
    CHECK(fits("'<f8'", raw(two(31) - 1), 0));
    CHECK_FALSE(fits("'<f8'", raw(two(31)), 0));
    CHECK(fits("'<f8'", raw(-two(31)), 0));
    CHECK_FALSE(fits("'<f8'", raw(-two(31) - 1), 0));
    CHECK_FALSE(fits("'<f8'", raw(two(64)), std::uint64_t{}));
    CHECK_FALSE(fits("'<f8'", raw(-1.0), std::uint64_t{}));
    CHECK(fits("'<i4'", raw((1 << 24)), 0.F));
    CHECK_FALSE(fits("'<i4'", raw((1 << 24) + 1), 0.F));
    CHECK_FALSE(fits("'<i4'", raw(-(1 << 24) - 1), 0.F));
    CHECK(fits("'<i4'", raw(1), false));
    CHECK_FALSE(fits("'<i4'", raw(2), false));
    CHECK_FALSE(fits("'<i4'", raw(-1), false));
    CHECK_FALSE(fits("'<u8'", raw(~std::uint64_t{0}), std::int64_t{}));
    CHECK(fits("'<u8'", raw(~std::uint64_t{0}), std::uint64_t{}));
}

TEST_CASE("npy files of another kind are refused in words", "[ext]") {
    auto const says = [](std::string const& name, std::string const& sentence) {
        INFO(name);
        CHECK(refusal([&] { us::npy::read<matrix<double>>(file(name)); }) ==
              "unspool: " + file(name) + " " + sentence);
    };
    says("f4.npy", "holds elements of type '<f4', where '<f8' is needed; us::npy::convert as a "
                   "further argument converts them");
    says("big-f4.npy", "holds elements of type '>f4', where '<f8' is needed; save "
                       "x.astype(x.dtype.newbyteorder('<'))");
    says("f2.npy", "holds elements of type '<f2', where '<f8' is needed");
    says("c8.npy", "holds elements of type '<c8', where '<f8' is needed");
    says("fortran.npy", "holds an array in Fortran's order, where C's is needed; save "
                        "numpy.ascontiguousarray of it");
    says("vector.npy", "holds an array of shape (3,), where shape (2, 3) is needed");
    says("scalar.npy", "holds an array of shape (), where shape (2, 3) is needed");
    says("cell.npz", "is not an npy file: it does not begin as one");
    says("absent.npy", "cannot be read: No such file or directory");
    says("", "is not a regular file");
    CHECK(refusal([] { us::npy::read<double>("/dev/zero"); }) ==
          "unspool: /dev/zero is not a regular file");
}

TEST_CASE("hostile npy files are refused", "[ext]") {
    using two = us::tensor<float, 2>;
    std::string const good = header("'<f4'", "(2,)");
    std::string const elements = raw(1.F, 2.F);
    struct {
        std::string bytes;
        char const* says;
    } const table[] = {
        {"", "does not begin as one"},
        {std::string(1000, '\xFF'), "does not begin as one"},
        {npy(good, elements, std::string("\0\0", 2)), "has version 0.0"},
        {npy(good, elements, std::string("\4\0", 2)), "has version 4.0"},
        {npy(good, elements, "\1\1"), "has version 1.1"},
        {"\x93NUMPY" + std::string("\2\0\xFF\xFF\xFF\xFF", 6), "has a header of 4294967295 bytes"},
        {"\x93NUMPY" + std::string("\1\0\xFF\xFF", 4) + good, "ends within its header"},
        {npy(good, elements.substr(1)), "has 7 bytes after its header, where its array takes 8"},
        {npy(good, elements + "x"), "has 9 bytes after its header, where its array takes 8"},
        {npy(header("'<f4'", "(4294967298,)"), elements), "shape (4294967298,), where shape (2,)"},
        {npy(header("'<f4'", "(18446744073709551618,)"), elements), "has a header"},
        {npy(header("'<f4'", "(-2,)"), elements), "has a header"},
        {npy(header("'<f4'", "(2)"), elements), "has a header"},
        {npy(header("'<f4'", "(02,)"), elements), "has a header"},
        {npy(header("'<f4'", "(2L,)"), elements), "has a header"},
        {npy(header("'<f4'", "(,)"), elements), "has a header"},
        {npy(header("'<f4'", "(2,,)"), elements), "has a header"},
        {npy(header("'<f4'", "(1 2)"), elements), "has a header"},
        {npy(header("'<f4'", "(2, 1)"), elements), "holds an array of shape (2, 1)"},
        {npy(header("'<f4'", "(" + std::string(20000, '(')), elements), "has a header"},
        {npy(header("'<f4'",
                    [] {
                        std::string axes = "(1";
                        for (int i = 0; i < 64; ++i) axes += ", 1";
                        return axes + ")";
                    }()),
             elements),
         "has a header"},
        {npy(header("'<f4", "(2,)"), elements), "has a header"},
        {npy(header("[('x', '<f4')]", "(2,)"), elements), "has a header"},
        {npy(header("''", "(2,)"), elements), "holds elements of type ''"},
        {npy(header("'f4'", "(2,)"), elements), "holds elements of type 'f4'"},
        {npy(header("'=f4'", "(2,)"), elements), "holds elements of type '=f4'"},
        {npy(header("'|f4'", "(2,)"), elements), "holds elements of type '|f4'"},
        {npy(header("'<f44'", "(2,)"), elements), "holds elements of type '<f44'"},
        {npy(header("'<O8'", "(2,)"), elements), "holds elements of type '<O8'"},
        {npy(header("'\n\x1B'", "(2,)"), elements), "holds elements of type '?"
                                                    "?'"},
        {npy(header("'<f4'", "(2,)", "True"), elements), "in Fortran's order"},
        {npy(header("'<f4'", "(2,)", "0"), elements), "has a header"},
        {npy("{'descr': '<f4', 'shape': (2,)}\n", elements), "has a header"},
        {npy("{'descr': '<f4', 'shape': (2,), 'shape': (2,), 'fortran_order': False}\n", elements),
         "has a header"},
        {npy("{'more': 1, 'descr': '<f4', 'shape': (2,), 'fortran_order': False}\n", elements),
         "has a header"},
        {npy(good.substr(0, good.size() - 1), elements), "has a header"},
        {npy(good + "\n", elements), "has a header"},
        {npy(good.substr(0, good.size() - 1) + "x\n", elements), "has a header"},
        {npy("\n", elements), "has a header"},
        {npy("", elements), "has a header"},
    };
    for (auto const& [bytes, says] : table) {
        INFO(bytes.substr(0, 200));
        CHECK_THAT(refusal_of<two>(bytes), ContainsSubstring(says));
    }
    CHECK_THAT(refusal_of<bool>(npy(header("'|b1'", "()"), "\2")),
               ContainsSubstring("holds a truth value that is neither 0 nor 1"));

    // what a reader must not depend on: the order of keys, spaces, quotes, commas
    for (char const* other :
         {"{'shape': (2,), 'fortran_order': False, 'descr': '<f4'}\n",
          "{ \"descr\" :\"<f4\",'fortran_order':False , 'shape' : ( 2 , ) , }     \n"})
        CHECK(refusal_of<two>(npy(other, elements)) == "nothing was thrown");
    CHECK(refusal_of<std::int8_t>(npy(header("'<i1'", "()"), "x")) == "nothing was thrown");
}

TEST_CASE("an npy file cut or with a bit turned in its header is refused", "[ext]") {
    for (char const* name : {"f8.npy", "version-2.npy", "version-3.npy"}) {
        std::string const bytes = text_of(file(name));
        REQUIRE(refusal_of<matrix<double>>(bytes) == "nothing was thrown");
        for (std::size_t length = 0; length < bytes.size(); ++length)
            REQUIRE(refusal_of<matrix<double>>(bytes.substr(0, length)) != "nothing was thrown");
        for (std::size_t at = 0; at + 6 * sizeof(double) < bytes.size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string turned = bytes;
                turned[at] = static_cast<char>(turned[at] ^ 1 << bit);
                // 2.0 and 3.0 differ in names of fields alone
                if (at == 6 && turned[at] >= 2 && turned[at] <= 3) continue;
                CAPTURE(name, at, bit);
                REQUIRE(refusal_of<matrix<double>>(turned) != "nothing was thrown");
            }
    }
}

TEST_CASE("NumPy's npz files are read", "[ext]") {
    CHECK(same(us::npz::read<params>(file("cell.npz")), expected));
    auto const wide = us::npz::read<cell<double, 2>>(file("cell.npz"), us::npy::convert);
    CHECK(wide.w == quarters<double>);
    CHECK_THAT(refusal([] { us::npz::read<cell<double, 2>>(file("cell.npz")); }),
               ContainsSubstring("cell.npz: w.npy holds elements of type '<f4'"));
    CHECK_THAT(refusal([] { us::npz::read<cell<float, 1>>(file("cell.npz")); }),
               ContainsSubstring("cell.npz: w.npy holds an array of shape (2, 3), where shape (1, "
                                 "3) is needed"));
    CHECK_THAT(refusal([] { us::npz::read<params>(file("f4.npy")); }),
               ContainsSubstring("is not a zip archive"));
}

TEST_CASE("NumPy's compressed npz files are read where zlib is there", "[ext]") {
    if (UNSPOOL_HAS_ZLIB) {
        CHECK(same(us::npz::read<params>(file("packed.npz")), expected));
    } else {
        CHECK_THAT(refusal([] { us::npz::read<params>(file("packed.npz")); }),
                   ContainsSubstring("w.npy is compressed, which takes zlib to read"));
        UNSPOOL_SKIP("zlib is not installed");
    }
}

TEST_CASE("npz files come back, nested names and all", "[ext]") {
    scratch_folder const folder;
    std::string const path = (folder.path / "x.npz").string();
    auto const model = std::pair{us::initial<us::lstm_params<float, 2, 3>>(1), std::tuple{2.5}};
    us::npz::write(path, model);
    auto const back = us::npz::read<std::remove_cvref_t<decltype(model)>>(path);
    CHECK(back.first.kernel == model.first.kernel);
    CHECK(back.first.recurrent_kernel == model.first.recurrent_kernel);
    CHECK(back.first.bias == model.first.bias);
    CHECK(std::get<0>(back.second) == 2.5);
    CHECK_THAT(folder.text("x.npz"), ContainsSubstring("0.recurrent_kernel.npy"));
    CHECK_THAT(folder.text("x.npz"), ContainsSubstring("1.0.npy"));
    CHECK(folder.names() == std::set<std::string>{"x.npz"});
}

TEST_CASE("npz files that do not fit are refused, and nothing is changed", "[ext]") {
    std::string const w = us::detail::npy_bytes(expected.w);
    std::string const b = us::detail::npy_bytes(expected.b);
    REQUIRE(same(read_archive(archive(w, b)), expected));
    auto const says = [&](auto make, char const* sentence) {
        us::detail::zip_writer writer;
        make(writer);
        std::string const bytes = std::move(writer).finish();
        params p{};
        CHECK(refusal([&] { us::detail::read_npz("x.npz", bytes, false, p); }) ==
              std::string("unspool: x.npz") + sentence);
        CHECK(same(p, params{}));
    };
    says([&](auto& z) { z.add("w.npy", w); }, " holds no 'b.npy', which is needed");
    says([&](auto& z) { z.add("w.npy", w), z.add("b.npy", b), z.add("c.npy", b); },
         " holds 'c.npy', where no such entry is needed");
    says([&](auto& z) { z.add("w.npy", w), z.add("b.npy", b), z.add("w.npy", w); },
         " holds two entries named 'w.npy'");
    says([&](auto& z) { z.add("w.npy", w), z.add("b.npy", w); },
         ": b.npy holds an array of shape (2, 3), where shape (3,) is needed");
    says([&](auto& z) { z.add("w.npy", w), z.add("b.npy", std::string(1 << 20, 'x')); },
         ": b.npy has 1048576 bytes, where what is read from it takes at most 65572");
    says([&](auto&) {}, " holds no 'w.npy', which is needed");

    scratch_folder const folder;
    std::string const path = (folder.path / "large.npz").string();
    put_text(path, "");
    std::filesystem::resize_file(path, std::uint64_t{1} << 40);  // takes no room
    CHECK_THAT(refusal([&] { us::npz::read<params>(path); }),
               ContainsSubstring("has 1099511627776 bytes, where what is read from it takes"));
    CHECK_THAT(refusal([&] { us::npy::read<double>(path); }),
               ContainsSubstring("has 1099511627776 bytes, where what is read from it takes"));
}

TEST_CASE("archives forged with care are refused", "[ext]") {
    std::string const w = us::detail::npy_bytes(expected.w);
    std::string const b = us::detail::npy_bytes(expected.b);
    auto const number = [](std::string const& bytes, std::size_t at) {
        return us::detail::byte_reader{std::string_view(bytes).substr(at)}.number(4);
    };
    auto const put = [](std::string& bytes, std::size_t at, std::uint64_t value, int size) {
        std::string text;
        us::detail::append_number(text, value, size);
        bytes.replace(at, text.size(), text);
    };
    auto const directory = [&](std::string const& bytes) {
        return static_cast<std::size_t>(number(bytes, bytes.size() - 6));
    };
    auto const told = [&](std::string const& bytes) {
        return refusal([&] { read_archive(bytes); });
    };

    std::string encrypted = archive(w, b);
    put(encrypted, 6, 1, 2);
    put(encrypted, directory(encrypted) + 8, 1, 2);
    CHECK_THAT(told(encrypted), ContainsSubstring("has an entry 'w.npy' that is encrypted or was"));

    std::string gap = archive(w, b);
    auto const start = directory(gap);
    gap.insert(start, "xx");
    put(gap, gap.size() - 6, start + 2, 4);
    CHECK_THAT(told(gap), ContainsSubstring("has bytes that belong to no entry"));
    std::string tail = archive(w, b);
    auto const size = number(tail, tail.size() - 10);
    tail.insert(tail.size() - us::detail::zip_end_size, "xx");
    put(tail, tail.size() - 10, size + 2, 4);
    CHECK_THAT(told(tail), ContainsSubstring("has bytes that belong to no entry"));

    std::string bzip2 = archive(w, b);
    for (std::size_t const at : {std::size_t{8}, directory(bzip2) + 10}) put(bzip2, at, 12, 2);
    CHECK_THAT(told(bzip2), ContainsSubstring("is packed by method 12 to "));
    std::string shrunk = archive(w, b);
    for (std::size_t const at : {std::size_t{22}, directory(shrunk) + 24})
        put(shrunk, at, w.size() - 1, 4);
    CHECK_THAT(told(shrunk), ContainsSubstring("is packed by method 0 to "));

    if (!UNSPOOL_HAS_ZLIB) return;
    // a deflate stream of one block that is not compressed, said to unpack to `unpacked`
    auto const deflated = [&](std::string const& unpacked, std::string const& after) {
        std::string stream = "\1";
        us::detail::append_number(stream, w.size(), 2);
        us::detail::append_number(stream, ~w.size(), 2);
        std::string bytes = archive(stream + w + after, b);
        for (std::size_t const at : {std::size_t{8}, directory(bytes) + 10}) {
            put(bytes, at, 8, 2);
            put(bytes, at + 6, us::detail::crc32_of(unpacked), 4);
            put(bytes, at + 14, unpacked.size(), 4);
        }
        return bytes;
    };
    CHECK(same(read_archive(deflated(w, "")), expected));
    for (std::string const& forged :
         {deflated(w + '\0', ""), deflated(w.substr(0, w.size() - 1), ""), deflated(w, "x")})
        CHECK_THAT(told(forged), ContainsSubstring("w.npy is damaged: it cannot be unpacked"));
}

TEST_CASE("an npz file that is cut, longer or changed is refused or is the same", "[ext]") {
    std::string const ours =
        archive(us::detail::npy_bytes(expected.w), us::detail::npy_bytes(expected.b));
    for (std::string const& bytes :
         {ours, text_of(file("cell.npz")), text_of(file("packed.npz"))}) {
        int accepted = 0;
        auto const attempt = [&](std::string const& changed) {
            params p{};
            bool const told = refusal([&] { p = read_archive(changed); }) != "nothing was thrown";
            if (!told) REQUIRE(same(p, expected));
            accepted += !told;
            return told;
        };
        for (std::size_t length = 0; length < bytes.size(); ++length)
            REQUIRE(attempt(bytes.substr(0, length)));
        for (std::size_t at = 0; at <= bytes.size(); ++at)
            REQUIRE(attempt(bytes.substr(0, at) + '\0' + bytes.substr(at)));
        for (std::size_t at = 0; at < bytes.size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string turned = bytes;
                turned[at] = static_cast<char>(turned[at] ^ 1 << bit);
                attempt(turned);
            }
        // versions and times, disk and attributes, 6 bytes before an entry and 16 in the directory
        constexpr int free_bits = 2 * (6 + 16) * 8;
        CHECK(accepted <= free_bits + 32);
    }
}

TEST_CASE("random changes are refused or read, without a fault", "[ext]") {
    std::mt19937 random(1);
    auto const below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
    std::string_view const words[] = {"{",
                                      "}",
                                      "(",
                                      ")",
                                      ",",
                                      "'",
                                      "\"",
                                      ": ",
                                      "\n",
                                      "True",
                                      "False",
                                      "descr",
                                      "shape",
                                      "fortran_order",
                                      "<f4",
                                      ">i8",
                                      "99999999999999999999",
                                      "0",
                                      "\x93NUMPY",
                                      "PK\1\2",
                                      "PK\3\4",
                                      "PK\5\6",
                                      "\xFF\xFF\xFF\xFF"};
    auto const mutate = [&](std::string bytes) {
        for (auto left = 1 + below(4); left > 0; --left) {
            auto const at = below(bytes.size());
            switch (below(6)) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes.erase(at, below(9));
                break;
            case 2:
                bytes.insert(at, words[below(std::size(words))]);
                break;
            case 3:
                bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
                break;
            case 4:
                bytes.resize(at);
                break;
            default: {
                auto const word = words[below(std::size(words))];
                bytes.replace(at, word.size(), word);
            }
            }
            if (bytes.empty()) bytes = "x";
        }
        return bytes;
    };
    std::string const w = text_of(file("f4.npy"));
    std::string const b = us::detail::npy_bytes(expected.b);
    std::string const packed = text_of(file("packed.npz"));
    std::string const numpy = text_of(file("cell.npz"));
    int read = 0;
    constexpr int rounds = 20000;
    for (int i = 0; i < rounds; ++i) {
        std::string const changed = mutate(w);
        matrix<float> x{};
        if (refusal([&] { us::detail::read_npy("x.npy", changed, false, x); }) ==
            "nothing was thrown") {
            ++read;  // an array that is accepted is what the file's last bytes are
            REQUIRE(std::memcmp(changed.data() + changed.size() - 24, x.data(), 24) == 0);
        }
        refusal([&] { us::detail::read_npy("x.npy", changed, true, x); });
        refusal([&] { read_archive(archive(changed, b)); });  // with the right CRC
        refusal([&] { read_archive(mutate(packed)); });
        refusal([&] { read_archive(mutate(numpy)); });
    }
    CHECK(read > 0);
    CHECK(read < rounds);
}

TEST_CASE("a file that cannot be written leaves what was there", "[ext]") {
    scratch_folder const folder;
    std::string const path = (folder.path / "x.npy").string();
    us::npy::write(path, 1.0);
    {
        unspool_test::file_size_limit const full(100);
        CHECK(refusal([&] { us::npy::write(path, 2.0); }) ==
              "unspool: " + path + " cannot be written: File too large");
        CHECK(refusal([&] { us::npz::write(path, expected); }) ==
              "unspool: " + path + " cannot be written: File too large");
    }
    CHECK(us::npy::read<double>(path) == 1.0);
    CHECK(refusal([&] { us::npy::write((folder.path / "no/x.npy").string(), 1.0); }) ==
          "unspool: " + (folder.path / "no/x.npy").string() +
              " cannot be written: No such file or directory");
    CHECK(refusal([&] { us::npy::write(folder.path.string(), 1.0); }) ==
          "unspool: " + folder.path.string() + " cannot be written: Is a directory");
    CHECK(folder.names() == std::set<std::string>{"x.npy"});
}

TEST_CASE("NumPy reads what is written, and writes what is read", "[ext]") {
    if (std::system("python3 -c 'import numpy' 2>/dev/null") != 0)
        UNSPOOL_SKIP("python3 has no NumPy");
    scratch_folder const folder;
    auto const in = [&](char const* name) { return (folder.path / name).string(); };
    us::npy::write(in("d.npy"), us::normal<double, 3, 1, 4>(5));
    us::npy::write(in("b.npy"), matrix<bool>{1, 0, 0, 1, 1, 0});
    us::npz::write(in("cell.npz"), expected);
    put_text(in("check.py"), R"(
import numpy as np, sys, zipfile, os
os.chdir(sys.argv[1])
d = np.load("d.npy")
assert d.dtype == "<f8" and d.shape == (3, 1, 4) and d.flags.c_contiguous
np.save("d2.npy", d * 2)
b = np.load("b.npy")
assert b.dtype == bool and b.tolist() == [[True, False, False], [True, True, False]]
assert zipfile.ZipFile("cell.npz").testzip() is None
cell = np.load("cell.npz")
assert cell.files == ["w", "b"]
assert cell["w"].dtype == "<f4" and cell["w"].tolist() == [[-0.5, -0.25, 0], [0.25, 0.5, 0.75]]
assert cell["b"].tolist() == [5, 6, 7]
np.savez("back.npz", b=cell["b"] + 1, w=cell["w"])
)");
    REQUIRE(std::system(("python3 " + in("check.py") + " " + folder.path.string()).c_str()) == 0);
    auto doubled = us::normal<double, 3, 1, 4>(5);
    for (double& x : doubled) x *= 2;
    CHECK(us::npy::read<us::tensor<double, 3, 1, 4>>(in("d2.npy")) == doubled);
    auto const back = us::npz::read<params>(in("back.npz"));
    CHECK(back.b == us::tensor<float, 3>{6, 7, 8});
    CHECK(back.w == expected.w);
}
