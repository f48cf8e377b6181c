# SPDX-License-Identifier: BSL-1.0
"""Ten steps of each optimiser by PyTorch and Keras on a small problem, in float64; clipping by the global norm."""
import keras
import numpy as np
import tensorflow as tf
import torch

from common import deviation, made, number, stored, write

STEPS = 10
# In float64, too, Keras takes the powers of beta from its float32 value (tensorflow.cast reads a Python float as float32);
# 0.999 is 1.3e-5 of 1 - 0.999 off there. For default betas the formula's values are stored.
KERAS_FLOAT_BETAS = 2e-5
X, Y = made((5, 3), 61), made((5, 4), 62)
START = {"w": made((3, 4), 63), "b": made((4,), 64, 0.5)}
PROBLEM = "loss(w, b) = mean(square(tanh(matmul(x, w) + b) - y)) + sum(square(w)) / 32"


def loss_torch(w, b):
    return torch.mean((torch.tanh(torch.from_numpy(X) @ w + b) - torch.from_numpy(Y)) ** 2) + torch.sum(w * w) / 32


def loss_and_gradient(p):
    """By hand, for the formulas that PyTorch and Keras are compared with."""
    t = np.tanh(X @ p["w"] + p["b"])
    d = 2 * (t - Y) / t.size * (1 - t * t)
    return np.mean((t - Y) ** 2) + np.sum(p["w"] ** 2) / 32, {"w": X.T @ d + p["w"] / 16, "b": d.sum(0)}


def global_norm(g):
    return np.sqrt(sum(np.sum(a * a) for a in g.values()))


# The formulas: (parameters, gradient, state, step from 1) -> parameters ----------------------------------------------

def sgd(lr, momentum=0.0, nesterov=False, clip=None):
    def step(p, g, s, t):
        if clip:
            g = {n: a * min(1.0, clip / global_norm(g)) for n, a in g.items()}
        for n in p:
            s[n] = momentum * s.get(n, 0.0) + g[n]
            p[n] = p[n] - lr * (g[n] + momentum * s[n] if nesterov else s[n])
    return step


def adam(lr, b1=0.9, b2=0.999, eps=1e-8, keras_form=False, decay=0.0):
    def step(p, g, s, t):
        for n in p:
            d = g[n] + decay * p[n]
            m, v = s.get(n, (0.0, 0.0))
            m, v = b1 * m + (1 - b1) * d, b2 * v + (1 - b2) * d * d
            s[n] = m, v
            if keras_form:
                p[n] = p[n] - lr * np.sqrt(1 - b2 ** t) / (1 - b1 ** t) * m / (np.sqrt(v) + eps)
            else:
                p[n] = p[n] - lr / (1 - b1 ** t) * m / (np.sqrt(v / (1 - b2 ** t)) + eps)
    return step


def run_formula(step):
    p, s, out = {n: a.copy() for n, a in START.items()}, {}, []
    for t in range(1, STEPS + 1):
        step(p, loss_and_gradient(p)[1], s, t)
        out.append(({n: a.copy() for n, a in p.items()}, loss_and_gradient(p)[0]))
    return out


def run_torch(make, clip=None):
    p = {n: torch.tensor(a, requires_grad=True) for n, a in START.items()}
    optimiser, out = make(list(p.values())), []
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss_torch(**p).backward()
        if clip:  # divides by norm + 1e-6
            torch.nn.utils.clip_grad_norm_(p.values(), clip)
        optimiser.step()
        out.append(({n: a.detach().numpy().copy() for n, a in p.items()}, loss_torch(**p).item()))
    return out


def run_keras(optimiser):
    p, out = {n: tf.Variable(a) for n, a in START.items()}, []
    names = list(p)
    keras_vars = [keras.Variable(a, dtype="float64") for a in START.values()]
    optimiser.build(keras_vars)
    for _ in range(STEPS):
        now = {n: v.numpy() for n, v in zip(names, keras_vars)}
        gradient = loss_and_gradient(now)[1]
        optimiser.apply([tf.constant(gradient[n]) for n in names], keras_vars)
        now = {n: v.numpy().copy() for n, v in zip(names, keras_vars)}
        out.append((now, loss_and_gradient(now)[0]))
    return out


