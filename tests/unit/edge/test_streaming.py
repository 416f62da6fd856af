"""A stream is for browsers too."""

import flask

from functions.streaming import streamed


def test_a_page_of_another_origin_may_hear_a_stream() -> None:
    app = flask.Flask(__name__)
    headers = {"Accept": "text/event-stream", "Origin": "http://127.0.0.1:5000"}
    with app.test_request_context(method="POST", headers=headers):
        answer = streamed(lambda _: flask.jsonify({"result": 1}))(flask.request)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.get_data(as_text=True) == 'data: {"result": 1}\n\n'
