// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/copy.hpp>
#include <unspool/kernel/group.hpp>
#include <unspool/kernel/index.hpp>
#include <unspool/kernel/product.hpp>
#include <unspool/kernel/reduce.hpp>
#include <unspool/math/math.hpp>
#include <unspool/op/all.hpp>
#include <unspool/pass/freeze_plan.hpp>

#include <cstddef>
#include <utility>

/// @file
/// The instructions of a plan as kernel calls. `Plan` is a type with a static constexpr `value`.

namespace unspool {
inline namespace v0 {
namespace run {

/// What a running program knows: where its arrays are, and where in its loops it is.
template <class T, int Arrays>
struct frame {
    T* array[static_cast<std::size_t>(Arrays)];
    std::ptrdiff_t time[max_loops] = {};       ///< index of the step
    std::ptrdiff_t iteration[max_loops] = {};  ///< steps done
};

template <class Plan>
inline constexpr int array_count = Plan::value.workspace_base() + 1;

/// The address of a place: constants but for the loops it moves with.
template <class Plan, int P, class T>
UNSPOOL_INLINE T* address(frame<T, array_count<Plan>> const& f) {
    constexpr place p = Plan::value.places[P];
    if constexpr (p.is_uniform()) {
        return nullptr;
    } else {
        T* at = f.array[p.base] + p.offset;
        [&]<std::size_t... D>(std::index_sequence<D...>) {
            ((p.loop_step[D] != 0 ? void(at += f.time[D] * p.loop_step[D]) : void()), ...);
            ((p.loop_flip[D] != 0 ? void(at += (f.iteration[D] & 1) * p.loop_flip[D]) : void()),
             ...);
        }
        (std::make_index_sequence<max_loops>{});
        return at;
    }
}

// ---- elementwise groups

/// `Count` micros of a plan, from number `First`, as a kernel program: axes joined where all places
/// allow it, or, for a product's epilogue, rows of the columns of one block.
template <class Plan, int At, int First, int Count, bool Epilogue>
struct group_program {
    static constexpr instruction self = Plan::value.code[At];
    static constexpr int count = Count;
    static constexpr micro_op const& micro(int i) { return Plan::value.micros[First + i]; }

    struct layout {
        int rank = 0;
        int extent[max_rank] = {};
        int stride[static_cast<std::size_t>(count)][max_rank] = {};
        kernel::group_step step[static_cast<std::size_t>(count)]{};
    };
    static constexpr int step_along(int i, int axis) {
        return micro(i).place == none ? 0 : Plan::value.places[micro(i).place].step[axis];
    }
    static constexpr layout joined() {
        layout l;
        shape const space = self.space;
        int last[max_rank] = {};  // the innermost axis of the space that each joined axis ends with
        for (int axis = 0; axis < space.rank; ++axis) {
            bool joins = l.rank > 0;
            for (int i = 0; i < count && joins; ++i)
                joins = step_along(i, axis - 1) == step_along(i, axis) * space.extent[axis];
            if (!joins) l.extent[l.rank++] = 1;
            l.extent[l.rank - 1] *= space.extent[axis];
            last[l.rank - 1] = axis;
        }
        if (l.rank == 0) l.extent[l.rank++] = 1;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < l.rank; ++j)
                l.stride[i][j] = space.rank == 0 ? 1 : step_along(i, last[j]);
        return l;
    }
    static constexpr layout rows_of_a_block() {
        layout l;
        l.rank = 2;
        l.extent[0] = self.space.extent[0];
        l.extent[1] = self.space.extent[1] / self.groups;
        for (int i = 0; i < count; ++i) {
            bool const one_row = l.extent[0] == 1;
            l.stride[i][0] = one_row ? 0 : step_along(i, 0);
            l.stride[i][1] = step_along(i, one_row ? 0 : 1);
        }
        return l;
    }
    static constexpr layout make() {
        layout l = Epilogue ? rows_of_a_block() : joined();
        for (int i = 0; i < count; ++i) {
            kernel::group_step& s = l.step[i];
            int const code = micro(i).code;
            s.what = code == micro_op::load      ? kernel::group_step::load
                     : code == micro_op::uniform ? kernel::group_step::uniform
                     : code == micro_op::store   ? kernel::group_step::store
                     : code == micro_op::product ? kernel::group_step::given
                                                 : kernel::group_step::compute;
            for (int k = 0; k < 3; ++k) s.x[k] = micro(i).x[k] == none ? 0 : micro(i).x[k];
            s.inner = l.stride[i][l.rank - 1];
        }
        return l;
    }
    static constexpr layout laid_out = make();
    static constexpr int rank = laid_out.rank;
    static constexpr auto const& extent = laid_out.extent;
    static constexpr auto const& stride = laid_out.stride;
    static constexpr auto const& step = laid_out.step;
    template <int I>
    static constexpr double number = micro(I).value;

    template <int I, class Vec>
    UNSPOOL_INLINE static Vec value(Vec a, Vec b, Vec c) {
        using operation = op::at_code<micro(I).code>;
        if constexpr (operation::arity == 1) return operation::value(a);
        else if constexpr (operation::arity == 2) return operation::value(a, b);
        else return operation::value(a, b, c);
    }
};

/// Calls `use` with the addresses of a program's loads and stores.
template <class Plan, class Program, class T, class Use>
UNSPOOL_INLINE void with_addresses(frame<T, array_count<Plan>> const& f, Use use) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        T* const p[] = {[&]() -> T* {
            constexpr int at = Program::micro(I).place;
            if constexpr (at == none) return nullptr;
            else return address<Plan, at>(f);
        }()...};
        use(p);
    }
    (std::make_integer_sequence<int, Program::count>{});
}

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_group(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    using program = group_program<Plan, At, self.first, self.count, false>;
    with_addresses<Plan, program>(f, [](T* const* p) { kernel::group<T, Arch, program>(p); });
}

