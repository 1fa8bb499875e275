import type { ClientMethod } from "@unroll/app-server-protocol";
import { checkMembers, RequestFault } from "@unroll/thread-host/wire";
import { parseMemberSchema } from "./parse-wire.ts";

/** Facts that decide whether a value restrains anything. */
export interface LimitContext {
  /** The folder that the request is about. */
  readonly cwd: string;
}

type IsKept = (value: unknown, context: LimitContext) => boolean;

const always: IsKept = () => true;
const isEmpty: IsKept = (value) => Array.isArray(value) && value.length === 0;
const isFullRead: IsKept = (value) =>
  typeof value === "object" && value !== null && Reflect.get(value, "type") === "fullAccess";

/**
 * Members of the Codex CLI's app-server (0.169 and earlier) that limit something, with the values that ask for no more than
 * unroll does by itself. All other values are refused.
 */
const keptLimits: Readonly<Record<string, IsKept>> = {
  // questions go to the client's user, whichever of these a client names: no model approves here
  approvalsReviewer: (value) => value === "user" || value === "auto_review" || value === "guardian_subagent",
  // there is no other provider whose model would stand in
  allowProviderModelFallback: always,
  // unroll has no plugins
  disabledPluginIds: always,
  dynamicTools: isEmpty,
  // unroll predicts no messages
  experimentalDisablePredictionMcp: always,
  environments: (value, { cwd }) =>
    Array.isArray(value) && value.length === 1 && Reflect.get(Object(value[0]), "cwd") === cwd,
  // `limit` in it is the size of a page
  initialTurnsPage: always,
  // questions of this kind are not asked
  "capabilities.requiredHumanApproval": always,
  // without any root, the working folder is not writable in the Codex CLI
  runtimeWorkspaceRoots: (value, { cwd }) =>
    Array.isArray(value) && value.length > 0 && value.every((root) => root === cwd),
  "sandboxPolicy.access": isFullRead,
  "sandboxPolicy.readOnlyAccess": isFullRead,
  disableOutputCap: (value) => value === false,
  disableTimeout: (value) => value === false,
};

/** Capabilities of a client ask for nothing, nor does the place of a mention in a text. */
const quiet = /^capabilities\.|\.text_elements$/;

/** Two members of which only one can be obeyed. */
const contradictions = [
  ["permissions", "sandbox"],
  ["permissions", "sandboxPolicy"],
  ["permissionProfile", "sandboxPolicy"],
] as const;

/**
 * Looks at a request before it is dispatched. Returns the places of unknown members that are ignored. Throws
 * `RequestFault` for an unknown member that would limit the model, and for limits that exclude each other.
 */
export function checkLimits(method: ClientMethod, params: unknown, context: LimitContext): readonly string[] {
  const given: object = typeof params === "object" && params !== null ? params : {};
  const has = (name: string): boolean => (Reflect.get(given, name) ?? null) !== null;
  const both = contradictions.find((names) => names.every(has));
  if (both !== undefined)
    throw new RequestFault("invalidParams", `${method}: ${both[0]}: it cannot be combined with ${both[1]}.`);
  const { fault, others } = checkMembers(given, parseMemberSchema(method), (place, value) => {
    return Object.hasOwn(keptLimits, place) ? (keptLimits[place]?.(value, context) ?? false) : false;
  });
  if (fault !== null) throw new RequestFault("invalidParams", `${method}: ${fault}`);
  return others.filter((place) => !quiet.test(place));
}
