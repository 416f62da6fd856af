// Who is signed in and which chat is open; everything a person can do on the page starts here.

import { signInWithEmailAndPassword, signOut } from "firebase/auth";
import { Album } from "./album";
import { Conversation } from "./conversation";
import { readBio, ThreadDocuments } from "./documents";
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

  constructor(
    private readonly store: Store,
    private readonly firebase: Firebase,
  ) {
    const { auth } = firebase;
    auth.onAuthStateChanged((signedIn) => void this.enter(signedIn?.uid ?? null));
    window.addEventListener("online", () => this.hear(true));
    window.addEventListener("offline", () => this.hear(false));
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

  private async enter(uid: string | null): Promise<void> {
    const user = this.store.state.users.find((one) => one.uid === uid) ?? null;
    this.store.set({ user });
    if (user === null) return;
    const { soulIds } = this.store.state;
    const bios = soulIds.map(async (id) => [id, await readBio(this.firebase.db, id)] as const);
    await this.attempt(
      Promise.all(bios).then((read) => this.store.set({ bios: Object.fromEntries(read) })),
    );
  }

  private hear(online: boolean): void {
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
