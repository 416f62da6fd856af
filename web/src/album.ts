// The images of one chat: the one that goes in next, and those that are looked at.

import { getDownloadURL, ref, uploadBytesResumable } from "firebase/storage";
import type { FirebaseStorage, UploadTask } from "firebase/storage";
import { problemOf, typeOf } from "./pictures";
import type { Attachment, Picture, Store } from "./state";
import type { Image } from "./types";

export class Album {
  private task: UploadTask | null = null;
  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly storage: FirebaseStorage,
    private readonly uid: string,
  ) {}

  attach(file: File): void {
    this.detach();
    const attachmentProblem = problemOf(file);
    if (attachmentProblem !== null) return this.store.set({ attachmentProblem });
    const url = URL.createObjectURL(file);
    this.store.set({ attachment: { file, url, status: "ready", sent: 0 } });
  }

  /** Takes it out again, also while it is on its way. */
  detach(): void {
    this.task?.cancel();
    this.task = null;
    const { attachment } = this.store.state;
    if (attachment !== null) URL.revokeObjectURL(attachment.url);
    this.store.set({ attachment: null, attachmentProblem: null });
  }

  close(): void {
    this.detach();
    this.closed = true;
  }

  /** Puts what is attached into Cloud Storage; undefined where it did not arrive, as is shown. */
  async upload(): Promise<Image | undefined> {
    const { attachment } = this.store.state;
    const type = attachment && typeOf(attachment.file);
    if (attachment === null || type === null) return undefined;
    // A name of its own each time: what is there is never written over.
    const path = `users/${this.uid}/images/${crypto.randomUUID()}.${type.slice("image/".length)}`;
    const metadata = { contentType: type };
    const task = uploadBytesResumable(ref(this.storage, path), attachment.file, metadata);
    this.task = task;
    this.tell(task, { status: "uploading", sent: 0 });
    task.on("state_changed", ({ bytesTransferred, totalBytes }) =>
      this.tell(task, { sent: bytesTransferred / totalBytes }),
    );
    try {
      await task;
    } catch {
      this.tell(task, { status: "failed" });
      return undefined;
    }
    this.detach();
    return { path, content_type: type };
  }

  /** Finds out where these are, once each. */
  show(images: Image[]): void {
    for (const { path } of images) {
      if (this.store.state.pictures[path] === undefined) void this.find(path);
    }
  }

  async find(path: string): Promise<void> {
    this.know(path, { status: "loading" });
    try {
      this.know(path, { status: "there", url: await getDownloadURL(ref(this.storage, path)) });
    } catch {
      this.lose(path);
    }
  }

  /** It is not there, or no image that this browser can draw. */
  lose(path: string): void {
    this.know(path, { status: "failed" });
  }

  private know(path: string, picture: Picture): void {
    if (this.closed) return;
    this.store.set({ pictures: { ...this.store.state.pictures, [path]: picture } });
  }

  /** How an upload goes on; one that was given up says nothing of what came after it. */
  private tell(task: UploadTask, change: Partial<Attachment>): void {
    const { attachment } = this.store.state;
    if (attachment !== null && this.task === task) this.store.set({ attachment: { ...attachment, ...change } });
  }
}
