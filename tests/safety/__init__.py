"""What memory must never leak or let through, as figures: `make safety`."""
