"""`make play`: the playground page in a browser, on the whole product, until Ctrl-C."""

from __future__ import annotations

import os
import sys
from urllib.error import URLError

from google.api_core.exceptions import GoogleAPIError

from tools import processes
from tools.demo import SETTINGS
from tools.emulators import EmulatorError, running_suite
from tools.play_world import USERS, play_page, seed_world
from tools.showing import in_words
from tools.suite_config import free_ports
from tools.toolchain import SetupError


def main() -> int:
    """Serve the page and show the suite's log until Ctrl-C. FREE_PORTS=1 takes any free ports."""
    try:
        page = play_page()
        print("Starting the Firebase emulators (about half a minute) …", flush=True)
        ports = free_ports(with_page=True) if os.environ.get("FREE_PORTS") else None
        with running_suite(SETTINGS, page=page, ports=ports) as suite:
            seed_world(suite)
            names = ", ".join(user.name for user in USERS)
            print(f"Users: {names}. A cycle is due at {SETTINGS['CYCLE_TRIGGER_TOKENS']} tokens.")
            print(f"\n  http://{suite.hosts['hosting']}\n\nCtrl-C stops it.", flush=True)
            program = suite.program
            processes.follow(program.log, lambda _: None, until=lambda: program.has_ended)
        print("play: firebase-tools ended by itself.", file=sys.stderr)
        return 1
    except (EmulatorError, SetupError, GoogleAPIError, URLError) as error:
        print(f"play: {in_words(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
