// Who is signed in and which chat is open; everything a person can do on the page starts here.

import { signInWithEmailAndPassword, signOut } from "firebase/auth";
import { Album } from "./album";
import { Conversation } from "./conversation";
import { ThreadDocuments, watchBio } from "./documents";
import type { Firebase } from "./firebase";
import { Inspector } from "./inspector";
import { NO_THREAD } from "./state";
import type { State, Store, Tab } from "./state";
import { editStudio, loadStudio, saveStudio } from "./studio";
import { keepLanguage } from "./text";
import type { Language } from "./text";
import type { DemoUser, Studio } from "./types";
import { toEnd, toTop } from "./views/scrolling";

export class Session {
  private conversation: Conversation | null = null;
  private inspector: Inspector | null = null;
  private stops: (() => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly firebase: Firebase,
  ) {
    const { auth } = firebase;
    auth.onAuthStateChanged((signedIn) => this.enter(signedIn?.uid ?? null));
  }

  speak(language: Language): void {
    keepLanguage(language);
    this.store.set({ language });
  }

  async signIn(user: DemoUser): Promise<void> {
    const { auth } = this.firebase;
    await this.attempt(signInWithEmailAndPassword(auth, user.email, user.password));
  }

  async signOut(): Promise<void> {
    this.leave();
    await this.attempt(signOut(this.firebase.auth));
  }

  choose(soulId: string): void {
    const { user } = this.store.state;
    if (user === null) return;
    const { db, functions, storage } = this.firebase;
    this.leave();
    toEnd();
    this.store.set({ soulId });
    this.inspector = new Inspector(this.store, functions, user.uid, soulId);
    const documents = new ThreadDocuments(db, user.uid, soulId);
    const refresh = this.inspector.soon;
    const album = storage && new Album(this.store, storage, user.uid);
    this.conversation = new Conversation(this.store, documents, functions, soulId, album, refresh);
    this.conversation.watch();
    void this.attempt(loadStudio(this.store, db, soulId));
  }

  leave(): void {
    this.conversation?.close();
    this.inspector?.close();
    this.conversation = this.inspector = null;
    this.store.set({ ...NO_THREAD, soulId: null, problem: null });
  }

  show(change: Partial<Pick<State, "side" | "tab">>): void {
    this.store.set(change);
    this.inspector?.soon();
  }

  showTab(tab: Tab): void {
    toTop();
    this.show({ tab });
  }

  get chat(): Conversation | null {
    return this.conversation;
  }

  edit(change: Partial<Studio>): void {
    editStudio(this.store, change);
  }

  async save(): Promise<void> {
    const { soulId } = this.store.state;
    if (soulId === null) return;
    await saveStudio(this.store, this.firebase.db, soulId);
    this.inspector?.soon();
  }

  private enter(uid: string | null): void {
    const { store } = this;
    const user = store.state.users.find((one) => one.uid === uid) ?? null;
    for (const stop of this.stops) stop();
    this.stops = [];
    store.set({ user, online: true });
    if (user === null) return;
    this.stops = store.state.soulIds.map((soulId) =>
      watchBio(
        this.firebase.db,
        soulId,
        (bio, isLive) => {
          store.set({ bios: { ...store.state.bios, [soulId]: bio } });
          this.hear(isLive);
        },
        (error) => store.set({ problem: error.message }),
      ),
    );
  }

  /** What Firestore sees of the connection: the browser's own word is of the network alone. */
  private hear(online: boolean): void {
    if (online === this.store.state.online) return;
    this.store.set({ online });
    if (online) {
      this.conversation?.resume();
      this.inspector?.soon();
    }
  }

  private async attempt(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.store.set({ problem: (error as Error).message });
    }
  }
}
