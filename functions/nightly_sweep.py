"""Once a night: deletions are finished, and users without an account are let go."""

from firebase_functions import options, scheduler_fn


@scheduler_fn.on_schedule(
    schedule="every day 04:10",
    timezone=options.Timezone("Asia/Seoul"),
    timeout_sec=540,
    memory=options.MemoryOption.MB_512,
)
def nightly_sweep(_event: scheduler_fn.ScheduledEvent) -> None:
    """Bounded; what there was no room for waits for the next night."""
    from functions.failures import worker_failures
    from functions.services import services
    from shared.leaving.nightly_sweep import nightly_sweep as run

    of = services()
    with worker_failures(of.events, "nightly_sweep", "-"):
        report = run(ports=of.leaving)
        severity = "ERROR" if report.alarms or report.errors else "INFO"
        of.events.write(severity, "nightly_sweep", **report.model_dump())
