"""How hypothesis draws: the same cases every time, and no clock.

`HYPOTHESIS_PROFILE=explore make test` looks for new cases.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
