"""Recurrent language models. Parameters are laid out as in Keras, one bias a layer, for the published counts."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from neural.tasks.models import lstm_kernel
from neural.tasks.softmax_scores import Scores
from surrogate.kit.errors import problem

__all__ = ["LSTM", "LanguageModel"]

WORDS = 512  # outputs from which `Scores` pay: of 90, scores take less time than the calls that spare them


class LSTM(nn.Module):
    """c_t = f c_{t-1} + i g, h_t = o tanh(c_t); i, f, g, o from W x_t + U h_{t-1} + b. (B, T, inputs) -> (B, T, units).

    4 units (inputs + units + 1) parameters. Initial values as in FedOpt's code: He normal W, orthogonal U, b = 0 but 1
    for the forget gate. By torch's fused kernel, or ours where an engine asks for it; under vmap, for which these have
    no rule, one step after another.
    """

    one_by_one = True

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.units, self.kernel = units, False
        self.weight = nn.Parameter(torch.empty(4 * units, inputs))
        self.recurrent = nn.Parameter(torch.empty(4 * units, units))
        self.bias = nn.Parameter(torch.zeros(4 * units))
        nn.init.kaiming_normal_(self.weight, nonlinearity="relu")
        nn.init.orthogonal_(self.recurrent)
        with torch.no_grad():
            self.bias[units : 2 * units] = 1

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, inputs) -> (B, T, units), from h = c = 0."""
        if x.shape[-1] != self.weight.shape[1]:  # torch's fused kernel does not look
            raise problem(
                "the inputs of an LSTM", f"{x.shape[-1]} numbers wide", f"{self.weight.shape[1]} of them",
                "another layer's outputs than it was made for", f"make it with LSTM({x.shape[-1]}, {self.units})",
            )  # fmt: skip
        stepwise = torch._C._functorch.peek_interpreter_stack() is not None  # inside vmap or grad of torch.func
        if stepwise:
            return self.stepwise(x)
        if self.kernel and lstm_kernel.fits(x, self.recurrent):
            return lstm_kernel.lstm(x, self.weight, self.recurrent, self.bias)
        return self.fused(x)

    def use_kernel(self) -> None:
        """Train by our kernel from now on, where it pays: its outputs can be differentiated once."""
        self.kernel = True

    def fused(self, x: Tensor) -> Tensor:
        """By torch.lstm, whose second bias is 0."""
        start = x.new_zeros(1, len(x), self.units)
        weights = [self.weight, self.recurrent, self.bias, torch.zeros_like(self.bias)]
        return torch.lstm(x, (start, start), weights, True, 1, 0.0, False, False, True)[0]

    def stepwise(self, x: Tensor) -> Tensor:
        """By the equations."""
        inputs, U = x @ self.weight.T + self.bias, self.recurrent.T
        h = c = x.new_zeros(len(x), self.units)
        outputs = []
        for step in inputs.unbind(dim=1):
            i, f, g, o = (step + h @ U).chunk(4, dim=-1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h)
        return torch.stack(outputs, dim=1)


class LanguageModel(nn.Module):
    """Embedding, ``layers`` LSTMs, a projection where ``projection`` > 0, and logits of the next token at every place.

    Shakespeare (OLR C): embedding 8, LSTM 256 x 2, 90 outputs; 820,522 parameters. Stack Overflow (OLR C): embedding
    96, LSTM 670, 10,004 outputs, with FedOpt's projection to 96, which OLR leaves unsaid; 4,050,748 parameters.
    """

    def __init__(self, outputs: int, embedding: int, units: int, layers: int = 1, projection: int = 0) -> None:
        super().__init__()
        self.embedding = nn.Embedding(outputs, embedding)
        nn.init.uniform_(self.embedding.weight, -0.05, 0.05)
        self.lstms = nn.Sequential(*(LSTM(units if k else embedding, units) for k in range(layers)))
        self.projection: nn.Module = nn.Linear(units, projection) if projection else nn.Identity()
        self.out = nn.Linear(projection or units, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Tokens (B, T) -> (B, T, outputs)."""
        scores: Tensor = self.out(self._seen(x))
        return scores

    def scores(self, x: Tensor) -> Scores:
        """The same, not yet computed, for the loss and the accuracy of texts."""
        return Scores(self._seen(x), self.out.weight, self.out.bias)

    def has_scores(self) -> bool:
        """Whether there are many outputs, and nothing but the two lines above says what they are."""
        parts, out = (self, self.out), self.out
        if type(self) is not LanguageModel or type(out) is not nn.Linear or out.bias is None:
            return False
        hooks = "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"
        changed = any(getattr(part, name) for part in parts for name in hooks)
        return not changed and not any("forward" in vars(part) for part in parts) and out.out_features >= WORDS

    def _seen(self, x: Tensor) -> Tensor:
        return self.projection(self.lstms(self.embedding(x.long())))  # type: ignore[no-any-return]
