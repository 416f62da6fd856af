// A reader at the end of the conversation stays there; one who has scrolled up is left alone.

const NEAR_PX = 80;
let wasThere = false;

/** Call before drawing; call what it answers after. */
export function keepAtEnd(): () => void {
  const before = document.querySelector(".messages");
  const isAtEnd =
    before === null || before.scrollHeight - before.scrollTop - before.clientHeight < NEAR_PX;
  return () => {
    const after = document.querySelector(".messages");
    if (after !== null && (isAtEnd || !wasThere)) after.scrollTop = after.scrollHeight;
    wasThere = after !== null;
  };
}
