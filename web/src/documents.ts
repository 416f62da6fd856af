// Documents as the app, and Studio, read and write them through the SDK.

import * as firestore from "firebase/firestore";
import type { DocumentData, DocumentSnapshot, Firestore, QuerySnapshot } from "firebase/firestore";
import type { Bio, Chat, Image, MemoryStatus, Message, Studio, Writing } from "./types";

const { collection, doc, getDoc, limitToLast, onSnapshot, orderBy, query, setDoc } = firestore;

type Stop = () => void;
type Failed = (error: Error) => void;

export class ThreadDocuments {
  constructor(
    private readonly db: Firestore,
    private readonly uid: string,
    private readonly soulId: string,
  ) {}

  async open(): Promise<void> {
    const found = await getDoc(this.thread);
    if (!found.exists()) {
      await setDoc(this.thread, { created_at: firestore.serverTimestamp() });
    }
  }

  /** Null: the user has not opened this chat yet. */
  watchStatus(heard: (status: MemoryStatus | null) => void, failed: Failed): Stop {
    return onSnapshot(
      this.thread,
      (found) => heard(found.exists() ? (found.data()["memory_status"] ?? "pending") : null),
      failed,
    );
  }

  watchMessages(most: number, heard: (chat: Chat) => void, failed: Failed): Stop {
    return onSnapshot(
      query(this.messages, orderBy("created_at"), limitToLast(most)),
      { includeMetadataChanges: true },
      (found) => heard(chatOf(found, most)),
      failed,
    );
  }

  watchReply(heard: (writing: Writing | null) => void, failed: Failed): Stop {
    return onSnapshot(doc(this.thread, "live", "reply"), (found) => heard(writingOf(found)), failed);
  }

  /** Ends when the server has it; until then the SDK keeps it and the page shows it. */
  async send(role: Message["role"], text: string, image: Image | null = null): Promise<void> {
    await firestore.addDoc(this.messages, {
      role,
      text,
      created_at: firestore.serverTimestamp(),
      ...(image === null ? {} : { image }),
    });
  }

  private get thread() {
    return doc(this.db, "users", this.uid, "threads", this.soulId);
  }

  private get messages() {
    return collection(this.thread, "messages");
  }
}

/** What the messenger shows of a Soul. `isLive` is false while the server is out of reach. */
export function watchBio(
  db: Firestore,
  soulId: string,
  heard: (bio: Bio, isLive: boolean) => void,
  failed: Failed,
): Stop {
  return onSnapshot(
    doc(db, "souls", soulId, "slots", "soul_messenger_bio"),
    { includeMetadataChanges: true },
    (found) => heard(bioOf(found, soulId), !found.metadata.fromCache),
    failed,
  );
}

export async function readStudio(db: Firestore, soulId: string): Promise<Studio> {
  const slots = collection(db, "souls", soulId, "slots");
  const [bio, persona, situation] = await Promise.all([
    getDoc(doc(slots, "soul_messenger_bio")),
    getDoc(doc(slots, "soul_default_persona")),
    getDoc(doc(slots, "chat_initial_situation")),
  ]);
  return {
    ...bioOf(bio, soulId),
    persona: persona.data()?.["content"] ?? "",
    situation: situation.data()?.["content"] ?? "",
  };
}

export async function writeStudio(db: Firestore, soulId: string, studio: Studio): Promise<void> {
  const slots = collection(db, "souls", soulId, "slots");
  const batch = firestore.writeBatch(db);
  batch.set(doc(slots, "soul_messenger_bio"), {
    display_name: studio.display_name,
    status: studio.status,
  });
  batch.set(doc(slots, "soul_default_persona"), { content: studio.persona });
  batch.set(doc(slots, "chat_initial_situation"), { content: studio.situation });
  await batch.commit();
}

function bioOf(found: DocumentSnapshot<DocumentData>, soulId: string): Bio {
  const bio = found.data() ?? {};
  return { display_name: bio["display_name"] ?? soulId, status: bio["status"] ?? "" };
}

function chatOf(found: QuerySnapshot<DocumentData>, most: number): Chat {
  return {
    messages: found.docs.map((one) => {
      const body = one.data({ serverTimestamps: "estimate" });
      return {
        id: one.id,
        role: body["role"],
        text: body["text"] ?? "",
        image: body["image"] ?? null,
        at: body["created_at"].toDate(),
        counted: body["token_count"] !== undefined,
        unsent: one.metadata.hasPendingWrites,
      };
    }),
    hasEarlier: found.size >= most,
  };
}

function writingOf(found: DocumentSnapshot<DocumentData>): Writing | null {
  const body = found.data();
  if (body === undefined) return null;
  return { status: body["status"], expiresAt: body["expires_at"]?.toDate() ?? null };
}
