"""Every ten minutes: find what the platform has lost, and put it back to work."""

from firebase_functions import options, scheduler_fn


@scheduler_fn.on_schedule(
    schedule="every 10 minutes", timeout_sec=540, memory=options.MemoryOption.MB_512
)
def sweep(_event: scheduler_fn.ScheduledEvent) -> None:
    """Bounded; what there was no room for waits for the next run."""
    from functions.failures import worker_failures
    from functions.services import services
    from shared.sweeping.sweep import sweep as run

    of = services()
    with worker_failures(of.events, "sweep", "-"):
        report = run(ports=of.sweeping)
        of.events.write("INFO", "sweep", **report.model_dump())
