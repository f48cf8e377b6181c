#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs the capture program as a user would, right and wrong: check.py CAPTURE DRY WET

Every refusal must be one sentence on standard error, exit code 1, and no file in the output folder.
"""
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import wave

PICTURES = {"waveforms.png", "loss.png", "gradient_profile.png"}
RESULTS = {"model.json", "predicted.wav", "figures.json"}


def read_float_wav(path: pathlib.Path) -> tuple[int, list[float]]:
    """Samples of the mono 32-bit floating-point WAV that capture writes."""
    data = path.read_bytes()
    assert data[:4] == b"RIFF" and data[8:16] == b"WAVEfmt ", path
    assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8, "RIFF size"
    form, channels, rate = struct.unpack_from("<HHI", data, 20)
    assert (form, channels) == (3, 1), (form, channels)
    at = data.index(b"data")
    (size,) = struct.unpack_from("<I", data, at + 4)
    return rate, list(struct.unpack_from(f"<{size // 4}f", data, at + 8))


def write_wav(path: pathlib.Path, samples: list[float], rate: int = 44100, channels: int = 1) -> pathlib.Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{len(samples)}h", *(round(32767 * x) for x in samples)))
    return path


def run_model(model: dict, dry: list[float]) -> list[float]:
    """An LSTM and a dense layer in Keras' layouts, gates i, f, c, o, in plain double precision."""
    lstm, dense = model["layers"]
    kernel, recurrent, bias = lstm["weights"]
    out_kernel, out_bias = dense["weights"]
    units = lstm["shape"][-1]
    h, c = [0.0] * units, [0.0] * units
    result = []
    for x in dry:
        z = [bias[r] + kernel[0][r] * x for r in range(4 * units)]
        for k in range(units):
            row, hk = recurrent[k], h[k]
            for r in range(4 * units):
                z[r] += row[r] * hk
        for j in range(units):
            i, f, o = (1 / (1 + math.exp(-z[g * units + j])) for g in (0, 1, 3))
            c[j] = f * c[j] + i * math.tanh(z[2 * units + j])
            h[j] = o * math.tanh(c[j])
        y = out_bias[0] + sum(out_kernel[j][0] * h[j] for j in range(units))
        result.append(y + (x if model["in_skip"] else 0.0))
    return result