// ---- products

template <class Plan, int At>
struct product_of {
    static constexpr instruction self = Plan::value.code[At];
    static constexpr int rank = self.space.rank;
    static constexpr bool has_addend = self.count > 3;
    static constexpr place a = Plan::value.places[self.first];
    static constexpr place b = Plan::value.places[self.first + 1];
    static constexpr place c = Plan::value.places[self.first + 2];
    static constexpr place d = Plan::value.places[self.first + (has_addend ? 3 : 2)];
    static constexpr int m = self.space.extent[rank - 2];
    static constexpr int n = self.space.extent[rank - 1];
    static constexpr int k = self.inner;
    // Strides of axes of extent 1 do not matter: one value for all keeps kernels few.
    static constexpr int stride(int extent, int step, int otherwise) {
        return extent == 1 ? otherwise : step;
    }
    using shape =
        kernel::product_shape<m, n, k, stride(m, a.step[rank - 2], 0),
                              stride(k, a.step[rank - 1], 1), stride(k, b.step[rank - 2], n),
                              stride(n, b.step[rank - 1], 1), stride(m, c.step[rank - 2], n),
                              has_addend ? stride(m, d.step[rank - 2], 0) : kernel::none,
                              self.groups>;
    template <class T, class Arch, class Epilogue>
    UNSPOOL_INLINE static void run(T const* pa, T const* pb, T* pc, T const* pd,
                                   Epilogue epilogue) {
        if constexpr (self.packed)
            kernel::product_packed<T, Arch, shape, Epilogue>(pa, pb, pc, pd, epilogue);
        else kernel::product<T, Arch, shape, Epilogue>(pa, pb, pc, pd, epilogue);
    }
};

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_product(frame<T, array_count<Plan>> const& f) {
    using product = product_of<Plan, At>;
    constexpr instruction self = product::self;
    T const* pa = address<Plan, self.first>(f);
    T const* pb = address<Plan, self.first + 1>(f);
    T const* pd = nullptr;
    if constexpr (product::has_addend) pd = address<Plan, self.first + 3>(f);
    constexpr int batches = self.space.span(0, self.space.rank - 2);
    if constexpr (self.epilogue_count > 0) {
        using program = group_program<Plan, At, self.epilogue, self.epilogue_count, true>;
        with_addresses<Plan, program>(f, [&](T* const* p) {
            product::template run<T, Arch>(
                pa, pb, static_cast<T*>(nullptr), pd,
                kernel::group_epilogue<T, Arch, program, self.groups>{p});
        });
    } else if constexpr (batches == 1) {
        T* pc = address<Plan, self.first + 2>(f);
        product::template run<T, Arch>(pa, pb, pc, pd, kernel::keep{});
    } else {
        T* pc = address<Plan, self.first + 2>(f);
        for (int z = 0; z < batches; ++z) {
            std::ptrdiff_t oa = 0, ob = 0, oc = 0, od = 0;
            for (int axis = self.space.rank - 3, rest = z; axis >= 0; --axis) {
                int const i = rest % self.space.extent[axis];
                rest /= self.space.extent[axis];
                oa += std::ptrdiff_t{i} * product::a.step[axis];
                ob += std::ptrdiff_t{i} * product::b.step[axis];
                oc += std::ptrdiff_t{i} * product::c.step[axis];
                od += std::ptrdiff_t{i} * product::d.step[axis];
            }
            product::template run<T, Arch>(pa + oa, pb + ob, pc + oc,
                                           product::has_addend ? pd + od : nullptr, kernel::keep{});
        }
    }
}

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_pack(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    constexpr place from = Plan::value.places[self.first + 1];
    kernel::packed_b<T, Arch, self.space.extent[0], self.space.extent[1], self.groups>::
        template pack<from.step[0], from.step[1]>(address<Plan, self.first + 1>(f),
                                                  address<Plan, self.first>(f));
}

// ---- reductions

