// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/check/names.hpp>
#include <unspool/ext/npy.hpp>

#if __has_include(<zlib.h>) && !defined(UNSPOOL_NO_ZLIB)
#include <zlib.h>
#define UNSPOOL_HAS_ZLIB 1
#else
#define UNSPOOL_HAS_ZLIB 0
#endif

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Structures as NumPy's npz files: zip archives with an npy file for each tensor, named like its
/// member: `us::npz::write("cell.npz", cell)`, `us::npz::read<params>("cell.npz")`.
///
/// Leaves of nested structs are named "cell.kernel", those of tuples and arrays by position, "0".
/// The archive must hold these and no other, in any order. What is written is stored; reading
/// compressed entries needs zlib: where <zlib.h> is found, link with -lz, or define UNSPOOL_NO_ZLIB
/// to have them refused. An archive is refused, as in npy.hpp, where entries overlap, leave a gap
/// or fail their CRC, where the two places that describe an entry differ, and above 4 GiB.
/// Source: PKWARE's APPNOTE 6.3.3, numpy.savez.

namespace unspool {
inline namespace v0 {
namespace detail {

/// The CRC-32 of zip archives.
inline std::uint32_t crc32_of(std::string_view bytes) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            t[i] = i;
            for (int bit = 0; bit < 8; ++bit) t[i] = t[i] >> 1 ^ (t[i] & 1 ? 0xEDB88320U : 0U);
        }
        return t;
    }();
    std::uint32_t crc = ~0U;
    for (char const byte : bytes)
        crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
    return ~crc;
}

inline constexpr std::uint64_t zip_local = 0x04034B50;
inline constexpr std::uint64_t zip_central = 0x02014B50;
inline constexpr std::uint64_t zip_end = 0x06054B50;
inline constexpr std::uint64_t zip_end_size = 22;
inline constexpr std::uint64_t zip_most = 0xFFFFFFFF;  ///< 4 GiB; as a size: see the extra field

/// What an archive says of an entry, once before the entry and once in its directory.
struct zip_entry {
    std::uint64_t flags, method, crc, packed, size;
    std::string_view name;
    friend bool operator==(zip_entry const&, zip_entry const&) = default;
};

/// The fields that both descriptions have, up to the lengths of what follows them.
inline zip_entry read_zip_entry(byte_reader& in) {
    zip_entry e{};
    e.flags = in.number(2);
    e.method = in.number(2);
    in.bytes(4);  // time and date
    e.crc = in.number(4);
    e.packed = in.number(4);
    e.size = in.number(4);
    return e;
}

/// An entry's description in the directory; `offset` is where the entry lies.
inline zip_entry read_zip_central(byte_reader& in, std::uint64_t& offset) {
    if (in.number(4) != zip_central) in.failed = true;
    in.bytes(4);  // versions
    zip_entry e = read_zip_entry(in);
    auto const name = in.number(2);
    auto const extra = in.number(2);
    auto const comment = in.number(2);
    in.bytes(8);  // disk and attributes
    offset = in.number(4);
    e.name = in.bytes(name);
    in.bytes(extra + comment);
    return e;
}

/// The description before an entry. NumPy puts its sizes into a ZIP64 field, whatever they are.
inline zip_entry read_zip_local(byte_reader& in) {
    if (in.number(4) != zip_local) in.failed = true;
    in.bytes(2);  // version
    zip_entry e = read_zip_entry(in);
    auto const name = in.number(2);
    auto const length = in.number(2);
    e.name = in.bytes(name);
    byte_reader extra{in.bytes(length)};
    if (e.size == zip_most && e.packed == zip_most) {
        if (extra.number(2) != 1 || extra.number(2) != 16) in.failed = true;
        e.size = extra.number(8);
        e.packed = extra.number(8);
        in.failed |= extra.failed;
    }
    return e;
}

/// An entry and its bytes, as they lie in the archive.
struct zip_part : zip_entry {
    std::string_view bytes;
};

