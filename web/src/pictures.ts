// What may be sent as an image: what storage.rules let in.

export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/heic"] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
export type PictureProblem = "type" | "size";
export const MOST_BYTES = 5 * 1024 * 1024;

type Chosen = Pick<File, "name" | "type" | "size">;

/** Why a file cannot be sent; null: it can. */
export function problemOf(file: Chosen): PictureProblem | null {
  if (typeOf(file) === null) return "type";
  return file.size > 0 && file.size <= MOST_BYTES ? null : "size";
}

/** Its type, also where the browser does not know one: few know HEIC. */
export function typeOf({ name, type }: Chosen): PictureType | null {
  const told = type === "" && /\.heic$/i.test(name) ? "image/heic" : type;
  return PICTURE_TYPES.find((one) => one === told) ?? null;
}
