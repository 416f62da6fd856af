"""The scheduled function as the scheduler calls it: HTTP to functions-framework."""

from pathlib import Path
from uuid import uuid4

import pytest
import requests
from google.cloud import firestore

from tests.integration.test_functions_framework import serving

pytestmark = pytest.mark.firestore


def test_a_scheduled_sweep_answers_and_leaves_its_bookmark(
    client: firestore.Client, firestore_host: str, tmp_path: Path
) -> None:
    # A database of its own: a sweep looks across everybody's threads, those of other tests too.
    project = f"demo-{uuid4().hex[:12]}"
    with serving("sweep", "http", firestore_host, tmp_path, project=project) as url:
        answer = requests.post(url, json={}, timeout=60)
        assert answer.status_code == 200, answer.text
    own = firestore.Client(project=project)
    bookmark = own.document("operations", "sweep").get().to_dict()
    assert bookmark is not None
    assert bookmark["messages_until"] is not None
