# SPDX-License-Identifier: BSL-1.0
"""LSTM and GRU: JAX, PyTorch and Keras compute the same losses and gradients; JAX's are stored."""
import jax
import jax.numpy as jnp
import keras
import numpy as np
import tensorflow as tf
import torch

from common import deviation, made, power_of_two_below, stored, write

LSTM_SIZES = [  # T, B, I, H
    (1, 1, 1, 1), (1, 3, 7, 10), (2, 1, 3, 7), (2, 10, 17, 3), (10, 1, 1, 17), (10, 3, 3, 33),
    (10, 7, 33, 10), (10, 17, 10, 7), (64, 1, 1, 10), (64, 3, 10, 17), (64, 33, 3, 1), (64, 10, 17, 33)]
GRU_SIZES = [(1, 1, 1, 3), (2, 7, 3, 10), (10, 3, 17, 33), (64, 3, 10, 7)]
AGREE_64, AGREE_32 = 1e-12, 1e-5
MEAN = "mean of all outputs"
RICH = "sum(outputs * outputs_weight) + sum(h * h_weight)"


def inputs(kind, T, B, I, H):
    """name -> (shape, k, scale, shift); the first ones, up to the loss weights, are differentiated."""
    gates = 4 if kind == "lstm" else 3
    spec = {
        "kernel": ((I, gates * H), 1, power_of_two_below(1 / np.sqrt(I)), 0.0),
        "recurrent_kernel": ((H, gates * H), 2, power_of_two_below(1 / np.sqrt(H)), 0.0),
        "bias": ((4 * H,) if kind == "lstm" else (2, 3 * H), 3, 0.125, 1.0),
        "x": ((T, B, I), 4, 1.0, 0.0),
        "h0": ((B, H), 5, 0.5, 0.0)}
    if kind == "lstm":
        spec["c0"] = ((B, H), 6, 0.5, 0.0)
    spec["outputs_weight"] = ((T, B, H), 7, 1.0, 0.0)
    spec["h_weight"] = ((B, H), 8, 1.0, 0.0)
    if kind == "lstm":
        spec["c_weight"] = ((B, H), 9, 1.0, 0.0)
    return spec


def losses(outputs, state, weights):
    """(mean, rich), by operators that JAX, torch and TensorFlow arrays all have; sums are taken by the caller's `total`."""
    total = {"jax": jnp.sum, "torch": torch.sum, "tf": tf.reduce_sum}[
        "torch" if isinstance(outputs, torch.Tensor) else "tf" if tf.is_tensor(outputs) else "jax"]
    count = float(np.prod(outputs.shape))
    rich = total(outputs * weights[0])
    for s, w in zip(state, weights[1:]):
        rich = rich + total(s * w)
    return total(outputs) / count, rich


# JAX -----------------------------------------------------------------------------------------------------------------