/// Axes of one kind that follow each other, joined where strides allow it.
struct reduce_axes {
    int rank = 0;
    int extent[max_rank] = {};
    int x[max_rank] = {};
    int y[max_rank] = {};
    bool reduced[max_rank] = {};
};
constexpr reduce_axes join_axes(instruction const& self, place const& x, place const& y) {
    reduce_axes r;
    for (int i = 0; i < self.space.rank; ++i) {
        int const extent = self.space.extent[i];
        if (extent == 1) continue;
        bool const reduced = (self.reduced >> i & 1) != 0;
        int const last = r.rank - 1;
        bool const joins = r.rank > 0 && r.reduced[last] == reduced &&
                           r.x[last] == x.step[i] * extent &&
                           (reduced || r.y[last] == y.step[i] * extent);
        if (joins) r.extent[last] *= extent;
        else {
            r.extent[r.rank] = extent;
            r.reduced[r.rank++] = reduced;
        }
        r.x[r.rank - 1] = x.step[i];
        r.y[r.rank - 1] = y.step[i];
    }
    return r;
}

/// The kernel takes one kept, one reduced and one kept axis; axes before the last such run are
/// loops. A reduced one of these accumulates.
template <class T, class Arch, class Op, class Axes, int At, bool Accumulate>
UNSPOOL_INLINE void reduce_from(T const* x, T* y) {
    constexpr reduce_axes a = Axes::value;
    constexpr int left = a.rank - At;
    constexpr bool fits = [&] {
        int i = At;
        if (i < a.rank && !a.reduced[i]) ++i;
        if (i < a.rank && a.reduced[i]) ++i;
        if (i < a.rank && !a.reduced[i] && i > At && a.reduced[i - 1]) ++i;
        return i == a.rank;
    }();
    if constexpr (fits) {
        constexpr bool outer = left > 0 && !a.reduced[At];
        constexpr int r = At + (outer ? 1 : 0);
        constexpr bool folds = r < a.rank;
        constexpr bool inner = folds && r + 1 < a.rank;
        using shape =
            kernel::reduce_shape<outer ? a.extent[At] : 1, folds ? a.extent[folds ? r : 0] : 1,
                                 inner ? a.extent[inner ? r + 1 : 0] : 1, outer ? a.x[At] : 0,
                                 folds ? a.x[folds ? r : 0] : 1, inner ? a.x[inner ? r + 1 : 0] : 1,
                                 outer ? a.y[At] : 0, inner ? a.y[inner ? r + 1 : 0] : 1,
                                 Accumulate>;
        kernel::reduce<T, Arch, Op, shape>(x, y);
    } else {
        for (int i = 0; i < a.extent[At]; ++i) {
            T const* from = x + std::ptrdiff_t{i} * a.x[At];
            if constexpr (!a.reduced[At]) {
                reduce_from<T, Arch, Op, Axes, At + 1, Accumulate>(from,
                                                                   y + std::ptrdiff_t{i} * a.y[At]);
            } else if (i == 0) {
                reduce_from<T, Arch, Op, Axes, At + 1, Accumulate>(from, y);
            } else {
                reduce_from<T, Arch, Op, Axes, At + 1, true>(from, y);
            }
        }
    }
}

template <class Plan, int At>
struct reduce_axes_of {
    static constexpr int first = Plan::value.code[At].first;
    static constexpr reduce_axes value =
        join_axes(Plan::value.code[At], Plan::value.places[first], Plan::value.places[first + 1]);
};

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_reduce(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    using fold = std::conditional_t<self.code == op::code<op::sum>, kernel::sum, kernel::largest>;
    reduce_from<T, Arch, fold, reduce_axes_of<Plan, At>, 0, false>(
        address<Plan, self.first>(f), address<Plan, self.first + 1>(f));
}

// ---- copies

template <class Plan, int At, class Axes>
struct copy_shape_of;
template <class Plan, int At, int... I>
struct copy_shape_of<Plan, At, std::integer_sequence<int, I...>> {
    static constexpr int extent(int i) { return Plan::value.code[At].space.extent[i]; }
    static constexpr int step(int which, int i) {
        return Plan::value.places[Plan::value.code[At].first + which].step[i];
    }
    using type = kernel::copy_shape<kernel::ints<extent(I)...>, kernel::ints<step(1, I)...>,
                                    kernel::ints<step(0, I)...>>;
};

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_copy(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    constexpr place from = Plan::value.places[self.first + 1];
    using shape =
        typename copy_shape_of<Plan, At, std::make_integer_sequence<int, self.space.rank>>::type;
    T const uniform = static_cast<T>(from.value);
    T const* source = from.is_uniform() ? &uniform : address<Plan, self.first + 1>(f);
    kernel::copy<T, Arch, shape>(source, address<Plan, self.first>(f));
}

// ---- rows by index

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_gather(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    kernel::gather<T, Arch, self.space.size(), self.inner, self.extent>(
        address<Plan, self.first + 1>(f), address<Plan, self.first + 2>(f),
        address<Plan, self.first>(f));
}
template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_scatter_add(frame<T, array_count<Plan>> const& f) {
    constexpr instruction self = Plan::value.code[At];
    kernel::scatter_add<T, Arch, self.space.size(), self.inner, self.extent>(
        address<Plan, self.first + 1>(f), address<Plan, self.first + 2>(f),
        address<Plan, self.first>(f));
}

}  // namespace run
}  // namespace v0
}  // namespace unspool
