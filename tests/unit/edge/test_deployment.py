"""What a deployment may change reaches the manifest that the CLI deploys."""

import subprocess
import sys

import pytest
import yaml

from tools.toolchain import ROOT

DISCOVER = """
from functions import deployment
deployment.SERVICE_ACCOUNT = {account!r}
import main
from firebase_functions.private import serving
print(serving.functions_as_yaml(serving.get_functions()))
"""


@pytest.mark.parametrize("account", ["soul-memory@", None])
def test_every_function_runs_as_the_account_that_is_named(account: str | None) -> None:
    code = DISCOVER.format(account=account)
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    endpoints = yaml.safe_load(told)["endpoints"]
    assert len(endpoints) > 7
    assert {one.get("serviceAccountEmail") for one in endpoints.values()} == {account}