def jax_lstm(kernel, recurrent, bias, x, h0, c0):
    def step(carry, xt):
        h, c = carry
        i, f, g, o = jnp.split(xt @ kernel + h @ recurrent + bias, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    state, outputs = jax.lax.scan(step, (h0, c0), x)
    return outputs, state


def jax_gru(kernel, recurrent, bias, x, h0):
    def step(h, xt):
        xz, xr, xh = jnp.split(xt @ kernel + bias[0], 3, axis=-1)
        hz, hr, hh = jnp.split(h @ recurrent + bias[1], 3, axis=-1)
        z, r = jax.nn.sigmoid(xz + hz), jax.nn.sigmoid(xr + hr)
        h = z * h + (1 - z) * jnp.tanh(xh + r * hh)
        return h, h
    h, outputs = jax.lax.scan(step, h0, x)
    return outputs, (h,)


def with_jax(kind, args, weights):
    model = jax_lstm if kind == "lstm" else jax_gru
    args, weights = [jnp.asarray(a) for a in args], [jnp.asarray(w) for w in weights]

    def loss(which):
        return lambda *a: losses(*model(*a), weights)[which]
    outputs, state = jax.jit(model)(*args)
    result = [outputs, *state]
    for which in (0, 1):
        value, grads = jax.jit(jax.value_and_grad(loss(which), argnums=tuple(range(len(args)))))(*args)
        result += [value, *grads]
    return result


# PyTorch: nn.LSTM and nn.GRU; LSTM's gates i, f, g, o are in Keras' order, GRU's are r, z, n ---------------------------

def swap_zr(a):
    z, r, n = np.split(a, 3, axis=-1)
    return np.concatenate([r, z, n], axis=-1)


def with_torch(kind, args, weights):
    kernel, recurrent, bias, x, *state0 = args
    H, dtype = recurrent.shape[0], torch.from_numpy(x).dtype
    layer = (torch.nn.LSTM if kind == "lstm" else torch.nn.GRU)(x.shape[2], H).to(dtype)
    permute = (lambda a: a) if kind == "lstm" else swap_zr  # swap_zr is its own inverse
    bias_x, bias_h = (bias, np.zeros_like(bias)) if kind == "lstm" else bias
    with torch.no_grad():
        for p, v in ((layer.weight_ih_l0, permute(kernel).T), (layer.weight_hh_l0, permute(recurrent).T),
                     (layer.bias_ih_l0, permute(bias_x)), (layer.bias_hh_l0, permute(bias_h))):
            p.copy_(torch.from_numpy(np.ascontiguousarray(v)))
    xs = torch.from_numpy(x).requires_grad_()
    s0 = [torch.from_numpy(s)[None].requires_grad_() for s in state0]
    outputs, state = layer(xs, tuple(s0) if kind == "lstm" else s0[0])
    state = [s[0] for s in (state if kind == "lstm" else [state])]
    result = [outputs.detach().numpy(), *(s.detach().numpy() for s in state)]
    for value in losses(outputs, state, [torch.from_numpy(w) for w in weights]):
        wrt = [layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0, xs, *s0]
        g = [a.numpy() for a in torch.autograd.grad(value, wrt, retain_graph=True)]
        bias_grad = g[2] if kind == "lstm" else np.stack([permute(g[2]), permute(g[3])])
        result += [value.item(), permute(g[0].T), permute(g[1].T), bias_grad, g[4], *(a[0] for a in g[5:])]
    return result


# Keras' layers: batch-major, so that the sequence is transposed on the way in and out -----------------------------------

def with_keras(kind, args, weights):
    kernel, recurrent, bias, x, *state0 = args
    layer = (keras.layers.LSTM if kind == "lstm" else keras.layers.GRU)(
        recurrent.shape[0], return_sequences=True, return_state=True, dtype=str(x.dtype))
    layer.build((x.shape[1], x.shape[0], x.shape[2]))
    layer.set_weights([kernel, recurrent, bias])
    xs, s0 = tf.constant(x), [tf.constant(s) for s in state0]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([xs, *s0])
        outputs, *state = layer(tf.transpose(xs, (1, 0, 2)), initial_state=s0 if kind == "lstm" else s0[0])
        outputs = tf.transpose(outputs, (1, 0, 2))
        both = losses(outputs, state, [tf.constant(w) for w in weights])
    result = [outputs.numpy(), *(s.numpy() for s in state)]
    for value in both:
        wrt = [v.value for v in layer.trainable_variables] + [xs, *s0]
        result += [value.numpy(), *(g.numpy() for g in tape.gradient(value, wrt))]
    return result


PEERS = {"jax": with_jax, "torch": with_torch, "keras": with_keras}


def case(kind, T, B, I, H):
    spec = inputs(kind, T, B, I, H)
    arrays = {n: made(*s) for n, s in spec.items()}
    for a in arrays.values():  # float and double tests have the same inputs
        assert np.array_equal(a, a.astype(np.float32))
    wrt = [n for n in spec if not n.endswith("_weight")]
    args, weights = [arrays[n] for n in wrt], [arrays[n] for n in spec if n.endswith("_weight")]
    single = lambda l: [a.astype(np.float32) for a in l]
    reference = [np.asarray(a) for a in with_jax(kind, args, weights)]
    assert all(a.dtype == np.float64 for a in reference)
    state = ["h", "c"] if kind == "lstm" else ["h"]
    names = ["outputs", *state] + [n for l in ("mean", "rich") for n in (l, *(l + " " + w for w in wrt))]
    agreement = {"float64": {}, "float32": {}}
    for peer, run in PEERS.items():
        for precision, bound in (("float64", AGREE_64), ("float32", AGREE_32)):
            if (peer, precision) == ("jax", "float64"):
                continue
            p = [args, weights] if precision == "float64" else [single(args), single(weights)]
            result = run(kind, *p)
            assert len(result) == len(reference) == len(names)
            assert all(np.asarray(r).dtype in (precision, np.dtype(float)) for r in result)
            worst = max((deviation(r, e), n) for r, e, n in zip(result, reference, names))
            agreement[precision][peer] = worst[0]
            assert worst[0] <= bound, (kind, T, B, I, H, peer, precision, worst)
    values = iter(stored(a) if np.ndim(a) else float(a) for a in reference)
    out = {"name": "T%d_B%d_I%d_H%d" % (T, B, I, H), "T": T, "B": B, "I": I, "H": H,
           "inputs": {n: {"shape": list(s[0]), "k": s[1], "scale": s[2], "shift": s[3]} for n, s in spec.items()},
           "forward": {n: next(values) for n in ("outputs", *state)}}
    terms = list(zip(reference, weights))
    size = {"mean": float(np.mean(abs(reference[0]))), "rich": float(sum(np.sum(abs(a * w)) for a, w in terms))}
    for l in ("mean", "rich"):
        out[l] = {"loss": next(values), "size": size[l], "gradients": {n: next(values) for n in wrt}}
    out["agreement"] = agreement
    return out


def summary(cases):
    return {p: {peer: max(c["agreement"][p][peer] for c in cases) for peer in cases[0]["agreement"][p]}
            for p in ("float64", "float32")}


def main():
    lstm = [case("lstm", *s) for s in LSTM_SIZES]
    write("lstm", "LSTM, time-major, Keras' layout: [i f c o] = x kernel + h recurrent_kernel + bias; "
          "c' = sigmoid(f) c + sigmoid(i) tanh(c-gate); h' = sigmoid(o) tanh(c')",
          mean=MEAN, rich=RICH + " + sum(c * c_weight), h and c after the last step",
          size="sum of the absolute values of the loss's terms: what rounding errors of the loss are relative to",
          agreement_is="largest ||a - b|| / ||b|| over outputs, state, losses and gradients, b = JAX's float64",
          agreement=summary(lstm), cases=lstm)
    gru = [case("gru", *s) for s in GRU_SIZES]
    write("gru", "GRU, time-major, Keras' layout with reset_after=True: z = sigmoid(x Kz + a_z + h Rz + b_z), r alike, "
          "n = tanh(x Kh + a_h + r (h Rh + b_h)), h' = z h + (1 - z) n; kernels' columns z, r, h; bias rows a, b",
          mean=MEAN, rich=RICH + ", h after the last step",
          size="sum of the absolute values of the loss's terms: what rounding errors of the loss are relative to",
          agreement_is="largest ||a - b|| / ||b|| over outputs, state, losses and gradients, b = JAX's float64",
          agreement=summary(gru), cases=gru)
