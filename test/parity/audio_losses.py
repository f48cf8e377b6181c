# SPDX-License-Identifier: BSL-1.0
"""Audio losses and their gradients with respect to the prediction, by JAX and PyTorch in float64."""
import jax
import jax.numpy as jnp
import numpy as np
import torch

from common import deviation, made, stored, write

T, B, COEFFICIENT, FLOOR = 37, 3, 0.85, 1e-5
TARGET = made((T, B), 81, 0.5, 0.0625)
PREDICTION = 0.75 * TARGET + made((T, B), 82, 0.125, 0.25)


def losses(square, mean, total, join):
    """name -> (text, function of target and prediction), over the operations of one framework."""
    first = lambda s: join([s[:1], s[1:] - COEFFICIENT * s[:-1]])
    valid = lambda s: s[1:] - COEFFICIENT * s[:-1]
    same = lambda s: s
    esr = lambda f, floor=0.0: lambda y, p: mean(square(f(y) - f(p))) / (mean(square(f(y))) + floor)
    dc = lambda floor=0.0: lambda y, p: square(mean(y) - mean(p)) / (mean(square(y)) + floor)
    per_sequence = lambda y, p: mean(square(mean(y, 0) - mean(p, 0))) / mean(square(y))
    return {
        "mse": ("mean(square(y - p))", lambda y, p: mean(square(y - p))),
        "esr": ("sum(square(y - p)) / sum(square(y))", lambda y, p: total(square(y - p)) / total(square(y))),
        "esr_pre_emphasis": ("esr(f(y), f(p)), f(s)[t] = s[t] - 0.85 s[t-1], s[-1] = 0", esr(first)),
        "esr_pre_emphasis_valid": ("esr(f(y), f(p)), f(s)[t] = s[t] - 0.85 s[t-1], t >= 1", esr(valid)),
        "esr_floor": ("mean(square(y - p)) / (mean(square(y)) + 1e-5)", esr(same, FLOOR)),
        "esr_pre_emphasis_floor": ("esr_floor(f(y), f(p)), f as in esr_pre_emphasis", esr(first, FLOOR)),
        "dc": ("square(mean(y) - mean(p)) / mean(square(y)), means over time and batch", dc()),
        "dc_per_sequence": ("mean(square(mean(y, axis 0) - mean(p, axis 0))) / mean(square(y))", per_sequence),
        "dc_floor": ("square(mean(y) - mean(p)) / (mean(square(y)) + 1e-5)", dc(FLOOR)),
        "capture": ("0.75 esr_pre_emphasis + 0.25 dc", lambda y, p: 0.75 * esr(first)(y, p) + 0.25 * dc()(y, p)),
        "capture_per_sequence": ("0.75 esr_pre_emphasis + 0.25 dc_per_sequence",
                                 lambda y, p: 0.75 * esr(first)(y, p) + 0.25 * per_sequence(y, p))}


def main():
    assert np.array_equal(PREDICTION, PREDICTION.astype(np.float32))
    by_jax = losses(jnp.square, jnp.mean, jnp.sum, jnp.concatenate)
    by_torch = losses(torch.square, torch.mean, torch.sum, torch.cat)
    cases = []
    for name, (text, fn) in by_jax.items():
        value, gradient = jax.value_and_grad(fn, argnums=1)(jnp.asarray(TARGET), jnp.asarray(PREDICTION))
        p = torch.tensor(PREDICTION, requires_grad=True)
        other = by_torch[name][1](torch.tensor(TARGET), p)
        other_gradient, = torch.autograd.grad(other, p)
        worst = max(deviation(other.item(), value), deviation(other_gradient.numpy(), gradient))
        assert worst <= 1e-12, (name, worst)
        cases.append({"name": name, "text": text, "loss": float(value), "gradient": stored(gradient), "agreement": worst})
    write("losses", "losses of a prediction p against a target y, both (time, batch), and the gradient with respect to p",
          target=stored(TARGET), prediction=stored(PREDICTION), cases=cases)
