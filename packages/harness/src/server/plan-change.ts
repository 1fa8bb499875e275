import type { RefusedParts } from "@unroll/config";
import type { Refusal, RefusedContent, RequestForm, ResponseItem, RoleRule, ServerFeature } from "@unroll/protocol";
import { featureOf } from "./feature-members.ts";
import { hasImage, isCutCall, isSealed } from "./suspects.ts";
import { findMember, type Members } from "./request-members.ts";

/** A request that a server refused. */
export interface RefusedRequest {
  /** All of it but its input. */
  readonly members: Members;
  readonly items: readonly ResponseItem[];
  /** The form in which it was sent. */
  readonly form: RequestForm;
  /** The server's message. */
  readonly message: string;
}

/** The parts to leave out of a request. */
export interface PlannedChange extends RefusedParts {
  /** The server did not name it, so it may not help. */
  readonly isGuess: boolean;
}

/**
 * The parts to leave out of a request after its server refused it; null: nothing would change the
 * request.
 */
export function planChange(refusal: Refusal, request: RefusedRequest): PlannedChange | null {
  const planned = plan(refusal, request);
  const features = [...new Set(planned.features)];
  const isGuess = refusal.type === "content" && isVague(refusal.kind, request);
  return features.length === 0 && planned.members.length === 0 ? null : { ...planned, features, isGuess };
}

/** How servers say that they take no image at all; other words may be about a broken one. */
const takesNone =
  /\bnot? (?:be )?(?:support|allow|accept)|\bunsupported\b|\b(?:does|do) ?(?:not|n't) (?:support|accept|take|have)\b|\b(?:multi-?modal|mmproj|vision)\b|\bunknown variant\b|\bat most 0\b|\bmissing data\b|\bthat support image/i;
/** "You uploaded an unsupported image. Please make sure your image has one of the following formats." */
const isAboutOne =
  /\b(?:formats?|(?:in)?valid|corrupt\w*|truncated|decode|dimensions?|mime|megapixels?|(?:too|maximum) (?:large|small|size))\b/i;

function isVague(kind: RefusedContent, { message }: RefusedRequest): boolean {
  return kind === "template" || (kind === "image" && (!takesNone.test(message) || isAboutOne.test(message)));
}

const nothing: RefusedParts = { features: [], members: [] };

function plan(refusal: Refusal, request: RefusedRequest): RefusedParts {
  const { form } = request;
  switch (refusal.type) {
    case "member":
      return planMembers(refusal.paths, request);
    case "tool":
      return leaveOut(form, listToolFeatures(refusal.toolType, request));
    case "item": {
      // no part of it is named, so it may be anything
      if (refusal.itemType === null && refusal.path === "input") return nothing;
      return form.anyItems ? leaveOut(form, ["anyItems"]) : planReasoning(request);
    }
    case "roles":
      return leaveOut(form, [featureOfRule[refusal.rule]]);
    case "content":
      return planContent(refusal.kind, request);
    case "overflow":
      return nothing;
  }
}

function planContent(kind: RefusedContent, request: RefusedRequest): RefusedParts {
  const { form, items } = request;
  switch (kind) {
    case "image":
      return items.some(hasImage) ? leaveOut(form, ["images"]) : nothing;
    case "arguments":
      return items.some(isCutCall) ? leaveOut(form, ["anyItems"]) : nothing;
    case "template": {
      const plain = leaveOut(form, ["developerMessages", "repeatedRoles", "anyItems"]);
      return plain.features.length > 0 ? plain : planReasoning(request);
    }
  }
}

const featureOfRule: Readonly<Record<RoleRule, keyof RequestForm>> = {
  alternation: "repeatedRoles",
  system_first: "developerMessages",
  unknown_role: "developerMessages",
};

/** The features among them that the thread still uses. */
function leaveOut(form: RequestForm, features: readonly (keyof RequestForm)[]): RefusedParts {
  return { features: features.filter((feature) => form[feature]), members: [] };
}

function planReasoning({ form, items }: RefusedRequest): RefusedParts {
  return items.some(({ type }) => type === "reasoning") ? leaveOut(form, ["reasoningItems"]) : nothing;
}

function listToolFeatures(toolType: string | null, { members }: RefusedRequest): readonly (keyof RequestForm)[] {
  const tools: readonly unknown[] = Array.isArray(members["tools"]) ? members["tools"] : [];
  const types = tools.flatMap(readType).filter((type) => toolType === null || isKind(type, toolType));
  return [
    ...(types.includes("custom") ? (["customTools"] as const) : []),
    ...(types.some((type) => type.startsWith(search)) ? (["webSearch"] as const) : []),
  ];
}

const search = "web_search";

function readType(tool: unknown): readonly string[] {
  return typeof tool === "object" && tool !== null && "type" in tool ? [String(tool.type)] : [];
}

/** Servers name the versions of a search by other names. */
function isKind(type: string, named: string): boolean {
  return type === named || (type.startsWith(search) && named.startsWith(search));
}

/** Without them there is no request. */
const needed: ReadonlySet<string> = new Set(["model", "input", "instructions", "tools", "stream"]);

function planMembers(paths: readonly string[], request: RefusedRequest): RefusedParts {
  const parts = paths.map((path) => planMember(path, request));
  return { features: parts.flatMap(({ features }) => features), members: parts.flatMap(({ members }) => members) };
}

function planMember(path: string, request: RefusedRequest): RefusedParts {
  const [name = ""] = path.split(".");
  if (needed.has(name)) return nothing;
  const found = findMember(request.members, path);
  // what is refused is in the input, then
  if (found === null) return name === "include" && request.items.some(isSealed) ? planReasoning(request) : nothing;
  const feature: ServerFeature | null = featureOf(found);
  return feature === null ? { features: [], members: [found] } : { features: [feature], members: [] };
}