/// The entries of an archive, which must fill it without gap or overlap.
inline std::vector<zip_part> find_zip_parts(std::string const& path, std::string_view archive) {
    if (archive.size() < zip_end_size)
        refuse_file(path, "is not a zip archive: it has only " + std::to_string(archive.size()) +
                              " bytes");
    byte_reader end{archive.substr(archive.size() - zip_end_size)};
    bool sound = end.number(4) == zip_end && end.number(4) == 0;  // no further disk
    auto const count = end.number(2);
    sound &= end.number(2) == count;
    auto const size = end.number(4);
    auto const start = end.number(4);
    sound &= end.number(2) == 0 && start + size == archive.size() - zip_end_size;  // no comment
    if (!sound)
        refuse_file(path, "is not a zip archive that ends in a directory of less than 4 GiB of "
                          "entries, without a comment");
    std::vector<zip_part> parts;
    byte_reader directory{
        archive.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(size))};
    byte_reader entries{archive.substr(0, static_cast<std::size_t>(start))};
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const at = start - entries.rest.size();
        std::uint64_t offset = 0;
        zip_entry const entry = read_zip_central(directory, offset);
        if (directory.failed)
            refuse_file(path, "is damaged: its directory has fewer entries than it says");
        constexpr std::uint64_t harmless_flags = 0x0806;  // a name in UTF-8; how well it is packed
        if ((entry.flags & ~harmless_flags) != 0)
            refuse_file(path, "has an entry " + shown(entry.name) +
                                  " that is encrypted or was written to a stream, where plain "
                                  "ones are needed");
        zip_entry const local = read_zip_local(entries);
        zip_part const part{local, entries.bytes(local.packed)};
        if (offset != at || local != entry || entries.failed)
            refuse_file(path, "is damaged: what its directory says of " + shown(entry.name) +
                                  " is not what lies there");
        for (zip_part const& other : parts)
            if (other.name == part.name)
                refuse_file(path, "holds two entries named " + shown(part.name));
        parts.push_back(part);
    }
    if (!directory.rest.empty() || !entries.rest.empty())
        refuse_file(path, "has bytes that belong to no entry");
    return parts;
}

/// Unpacks a raw deflate stream; whether it is one that fills `to` to the byte.
inline bool inflate_all([[maybe_unused]] std::string_view from, [[maybe_unused]] std::string& to) {
#if UNSPOOL_HAS_ZLIB
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = static_cast<uInt>(to.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    bool const ended = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&stream);
    return ended && stream.avail_in == 0 && stream.avail_out == 0;
#else
    return false;
#endif
}

/// The bytes of an entry, at most `most`: those in the archive or, unpacked, those in `memory`.
inline std::string_view unpack(std::string const& name, zip_part const& part, std::uint64_t most,
                               std::string& memory) {
    constexpr std::uint64_t stored = 0;
    constexpr std::uint64_t deflated = 8;
    if (part.size > most)
        refuse_file(name, "has " + std::to_string(part.size) +
                              " bytes, where what is read from it takes at most " +
                              std::to_string(most));
    std::string_view bytes = part.bytes;
    if (part.method == deflated) {
        if (!UNSPOOL_HAS_ZLIB)
            refuse_file(name, "is compressed, which takes zlib to read; save it by numpy.savez, or "
                              "build with zlib");
        memory.resize(static_cast<std::size_t>(part.size));
        if (!inflate_all(bytes, memory)) refuse_file(name, "is damaged: it cannot be unpacked");
        bytes = memory;
    } else if (part.method != stored || part.packed != part.size) {
        refuse_file(name, "is packed by method " + std::to_string(part.method) + " to " +
                              std::to_string(part.packed) + " of " + std::to_string(part.size) +
                              " bytes, where stored (0) or deflated (8) is needed");
    }
    if (crc32_of(bytes) != part.crc) refuse_file(name, "is damaged: its CRC is wrong");
    return bytes;
}

/// Writes the descriptions of a stored entry, up to the lengths of what follows them.
inline void append_zip_entry(std::string& to, std::string_view name, std::string_view bytes,
                             std::uint32_t crc) {
    append_number(to, 20, 2);          // version 2.0 unpacks it
    append_number(to, 0, 4);           // flags; method: stored
    append_number(to, 0, 2);           // midnight…
    append_number(to, 1 << 5 | 1, 2);  // …of 1 January 1980, as NumPy has it
    append_number(to, crc, 4);
    append_number(to, bytes.size(), 4);
    append_number(to, bytes.size(), 4);
    append_number(to, name.size(), 2);
}

/// An archive that grows by stored entries.
class zip_writer {
public:
    void add(std::string const& name, std::string_view bytes) {
        auto const crc = crc32_of(bytes);
        append_number(directory_, zip_central, 4);
        append_number(directory_, 3 << 8 | 20, 2);  // made on Unix
        append_zip_entry(directory_, name, bytes, crc);
        append_number(directory_, 0, 8);  // no extra, no comment, disk, kind
        append_number(directory_, std::uint64_t{0100644} << 16, 4);  // a file's mode
        append_number(directory_, archive_.size(), 4);
        directory_ += name;
        append_number(archive_, zip_local, 4);
        append_zip_entry(archive_, name, bytes, crc);
        append_number(archive_, 0, 2);  // no extra
        archive_ += name;
        archive_ += bytes;
        ++count_;
    }
    /// The whole archive.
    std::string finish() && {
        auto const start = archive_.size();
        archive_ += directory_;
        append_number(archive_, zip_end, 4);
        append_number(archive_, 0, 4);  // no further disk
        append_number(archive_, count_, 2);
        append_number(archive_, count_, 2);
        append_number(archive_, directory_.size(), 4);
        append_number(archive_, start, 4);
        append_number(archive_, 0, 2);  // no comment
        return std::move(archive_);
    }

private:
    std::string archive_;
    std::string directory_;
    std::uint64_t count_ = 0;
};