class Checker:
    def __init__(self, program: str, dry: str, wet: str, folder: pathlib.Path):
        self.program, self.dry, self.wet, self.folder = program, dry, wet, folder
        self.plots = [] if shutil.which("gnuplot") else ["--no-plots"]
        self.count = 0

    def run(self, *arguments, **kwargs) -> subprocess.CompletedProcess:
        kwargs.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([self.program, *map(str, arguments)], stderr=subprocess.PIPE, text=True, **kwargs)

    def output(self) -> pathlib.Path:
        self.count += 1
        return self.folder / f"out{self.count}"

    def refuses(self, words: str, *arguments, **kwargs) -> None:
        output = self.output()
        done = self.run("-o", output, "-e", 1, *self.plots, *arguments, **kwargs)
        assert done.returncode == 1, (words, done)
        assert words in done.stderr, (words, done.stderr)
        assert done.stderr.count("\n") == 1, done.stderr
        assert not output.is_dir() or not list(output.iterdir()), list(output.iterdir())
        print("refused:", done.stderr.strip())

    def check_run(self) -> None:
        output = self.output()
        done = self.run(self.dry, self.wet, "-o", output, "-e", 3, "-s", 60, *self.plots)
        assert done.returncode == 0, done
        print(done.stdout)
        found = {path.name for path in output.iterdir()}
        assert found == RESULTS | (set() if self.plots else PICTURES), found
        figures = json.loads((output / "figures.json").read_text())
        assert len(figures["history"]) == 3 and 0 < figures["esr"] < math.inf, figures
        if figures["allocations_counted"]:
            assert figures["training_allocations"] == 0, figures
            assert figures["streaming_allocations"] == 0, figures
        assert "0:00 left" in done.stdout and "ESR on the held-out blocks" in done.stdout

        model = json.loads((output / "model.json").read_text())
        units = figures["units"]
        assert [layer["type"] for layer in model["layers"]] == ["lstm", "dense"]
        assert model["in_shape"] == [None, None, 1] and model["in_skip"] == 1 and model["samplerate"] == 44100
        rate, predicted = read_float_wav(output / "predicted.wav")
        assert rate == 44100 and len(predicted) == 882000
        assert units == model["layers"][0]["shape"][-1]
        dry = model["input_batch"]
        again = run_model(model, dry)
        for name, other in (("predicted.wav", predicted), ("output_batch", model["output_batch"])):
            worst = max(abs(a - b) for a, b in zip(again, other))
            print(f"an independent run of model.json differs from {name} by at most {worst:.2g}")
            assert worst < 2e-5, (name, worst)

    def check_same_seed(self) -> None:
        models = []
        for seed in (5, 5, 6):
            output = self.output()
            assert self.run(self.dry, self.wet, "-o", output, "-e", 1, "--no-plots", "--seed", seed).returncode == 0
            models.append((output / "model.json").read_bytes())
        assert models[0] == models[1], "one seed, two models"
        assert models[0] != models[2], "two seeds, one model"

    def check_stop(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            output = self.output()
            command = [self.program, self.dry, self.wet, "-o", str(output), "-e", "1000000", "-s", "0", "--no-plots"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
                assert "LSTM" in child.stdout.readline()
                assert "epoch" in child.stdout.readline()  # the first epoch is over
                child.send_signal(number)
                start = time.monotonic()
                _, messages = child.communicate(timeout=60)
            assert child.returncode == 128 + number, (child.returncode, messages)
            assert {path.name for path in output.iterdir()} == RESULTS, list(output.iterdir())
            json.loads((output / "model.json").read_text())
            print(f"{number.name}: saved {time.monotonic() - start:.2f} s later")

    def check_full_disk(self) -> None:
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))

        self.refuses("predicted.wav: File too large", self.dry, self.wet, preexec_fn=small_files)
        old = self.output()
        old.mkdir()
        (old / "model.json").write_text("the model of last week")
        done = self.run(self.dry, self.wet, "-o", old, "-e", 1, "--no-plots", preexec_fn=small_files)
        assert done.returncode == 1, done
        assert [path.name for path in old.iterdir()] == ["model.json"], list(old.iterdir())
        assert (old / "model.json").read_text() == "the model of last week"
        with open("/dev/full", "w") as full:
            output = self.output()
            done = self.run(self.dry, self.wet, "-o", output, "-e", 1, "--no-plots", stdout=full)
            assert done.returncode == 1 and "standard output" in done.stderr, done
            assert {path.name for path in output.iterdir()} == RESULTS

    def check_refusals(self) -> None:
        tone = [0.3 * math.sin(0.05 * i) * math.sin(0.00071 * i * i % 6.28) for i in range(88200)]
        good = write_wav(self.folder / "good.wav", tone)
        self.refuses("two recordings are needed")
        self.refuses("No such file", self.folder / "nothing.wav", good)
        self.refuses("is a folder", self.folder, good)
        text = self.folder / "text.wav"
        text.write_text("this is no sound")
        self.refuses("as sound", good, text)
        self.refuses("has 48000", good, write_wav(self.folder / "rate.wav", tone, 48000))
        self.refuses("2 channels", good, write_wav(self.folder / "stereo.wav", tone, channels=2))
        self.refuses("differ in length", good, write_wav(self.folder / "short.wav", tone[:30000]))
        self.refuses("is silent", good, write_wav(self.folder / "silent.wav", [0.0] * 88200))
        self.refuses("--latency 300", good, write_wav(self.folder / "late.wav", [0.0] * 300 + tone[:-300]))
        self.refuses("too short", write_wav(self.folder / "a.wav", tone[:5000]),
                     write_wav(self.folder / "b.wav", tone[:5000]))
        self.refuses("not among the sizes", "--units", 7, self.dry, self.wet)
        self.refuses("--epochs", "--epochs", 0, self.dry, self.wet)
        self.refuses("--learning-rate", "--learning-rate", "fast", self.dry, self.wet)
        cut = self.folder / "cut.wav"
        cut.write_bytes(good.read_bytes()[:-1000])
        done = self.run(good, cut, "-o", self.output(), "-e", 1, "--no-plots")
        print("cut short:", done.stderr.strip() or done.stdout.splitlines()[0])
        if os.geteuid() != 0:  # root may read everything
            good.chmod(0)
            self.refuses("Permission denied", good, good)
        file = self.folder / "file"
        file.write_text("")
        done = self.run(self.dry, self.wet, "-o", file, "-e", 1)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done
        done = self.run(self.dry, self.wet, "-o", self.output(), "-e", 1, env={"PATH": "/nonexistent"})
        assert done.returncode == 1 and "gnuplot" in done.stderr, done


def main() -> int:
    program, dry, wet = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(program, dry, wet, pathlib.Path(folder))
        checker.check_refusals()
        checker.check_run()
        checker.check_same_seed()
        checker.check_stop()
        checker.check_full_disk()
    print("all as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
