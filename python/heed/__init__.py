# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Attention in C++: Gaussian, dot-product and additive scores, any mask, gradients for everything.

>>> q, k, v = np.zeros((1, 2)), np.ones((3, 2)), np.eye(3)
>>> heed.attend(q, k, v, mask=heed.causal(align="bottom_right") & heed.window(left=1, align="bottom_right"))
array([[0. , 0.5, 0.5]])
"""

from heed import _core, _functions
from heed._core import *  # noqa: F403

_functions.present(__name__, globals())

from heed import nn as nn  # noqa: E402
from heed import optim as optim  # noqa: E402
from heed._charts import Chart as Chart  # noqa: E402
from heed._charts import TrainingCurve as TrainingCurve  # noqa: E402
from heed._viz import Heatmap as Heatmap  # noqa: E402
from heed._viz import show_heatmaps as show_heatmaps  # noqa: E402

__version__ = _core.version()
