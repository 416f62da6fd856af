import { render } from "lit-html";
import { connect, readSuite } from "./firebase";
import { Session } from "./session";
import { NO_THREAD, Store } from "./state";
import "./style.css";
import { firstLanguage, textOf } from "./text";
import { page } from "./views/page";
import { keepPlace } from "./views/scrolling";

async function start(): Promise<void> {
  const suite = await readSuite();
  let session: Session | null = null;
  const store = new Store(
    {
      ...NO_THREAD,
      language: firstLanguage(),
      users: suite.users,
      soulIds: suite.soul_ids,
      bios: {},
      user: null,
      soulId: null,
      online: true,
      problem: null,
      side: "chat",
      tab: "slots",
    },
    (state) => {
      if (session === null) return;
      document.documentElement.lang = state.language;
      document.title = textOf(state.language).title;
      const putBack = keepPlace();
      render(page({ state, text: textOf(state.language), session }), document.body);
      putBack();
    },
  );
  session = new Session(store, connect(suite));
  store.set({});
}

start().catch((error: unknown) => {
  document.body.textContent = (error as Error).message;
});
