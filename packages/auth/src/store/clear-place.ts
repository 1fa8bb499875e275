import { rename } from "node:fs/promises";
import type { Clock } from "@unroll/flow";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import type { RecordMembers } from "../record/auth-record.ts";
import { type ParsedRecord, parseAuthRecord } from "../record/parse-auth-record.ts";
import { createFilePlace } from "./file-place.ts";
import type { Place } from "./place.ts";

/** A place that is about to be written or emptied. */
export interface ClearedPlace {
  /** Other members of the record, to be preserved. */
  readonly members: RecordMembers;
  /** Names of records that were put aside, in sentences for the user. */
  readonly notices: readonly string[];
}

/** Renames a record that cannot be understood, beside `path`, where commands in the sandbox cannot see it. */
export async function clearPlace(place: Place, path: string, { now }: Pick<Clock, "now">): Promise<ClearedPlace> {
  const looked = await look(place);
  if (looked === null) return { members: {}, notices: [] };
  if (looked.type === "record") return { members: looked.record.members, notices: [] };
  const aside = `${path}.kept-${new Date(now()).toISOString().replaceAll(":", "-")}`;
  if (place.name === path) await moveAside(path, aside);
  else await createFilePlace(aside).write((await place.read()) ?? "");
  return { members: {}, notices: [`The old contents of ${place.name} are saved as ${aside}: ${looked.reason}.`] };
}

/** A file that cannot be read can still be renamed. */
async function look(place: Place): Promise<ParsedRecord | null> {
  try {
    const text = await place.read();
    return text === null ? null : parseAuthRecord(text);
  } catch (error) {
    if (!(error instanceof AuthError) || error.code !== "store_unusable") throw error;
    return { type: "broken", reason: error.message.replace(/\.$/, "") };
  }
}

async function moveAside(path: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    const message = `${path} cannot be renamed to ${aside}: ${describeSystemError(error)}.`;
    throw new AuthError("store_unusable", message, { cause: error });
  }
}
