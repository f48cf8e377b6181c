#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes data/*.json, which the parity tests read. README.md says how to set up Python.

usage: make_references.py [lstm-gru | operations | optimisers | losses | article]...     all of them when none is named
"""
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # its kernels round differently
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import jax
import torch

jax.config.update("jax_enable_x64", True)
torch.set_num_threads(1)

import article
import audio_losses
import operations
import optimisers
import recurrent

PARTS = {"lstm-gru": recurrent, "operations": operations, "optimisers": optimisers, "losses": audio_losses,
         "article": article}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        if part not in PARTS:
            sys.exit(__doc__)
        PARTS[part].main()
