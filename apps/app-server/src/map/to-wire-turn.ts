import type { WireItem, WireThreadStatus, WireTurn, WireTurnError } from "@unroll/app-server-protocol";
import type { TurnError } from "@unroll/protocol";

interface TurnFacts {
  readonly status: WireTurn["status"];
  readonly error?: WireTurnError | null;
  readonly items?: readonly WireItem[];
  /** Absent: `items` are all of them. */
  readonly itemsView?: WireTurn["itemsView"];
  /** In ms since 1970. Absent: not known. */
  readonly startedAt?: number;
  readonly completedAt?: number;
}

export function toWireTurn(
  id: string,
  { status, error, items, itemsView, startedAt, completedAt }: TurnFacts,
): WireTurn {
  const isTimed = startedAt !== undefined && completedAt !== undefined;
  return {
    id,
    items: [...(items ?? [])],
    itemsView: itemsView ?? (items === undefined ? "notLoaded" : "full"),
    status,
    error: error ?? null,
    startedAt: toSeconds(startedAt),
    completedAt: toSeconds(completedAt),
    durationMs: isTimed ? completedAt - startedAt : null,
  };
}

/** Protocol times are in s. */
function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}

export function toWireError({ code, message }: Pick<TurnError, "code" | "message">): WireTurnError {
  return { message, codexErrorInfo: errorInfos[code] ?? "other", additionalDetails: code };
}

/** Codes of ours that the protocol has a word for. */
const errorInfos: Readonly<Record<string, string>> = {
  budget_exhausted: "sessionBudgetExceeded",
  context_length_exceeded: "contextWindowExceeded",
  http_401: "unauthorized",
  invalid_api_key: "unauthorized",
  unauthorized: "unauthorized",
  missing_credential: "unauthorized",
  account_missing: "unauthorized",
  insufficient_quota: "usageLimitExceeded",
  usage_limit_reached: "usageLimitExceeded",
  rate_limit_exceeded: "rateLimitExceeded",
  http_429: "rateLimitExceeded",
  slow_down: "rateLimitExceeded",
  server_is_overloaded: "serverOverloaded",
  server_error: "internalServerError",
  model_not_found: "modelNotFound",
  http_400: "badRequest",
};

/** The status of a thread in which a turn runs. */
export function toActive(isAsking: boolean): WireThreadStatus {
  return { type: "active", activeFlags: isAsking ? ["waitingOnApproval"] : [] };
}
