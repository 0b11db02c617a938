"""The session of a visitor: an id that nobody can guess, and the language.

It is the only cookie. It is signed, so that it cannot be forged; scripts cannot read it. It begins
with the first page, or with the first thing that belongs to a visitor; a refusal never begins one.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import Request

from pegwise.errors import OutputError, Phrase, system_reason
from pegwise.paths import make_home

COOKIE: Final = "pegwise"
MAX_AGE: Final = 180 * 24 * 3600  # seconds
_SECRET_FILE: Final = "web-secret"


def visitor_id(request: Request) -> str:
    """The id of the visitor, whose session begins where there is none."""
    if "id" not in request.session:
        request.session["id"] = secrets.token_urlsafe(18)
    return str(request.session["id"])


def signing_secret(home: Path) -> str:
    """The secret that is stored in this directory; made when there is none."""
    path = home / _SECRET_FILE
    try:
        if not path.exists():
            make_home(home)
            private = partial(os.open, mode=0o600)
            # another process may be faster
            with suppress(FileExistsError), open(path, "x", opener=private) as file:
                file.write(secrets.token_urlsafe(32))
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = system_reason(error) if isinstance(error, OSError) else Phrase("not text")
        raise OutputError(
            "cannot keep the secret of sessions in {path}: {why}", path=repr(str(path)), why=why
        ) from error
    if len(secret) < 32:
        raise OutputError(
            "the secret of sessions in {path} is damaged: remove the file", path=repr(str(path))
        )
    return secret
