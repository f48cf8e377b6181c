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

    /// First fit in the order of first use, against the placed buffers that live at the same time.
    constexpr int place_buffers(int region) {
        list<int> order;
        for (int i = 0; i < buffers_.size(); ++i)
            if (buffers_[i].region == region && buffers_[i].last >= 0) order.push_back(i);
        for (int i = 1; i < order.size(); ++i)
            for (int j = i; j > 0 && buffers_[order[j]].first < buffers_[order[j - 1]].first; --j)
                std::swap(order[j], order[j - 1]);
        int total = 0;
        list<int> placed;  // by offset
        for (int id : order) {
            buffer& b = buffers_[id];
            int const size = (b.elements + unit_ - 1) / unit_ * unit_;
            int at = 0;
            for (int other : placed) {
                buffer const& o = buffers_[other];
                if (o.last < b.first || b.last < o.first) continue;
                if (o.offset >= at + size) break;
                int const end = o.offset + (o.elements + unit_ - 1) / unit_ * unit_;
                if (end > at) at = end;
            }
            b.offset = at;
            if (at + size > total) total = at + size;
            placed.push_back(id);
            for (int j = placed.size() - 1;
                 j > 0 && buffers_[placed[j]].offset < buffers_[placed[j - 1]].offset; --j)
                std::swap(placed[j], placed[j - 1]);
        }
        return total;
    }
};

}  // namespace v0
}  // namespace unspool