/// The names of a structure's entries, in the order of its leaves.
template <class X>
std::vector<std::string> npz_names() {
    std::vector<std::string> names;
    check::append_leaf_names<X>(names, "");
    for (std::string& name : names) name += ".npy";
    return names;
}

/// The most bytes that a structure's archive may have: of an entry that packing made larger, its
/// names, extra fields and comments, too.
template <class X>
inline constexpr std::uint64_t npz_most_bytes =
    []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return (zip_end_size + ... + (npy_most_bytes<Leaf> + npy_most_bytes<Leaf> / 8 + 5 * 65536));
    }(std::type_identity<typename leaves_of<X>::type>{});

/// A structure that npz files hold.
template <class X>
constexpr bool npz_structure() {
    constexpr bool named = !is_leaf<X>;
    static_assert(named, "unspool: npz files hold structures of tensors; a tensor alone goes into "
                         "an npy file; what was given stands in npz_structure<X>");
    if constexpr (!named) return false;
    else if constexpr (!decltype(check_structure<X>())::value) return false;
    else
        return []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
            return (npy_element<element_t<Leaf>>() && ...);
        }(std::type_identity<typename leaves_of<X>::type>{});
}

/// Reads the bytes of an archive. All is checked before anything is written.
template <class X>
void read_npz(std::string const& path, std::string_view archive, bool convert, X& into) {
    auto const parts = find_zip_parts(path, archive);
    auto const names = npz_names<X>();
    for (zip_part const& part : parts)
        if (std::find(names.begin(), names.end(), part.name) == names.end())
            refuse_file(path, "holds " + shown(part.name) + ", where no such entry is needed");
    std::vector<npy_array> arrays;
    std::vector<std::string> unpacked(names.size());
    auto const find = [&]<class Leaf>(Leaf const&) {
        std::string const& name = names[arrays.size()];
        auto const part = std::find_if(parts.begin(), parts.end(),
                                       [&](zip_part const& p) { return p.name == name; });
        if (part == parts.end()) refuse_file(path, "holds no '" + name + "', which is needed");
        std::string const both = path + ": " + name;
        auto const bytes = unpack(both, *part, npy_most_bytes<Leaf>, unpacked[arrays.size()]);
        arrays.push_back(find_npy_array<Leaf>(both, bytes, convert));
    };
    for_each_leaf(find, std::as_const(into));
    std::size_t next = 0;
    for_each_leaf([&](auto& leaf) { copy_npy_array(arrays[next++], leaf); }, into);
}

}  // namespace detail

namespace npz {

/// Reads an archive into a structure; as `npy::read` in all else.
template <class X, std::same_as<npy::convert_t>... Option>
void read(std::string const& path, X& into, Option...) {
    if constexpr (detail::npz_structure<X>()) {
        auto const archive = detail::read_file(path, detail::npz_most_bytes<X>);
        detail::read_npz(path, archive, sizeof...(Option) > 0, into);
    }
}

/// Reads an archive as a structure of type X. Above 64 KiB, read into one that lies elsewhere.
template <class X, std::same_as<npy::convert_t>... Option>
X read(std::string const& path, Option... option) {
    X result{};
    npz::read(path, result, option...);
    return result;
}

/// Writes a structure, as `npy::write` does. Throws std::runtime_error, too, above 4 GiB.
template <class X>
void write(std::string const& path, X const& x) {
    using namespace detail;
    if constexpr (npz_structure<X>()) {
        auto const names = npz_names<X>();
        std::size_t next = 0;
        zip_writer archive;
        for_each_leaf([&](auto const& leaf) { archive.add(names[next++], npy_bytes(leaf)); }, x);
        std::string const bytes = std::move(archive).finish();
        if (bytes.size() >= zip_most) refuse_file(path, "cannot be written: it exceeds 4 GiB");
        write_file(path, bytes);
    }
}

}  // namespace npz
}  // namespace v0
}  // namespace unspool
