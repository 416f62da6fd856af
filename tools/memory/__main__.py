"""`python -m tools.memory show|diff|rollback|rebuild-index|recount|export`."""

from tools.memory.app import app

if __name__ == "__main__":
    app(prog_name="python -m tools.memory")
