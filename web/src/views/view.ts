// What every view is given.

import type { TemplateResult } from "lit-html";
import type { Session } from "../session";
import type { State } from "../state";
import type { Text } from "../text";

export interface View {
  state: State;
  text: Text;
  session: Session;
}

export type Drawn = TemplateResult | typeof import("lit-html").nothing;