def cases():
    o, k = torch.optim, keras.optimizers
    keras.config.set_floatx("float64")  # the learning rate and the moments are variables of that type
    yield "sgd", {"lr": 0.125}, sgd(0.125), [
        run_torch(lambda p: o.SGD(p, 0.125)), run_keras(k.SGD(0.125))]
    yield "sgd_clipped", {"lr": 0.125, "global_norm": 0.25}, sgd(0.125, clip=0.25), [
        run_keras(k.SGD(0.125, global_clipnorm=0.25))]
    yield "momentum", {"lr": 0.125, "momentum": 0.875}, sgd(0.125, 0.875), [
        run_torch(lambda p: o.SGD(p, 0.125, momentum=0.875)), run_keras(k.SGD(0.125, momentum=0.875))]
    yield "nesterov", {"lr": 0.125, "momentum": 0.875}, sgd(0.125, 0.875, True), [
        run_torch(lambda p: o.SGD(p, 0.125, momentum=0.875, nesterov=True)),
        run_keras(k.SGD(0.125, momentum=0.875, nesterov=True))]
    for tag, eps in (("", 1e-8), ("_large_epsilon", 0.125)):
        yield "adam_torch" + tag, {"lr": 0.0625, "beta1": 0.9, "beta2": 0.999, "epsilon": eps}, adam(0.0625, eps=eps), [
            run_torch(lambda p: o.Adam(p, 0.0625, eps=eps))]
    for tag, eps in (("", 1e-7), ("_large_epsilon", 0.125)):  # betas exact in float: see KERAS_FLOAT_BETAS
        b1, b2 = 0.875, 1 - 2.0 ** -10
        yield "adam_keras" + tag, {"lr": 0.0625, "beta1": b1, "beta2": b2, "epsilon": eps}, adam(
            0.0625, b1, b2, eps, keras_form=True), [run_keras(k.Adam(0.0625, b1, b2, eps))]
    yield "adam_keras_default_betas", {"lr": 0.0625, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7}, adam(
        0.0625, eps=1e-7, keras_form=True), [run_keras(k.Adam(0.0625, epsilon=1e-7))]
    yield "adam_torch_betas", {"lr": 0.0625, "beta1": 0.75, "beta2": 0.875, "epsilon": 1e-8}, adam(
        0.0625, 0.75, 0.875), [run_torch(lambda p: o.Adam(p, 0.0625, betas=(0.75, 0.875)))]
    yield "adam_torch_weight_decay", {"lr": 0.0625, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.125}, \
        adam(0.0625, decay=0.125), [run_torch(lambda p: o.Adam(p, 0.0625, weight_decay=0.125))]


def clipping():
    """Gradient at the start, clipped below and above its norm; PyTorch's own form adds 1e-6 to the norm."""
    loss, g = loss_and_gradient(START)
    norm, out = float(global_norm(g)), []
    auto = [torch.tensor(a, requires_grad=True) for a in START.values()]
    by_torch = torch.autograd.grad(loss_torch(*auto), auto)
    assert max(deviation(t.numpy(), g[n]) for t, n in zip(by_torch, g)) <= 1e-14
    for limit in (0.0625, 0.25, 4.0):
        tensors, tf_norm = tf.clip_by_global_norm([tf.constant(a) for a in g.values()], limit)
        clipped = dict(zip(g, (t.numpy() for t in tensors)))
        assert deviation(tf_norm.numpy(), norm) <= 1e-15
        assert max(deviation(clipped[n], g[n] * min(1.0, limit / norm)) for n in g) <= 1e-14
        for n, a in zip(g, auto):
            a.grad = torch.tensor(g[n])
        torch.nn.utils.clip_grad_norm_(auto, limit)
        out.append({"limit": limit, "clipped": {n: stored(a) for n, a in clipped.items()},
                    "clipped_torch": {n: stored(a.grad.numpy()) for n, a in zip(g, auto)}})
    return {"loss": loss, "gradient": {n: stored(a) for n, a in g.items()}, "norm": norm, "limits": out}


def main():
    listed = []
    for name, options, formula, runs in cases():
        reference, bound = runs[0], 1e-12
        if name == "adam_keras_default_betas":
            reference, bound = run_formula(formula), KERAS_FLOAT_BETAS
        worst = 0.0
        for other in runs + [run_formula(formula)]:
            for (p, a), (r, b) in zip(other, reference):
                worst = max(worst, abs(a - b) / abs(b), *(deviation(p[n], r[n]) for n in r))
        assert worst <= bound, (name, worst)
        listed.append({"name": name, "options": options, "agreement": worst, "steps": [
            {"w": [number(x) for x in p["w"].reshape(-1)], "b": [number(x) for x in p["b"]], "loss": float(l)}
            for p, l in reference]})
    write("optimisers", "parameters and loss after each step; each case agrees with its formula (and PyTorch with Keras, "
          "where both have it) to `agreement`; adam_keras_default_betas is the formula's, since Keras rounds beta to float",
          problem=PROBLEM, x=stored(X), y=stored(Y), start={n: stored(a) for n, a in START.items()},
          clipping=clipping(), cases=listed)
