import { html, nothing } from "lit-html";
import type { Image } from "../types";
import type { Drawn, View } from "./view";

/** An image in its bubble; it keeps its place while it loads, so that nothing jumps. */
export function picture(image: Image, { state, text, session }: View): Drawn {
  const album = session.chat?.album;
  if (!album) return html`<i>${text.photo}</i> `;
  const found = state.pictures[image.path];
  if (found?.status === "there") {
    return html`<a class="picture" href=${found.url} target="_blank" rel="noopener"
      ><img src=${found.url} alt=${text.picture} @error=${() => album.lose(image.path)}
    /></a>`;
  }
  return html`<span class="picture" data-status=${found?.status ?? "loading"}
    >${found?.status === "failed"
      ? html`${text.pictureFailed}<button
            class="plain"
            @click=${() => void album.find(image.path)}
          >
            ${text.retry}
          </button>`
      : text.pictureLoading}</span
  >`;
}

/** What will be sent with the next message. */
export function attached({ state, text, session }: View): Drawn {
  const { attachment, attachmentProblem } = state;
  if (attachmentProblem !== null) {
    return html`<p class="attached bad" role="alert">${text.pictureProblems[attachmentProblem]}</p>`;
  }
  if (attachment === null) return nothing;
  const { file, url, status, sent } = attachment;
  return html`<div class="attached" data-status=${status}>
    <img src=${url} alt="" />
    <span role="status">
      ${file.name}${status === "uploading" ? ` · ${text.uploading(Math.round(100 * sent))}` : nothing}
      ${status === "failed" ? html`<b class="bad">${text.uploadFailed}</b>` : nothing}
    </span>
    <button type="button" class="plain" @click=${() => session.chat?.album?.detach()}>
      ${text.detach}
    </button>
  </div>`;
}
