# SPDX-License-Identifier: BSL-1.0
"""The article's LSTM cell: gradient, its two wrong relatives, and ten steps of each optimiser, in float64.

Each optimiser twice: by its formula with the decimal hyperparameters in double (`formula`), and as Keras computes it
(`keras`). The two differ: momentum and the powers of beta are float32 roundings of 0.9 and 0.999 in Keras.
"""
import jax
import jax.numpy as jnp
import keras
import numpy as np
import tensorflow as tf

from common import deviation, stored, write
from optimisers import STEPS, adam, sgd
from recurrent import jax_lstm


def wave(shape, amplitude, frequency, phase):
    return (amplitude * np.sin(frequency * np.arange(np.prod(shape)) + phase)).reshape(shape)


START = {"kernel": wave((10, 40), 0.3, 0.7, 0.1), "recurrent_kernel": wave((10, 40), 0.3, 0.9, 0.2),
         "bias": wave((40,), 0.1, 1, 0.3)}
X, ZERO = wave((10, 1, 10), 1, 0.37, 0.4), np.zeros((1, 10))


def run(p, x, h, c):
    return jax_lstm(p["kernel"], p["recurrent_kernel"], p["bias"], x, h, c)


def full(p):
    return jnp.mean(run(p, X, ZERO, ZERO)[0])


def last(p):
    return jnp.sum(run(p, X, ZERO, ZERO)[0][-1]) / 100


def nested(p):
    """Each step's part of the mean, with the carried state a constant."""
    h, c, total = ZERO, ZERO, 0.0
    for t in range(10):
        outputs, (h, c) = run(p, X[t:t + 1], *map(jax.lax.stop_gradient, (h, c)))
        total = total + jnp.sum(outputs) / 100
    return total


def profile(p):
    """||d loss / d h_t||, t = 0..9: the gradient with respect to a zero added to h_t."""
    def shifted(d):
        h, c, out = ZERO, ZERO, []
        for t in range(10):
            _, (h, c) = run(p, X[t:t + 1], h, c)
            h = h + d[t]
            out.append(h)
        return jnp.mean(jnp.stack(out))
    return np.linalg.norm(np.asarray(jax.grad(shifted)(jnp.zeros((10, 1, 10)))).reshape(10, 10), axis=1)


def optimised(step):
    p, state, out = dict(START), {}, []
    gradient = jax.jit(jax.value_and_grad(full))
    for t in range(1, STEPS + 1):
        step(p, {n: np.asarray(a) for n, a in gradient(p)[1].items()}, state, t)
        out.append(float(gradient(p)[0]))
    return out


def keras_optimised(optimiser):
    cell, out = keras.layers.LSTMCell(10, dtype="float64"), []
    cell.build((1, 10))
    cell.set_weights(list(START.values()))

    def loss():
        state, outputs = [tf.constant(ZERO)] * 2, []
        for t in range(10):
            y, state = cell(tf.constant(X[t]), state)
            outputs.append(y)
        return tf.reduce_mean(tf.stack(outputs))
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            value = loss()
        variables = cell.trainable_variables
        optimiser.apply(tape.gradient(value, [v.value for v in variables]), variables)
        out.append(float(loss()))
    return out


def main():
    keras.config.set_floatx("float64")
    cases = []
    for name, fn in (("full", full), ("last", last), ("nested", nested)):
        value, grads = jax.value_and_grad(fn)(START)
        cases.append({"name": name, "loss": float(value), "gradients": {n: stored(grads[n]) for n in START},
                      "norms": {n: float(np.linalg.norm(np.asarray(grads[n]).reshape(-1))) for n in START}})
    optimisers = {}
    for name, step, other in (
            ("sgd", sgd(0.1), keras.optimizers.SGD(0.1)),
            ("momentum", sgd(0.1, 0.9), keras.optimizers.SGD(0.1, momentum=0.9)),
            ("adam_keras", adam(0.01, eps=1e-7, keras_form=True), keras.optimizers.Adam(0.01, epsilon=1e-7)),
            ("adam_torch", adam(0.01), None)):
        optimisers[name] = {"formula": optimised(step)}
        if other:
            optimisers[name]["keras"] = keras_optimised(other)
            optimisers[name]["deviation"] = max(
                abs(a - b) / abs(a) for a, b in zip(*(optimisers[name][k] for k in ("formula", "keras"))))
    write("article", "kernel 0.3 sin(0.7 k + 0.1), recurrent kernel 0.3 sin(0.9 k + 0.2), bias 0.1 sin(k + 0.3), input "
          "sin(0.37 k + 0.4), k = 0, 1, ..; T = 10, batch 1, 10 inputs, 10 units, zero state; losses after steps 1..10: "
          "SGD 0.1, momentum 0.9, Adam 0.01, beta 0.9 and 0.999, epsilon 1e-7 (Keras) and 1e-8 (PyTorch)",
          profile=[float(x) for x in profile(START)], optimisers=optimisers, cases=cases)
