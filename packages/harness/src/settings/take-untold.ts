import { isDeepStrictEqual } from "node:util";
import {
  type LocalDay,
  type PermissionFacts,
  readEnvironment,
  readPermissionFacts,
  renderPermissionsChange,
  toPermissionFacts,
} from "@unroll/prompt";
import {
  type ApprovalPolicy,
  isKnownItem,
  type MessageItem,
  type RecordedSettings,
  type SandboxPolicy,
  type SandboxReport,
  type ThreadNotes,
} from "@unroll/protocol";

/** The current settings. */
export interface CurrentSettings {
  readonly sandboxPolicy: SandboxPolicy;
  readonly sandboxReport: SandboxReport | null;
  readonly approvalPolicy: ApprovalPolicy;
  /** As the config has it: the policy is another where nobody is there to ask. */
  readonly configuredPolicy: ApprovalPolicy;
  /** The environment message as the model would get it now. */
  readonly environment: MessageItem;
}

/** Permissions that another program announced to the model. */
export type ToldElsewhere = Pick<RecordedSettings, "approvalPolicy" | "sandboxMode">;

interface Known {
  /** Remember the last messages to the model, also over a resume. */
  readonly notes: ThreadNotes;
  /** The day of the last request, which replaces a day that was never announced; null: not known. */
  readonly lastDay: LocalDay | null;
  /** By a program that ran turns of the thread since; null: none did. */
  readonly toldElsewhere: ToldElsewhere | null;
}

/**
 * Returns the messages with something new, and notes them. None before the first prompt, which says
 * it all.
 */
export function takeUntold(now: CurrentSettings, { notes, lastDay, toldElsewhere }: Known): readonly MessageItem[] {
  const told = notes.get("told");
  const facts = toPermissionFacts(now);
  const [permissions, environment] = [JSON.stringify(facts), JSON.stringify(now.environment)];
  if (told === null) {
    notes.set("told", { permissions, environment });
    return [];
  }
  const knowsPermissions = arePermissionsTold(told.permissions, facts) && holdsStill(now, toldElsewhere);
  const knowsEnvironment = isEnvironmentTold(told.environment, now.environment, lastDay);
  const noted = { permissions, environment: knowsEnvironment ? told.environment : environment };
  if (!isDeepStrictEqual(noted, told)) notes.set("told", noted);
  return [...(knowsPermissions ? [] : [renderPermissionsChange(now)]), ...(knowsEnvironment ? [] : [now.environment])];
}

/**
 * `told`: the facts as JSON; unroll 0.1 kept the whole message. A fact that an older version did not keep counts as told: what it
 * said of it is not known, and did not change by itself. None said anything about gaps.
 */
function arePermissionsTold(told: string, facts: PermissionFacts): boolean {
  const kept: Readonly<Record<string, unknown>> = { gaps: "", ...readFacts(parseJson(told)) };
  const isSame = ([name, value]: readonly [string, string]): boolean => !(name in kept) || kept[name] === value;
  return "sandbox" in kept && Object.entries(facts).every(isSame);
}

/** Empty: it cannot be read. */
function readFacts(value: unknown): Readonly<Record<string, unknown>> {
  if (isKnownItem(value)) return value.type === "message" ? (readPermissionFacts(value) ?? {}) : {};
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether what another program told the model is what holds here. */
function holdsStill(
  { sandboxPolicy, approvalPolicy, configuredPolicy }: CurrentSettings,
  elsewhere: ToldElsewhere | null,
): boolean {
  if (elsewhere === null) return true;
  const { sandboxMode, approvalPolicy: other } = elsewhere;
  return sandboxMode === sandboxPolicy.mode && (other === approvalPolicy || other === configuredPolicy);
}

/** The values count and not the layout, which an older unroll wrote differently. */
function isEnvironmentTold(told: string, now: MessageItem, lastDay: LocalDay | null): boolean {
  const item = parseJson(told);
  const known = isKnownItem(item) && item.type === "message" ? readEnvironment(item) : null;
  return known !== null && isDeepStrictEqual({ ...(lastDay && { today: lastDay }), ...known }, readEnvironment(now));
}

/** Null for anything but JSON: then the model gets it again. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
