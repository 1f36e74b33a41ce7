"""Train a small network on handwritten digits, with array functions and their gradients and nothing else.

usage: python examples/digits.py [--device cpu] [--epochs 30] [--output examples/output]

The data are scikit-learn's 1,797 scans of 8 x 8 pixels. The device is named once, in `main`; everything below it runs
unchanged wherever it says. The script ends with an error unless the network reads 96 % of the test scans correctly.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

import gradarray as ga

HIDDEN = 64
BATCH = 64
RATE = 3e-3
DECAY = 1e-4
REQUIRED_ACCURACY = 0.96


# --- data ------------------------------------------------------------------------------------------------------------


def load(rng):
    """Images with values from 0 to 1 and their digits, for training and for testing, on the default device."""
    digits = load_digits()
    order = rng.permutation(len(digits.target))
    images = (digits.data / 16.0)[order]
    labels = digits.target.astype(np.int64)[order]
    n_test = len(order) // 5
    train = ga.asarray(images[n_test:]), ga.asarray(labels[n_test:])
    test = ga.asarray(images[:n_test]), ga.asarray(labels[:n_test])
    return train, test


# --- the network -----------------------------------------------------------------------------------------------------


def initial_parameters(rng):
    """Weights and biases of a network with one hidden layer."""

    def weights(n_in, n_out):
        return ga.asarray(rng.standard_normal((n_in, n_out)) * np.sqrt(2 / n_in), requires_grad=True)

    return {
        "weights 1": weights(64, HIDDEN),
        "bias 1": ga.zeros(HIDDEN, requires_grad=True),
        "weights 2": weights(HIDDEN, 10),
        "bias 2": ga.zeros(10, requires_grad=True),
    }


def scores(parameters, images):
    """How much the network believes in each of the ten digits, for each image."""
    w1, b1, w2, b2 = parameters.values()
    hidden = ga.maximum(images @ w1 + b1, 0.0)
    return hidden @ w2 + b2


def cross_entropy(parameters, images, labels):
    """Mean negative logarithm of the probability that the network gives to the right digit."""
    s = scores(parameters, images)
    s = s - ga.max(s, axis=1, keepdims=True)
    log_probability = s - ga.log(ga.sum(ga.exp(s), axis=1, keepdims=True))
    return -ga.mean(ga.take_along_axis(log_probability, ga.expand_dims(labels, axis=1), axis=1))


def predict(parameters, images):
    """The most probable digit for each image."""
    with ga.no_grad():
        return ga.argmax(scores(parameters, images), axis=1)


def accuracy(parameters, images, labels):
    """The share of the images that are read correctly."""
    return float(ga.mean(ga.astype(predict(parameters, images) == labels, ga.float64)))


# --- training --------------------------------------------------------------------------------------------------------


class Adam:
    """Adam with decoupled weight decay, in six lines of array code."""

    def __init__(self, parameters):
        self.parameters = list(parameters)
        self.means = [ga.zeros_like(p) for p in self.parameters]
        self.squares = [ga.zeros_like(p) for p in self.parameters]
        self.steps = 0

    @ga.no_grad()
    def step(self, rate):
        """Move every parameter against its gradient, and forget the gradient."""
        self.steps += 1
        rate *= math.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for p, mean, square in zip(self.parameters, self.means, self.squares, strict=True):
            g = p.grad
            mean += 0.1 * (g - mean)
            square += 0.001 * (g * g - square)
            p -= rate * mean / (ga.sqrt(square) + 1e-8) + DECAY * p
            p.grad = None


def train(parameters, training, testing, epochs, rng):
    """Train, printing a line every few epochs. Returns the mean loss of each epoch."""
    images, labels = training
    n = images.shape[0]
    optimizer = Adam(parameters.values())
    losses = []
    start = time.perf_counter()
    print("epoch    loss   train    test    time")
    for epoch in range(1, epochs + 1):
        order = ga.asarray(rng.permutation(n))
        total = 0.0
        for first in range(0, n, BATCH):
            batch = order[first : min(first + BATCH, n)]
            loss = cross_entropy(parameters, ga.take(images, batch, axis=0), ga.take(labels, batch, axis=0))
            loss.backward()
            optimizer.step(RATE * (1 - epoch / (epochs + 1)))
            total += float(loss) * batch.shape[0]
        losses.append(total / n)
        if epoch in (1, epochs) or epoch % 5 == 0:
            print(
                f"{epoch:5d} {losses[-1]:7.4f} {accuracy(parameters, *training):7.2%} "
                f"{accuracy(parameters, *testing):7.2%} {time.perf_counter() - start:6.1f}s",
                flush=True,
            )
    return losses


# --- checks and picture ----------------------------------------------------------------------------------------------


def check_gradient(parameters, images, labels, rng, step=1e-6):
    """Compare the gradient at a few elements of each parameter with central finite differences."""
    cross_entropy(parameters, images, labels).backward()
    print("gradient, at random elements   backward()    differences")
    worst = 0.0
    for name, p in parameters.items():
        for _ in range(2):
            index = tuple(int(rng.integers(length)) for length in p.shape)
            with ga.no_grad():
                value = float(p[index])
                p[index] = value + step
                ahead = float(cross_entropy(parameters, images, labels))
                p[index] = value - step
                behind = float(cross_entropy(parameters, images, labels))
                p[index] = value
            found, expected = float(p.grad[index]), (ahead - behind) / (2 * step)
            worst = max(worst, abs(found - expected))
            print(f"  {f'{name} {index}':<26} {found:13.9f}  {expected:13.9f}")
        p.grad = None
    if worst > 1e-7:
        sys.exit(f"FAILED: the gradient is off by {worst:.1e}")


def draw(path, losses, images, labels, predicted, title):
    """The loss, and some predictions: the wrong ones first."""
    images, labels, predicted = (x.to_device("cpu").numpy() for x in (images, labels, predicted))
    shown = np.argsort(labels == predicted, kind="stable")[:24]
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(4, 7))
    axes = left.subplots()
    axes.plot(np.arange(1, len(losses) + 1), losses)
    axes.set(xlabel="epoch", ylabel="mean training loss", yscale="log", title=title)
    for axes, index in zip(right.subplots(3, 8).flat, shown, strict=True):
        right_answer = labels[index] == predicted[index]
        axes.imshow(images[index].reshape(8, 8), cmap="gray_r")
        axes.set_axis_off()
        text = f"{predicted[index]}" if right_answer else f"{predicted[index]}, not {labels[index]}"
        axes.set_title(text, color="black" if right_answer else "crimson", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", help="where to compute: cpu, strict, cuda, ...")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output", help="folder of the picture")
    options = parser.parse_args()

    ga.set_default_device(options.device)
    rng = np.random.default_rng(options.seed)
    training, testing = load(rng)
    parameters = initial_parameters(rng)
    print(f"--- device {str(training[0].device)!r}: {training[0].shape[0]} training, {testing[0].shape[0]} test scans")
    check_gradient(parameters, training[0][:BATCH, :], training[1][:BATCH], rng)
    losses = train(parameters, training, testing, options.epochs, rng)
    reached = accuracy(parameters, *testing)
    path = options.output / f"digits_{options.device.replace(':', '_')}.png"
    draw(path, losses, *testing, predict(parameters, testing[0]), f"device {options.device}")
    print(f"test accuracy {reached:.2%}; picture: {os.path.relpath(path)}\n")
    if reached < REQUIRED_ACCURACY:
        sys.exit(f"FAILED: the test accuracy is below {REQUIRED_ACCURACY:.0%}")


if __name__ == "__main__":
    main()
