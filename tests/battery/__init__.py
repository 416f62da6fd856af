"""The battery: every fault that the platform is known for, and what it must not do to memory.

The use cases and adapters are the real ones, on a Firestore emulator; faults come from the
injectors here (`delivery`, `task_queue`, `lost_calls`, and Gemini's REST server of the tests).
"""
