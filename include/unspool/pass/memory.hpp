// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/list.hpp>

namespace unspool {
inline namespace v0 {

/// Static memory by liveness. A region is a sequence of instructions: a graph, or a loop's body. A
/// buffer lives in one region from the first instruction that touches it to the last; a loop's own
/// buffers are one block in the region around it, alive at the loop.
class memory_planner {
public:
    static constexpr int alignment = 64;  ///< bytes

    constexpr explicit memory_planner(int element_bytes) : unit_(alignment / element_bytes) {}

    constexpr void open_region() {
        regions_.push_back({stack_.empty() ? -1 : stack_.back(), 0, -1});
        stack_.push_back(regions_.size() - 1);
        if (stack_.size() > 1) {
            int const region = stack_.back();
            stack_.pop_back();
            int const block = add(0);
            touch(block);
            regions_[region].block = block;
            stack_.push_back(region);
        }
    }
    /// The next instruction of the open region.
    constexpr void advance() { ++regions_[stack_.back()].now; }
    /// A new buffer of the open region.
    constexpr int add(int elements) {
        buffers_.push_back({elements, stack_.back(), never, -1, 0});
        return buffers_.size() - 1;
    }
    /// The current instruction, and the loops it is in, use the buffer.
    constexpr void touch(int id) {
        buffer& b = buffers_[id];
        int const now = regions_[b.region].now;
        if (now < b.first) b.first = now;
        if (now > b.last) b.last = now;
    }
    constexpr void close_region() {
        int const region = stack_.back();
        stack_.pop_back();
        int const size = place_buffers(region);
        if (regions_[region].block >= 0) buffers_[regions_[region].block].elements = size;
        else total_ = size;
    }
    /// Where a buffer lies in the workspace, once all regions are closed.
    constexpr int offset(int id) const {
        int at = buffers_[id].offset;
        for (int region = buffers_[id].region; regions_[region].block >= 0;) {
            int const block = regions_[region].block;
            at += buffers_[block].offset;
            region = buffers_[block].region;
        }
        return at;
    }
    constexpr int total() const { return total_; }

private:
    static constexpr int never = 1 << 30;
    struct buffer {
        int elements, region, first, last, offset;
    };
    struct region_record {
        int parent, now, block;
    };
    int unit_;
    int total_ = 0;
    list<buffer> buffers_;
    list<region_record> regions_;
    list<int> stack_;

    /// What is free, by offset; the last gap has no end.
    struct gap {
        int offset, end;
    };

    /// First fit in the order of first use.
    constexpr int place_buffers(int region) {
        int const times = regions_[region].now + 1;
        list<int> used;
        for (int i = 0; i < buffers_.size(); ++i)
            if (buffers_[i].region == region && buffers_[i].last >= 0) used.push_back(i);
        list<int> const by_first = sorted(used, times, &buffer::first);
        list<int> const by_last = sorted(used, times, &buffer::last);
        list<gap> gaps{{0, never}};
        int total = 0;
        int freed = 0;
        for (int id : by_first) {
            buffer& b = buffers_[id];
            for (; buffers_[by_last[freed]].last < b.first; ++freed)
                release(gaps, buffers_[by_last[freed]]);
            int const size = occupied(b);
            int k = 0;
            while (gaps[k].end - gaps[k].offset < size) ++k;
            b.offset = gaps[k].offset;
            gaps[k].offset += size;
            if (gaps[k].offset == gaps[k].end) gaps.erase(k);
            if (b.offset + size > total) total = b.offset + size;
        }
        return total;
    }
    constexpr int occupied(buffer const& b) const {
        return (b.elements + unit_ - 1) / unit_ * unit_;
    }
    constexpr void release(list<gap>& gaps, buffer const& b) const {
        int const end = b.offset + occupied(b);
        if (end == b.offset) return;
        int k = 0;  // the gap behind
        while (gaps[k].offset < end) ++k;
        bool const below = k > 0 && gaps[k - 1].end == b.offset;
        bool const above = gaps[k].offset == end;
        if (below && above) {
            gaps[k - 1].end = gaps[k].end;
            gaps.erase(k);
        } else if (below) {
            gaps[k - 1].end = end;
        } else if (above) {
            gaps[k].offset = b.offset;
        } else {
            gaps.insert(k, {b.offset, end});
        }
    }
    /// Buffers by one of their times, earlier ones of the list first where it is equal.
    constexpr list<int> sorted(list<int> const& ids, int times, int buffer::*time) const {
        list<int> start(times + 1, 0);
        for (int id : ids) ++start[buffers_[id].*time + 1];
        for (int t = 0; t < times; ++t) start[t + 1] += start[t];
        list<int> result(ids.size(), 0);
        for (int id : ids) result[start[buffers_[id].*time]++] = id;
        return result;
    }
};

}  // namespace v0
}  // namespace unspool
