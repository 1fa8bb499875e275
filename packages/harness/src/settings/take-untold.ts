import { isDeepStrictEqual } from "node:util";
import { type LocalDay, readEnvironment } from "@unroll/prompt";
import { isKnownItem, type MessageItem, type ThreadNotes } from "@unroll/protocol";

/** The settings as the model would be told them now. */
interface SettingMessages {
  readonly permissions: MessageItem;
  readonly environment: MessageItem;
}

interface Known {
  /** Remember what the model was told last, also over a resume. */
  readonly notes: ThreadNotes;
  /** The day of the last request, which stands in for a day that was never told; null: not known. */
  readonly lastDay: LocalDay | null;
}

/** Those of the messages that say something new, which are noted as told. None where nothing was told yet: the first prompt tells it. */
export function takeUntold(now: SettingMessages, { notes, lastDay }: Known): readonly MessageItem[] {
  const told = notes.get("told");
  const permissions = JSON.stringify(now.permissions);
  if (told === null) {
    notes.set("told", { permissions, environment: JSON.stringify(now.environment) });
    return [];
  }
  const knowsPermissions = told.permissions === permissions;
  const knowsEnvironment = isEnvironmentTold(told.environment, now.environment, lastDay);
  if (knowsPermissions && knowsEnvironment) return [];
  notes.set("told", {
    permissions,
    environment: knowsEnvironment ? told.environment : JSON.stringify(now.environment),
  });
  return [...(knowsPermissions ? [] : [now.permissions]), ...(knowsEnvironment ? [] : [now.environment])];
}

/** The values count and not the layout, which an older unroll wrote differently. */
function isEnvironmentTold(told: string, now: MessageItem, lastDay: LocalDay | null): boolean {
  const item = parseJson(told);
  const known = isKnownItem(item) && item.type === "message" ? readEnvironment(item) : null;
  return known !== null && isDeepStrictEqual({ ...(lastDay && { today: lastDay }), ...known }, readEnvironment(now));
}

/** Null for what is no JSON: then the model is told anew. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
