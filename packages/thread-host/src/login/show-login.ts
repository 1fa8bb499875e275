import type { logInToMcp } from "@unroll/harness";
import { toProgramFailure } from "@unroll/program";
import { ThreadHostError } from "../thread-host-error.ts";

/** How a login came out. */
export type LoginEnd = Awaited<ReturnType<typeof logInToMcp>>;

/** A login that a person ends elsewhere. */
export interface ShownLogin<Shown> {
  /** What they are shown. Rejects with `ThreadHostError` `not_logged_in` where it ended before that. */
  readonly shown: Promise<Shown>;
  /** What went wrong, in a sentence; null: the login is there. */
  readonly fault: Promise<string | null>;
}

/** `begin`: the login, which is handed what shows a page or a code. */
export function showLogin<Shown>(
  begin: (show: (shown: Shown) => Promise<void>) => Promise<LoginEnd>,
): ShownLogin<Shown> {
  const page = Promise.withResolvers<Shown>();
  const end = begin(async (shown) => page.resolve(shown));
  const fault = end.then(describeFault, (error: unknown) => toProgramFailure(error).error.message);
  void fault.then((error) => page.reject(new ThreadHostError("not_logged_in", error ?? nobody)));
  return { shown: page.promise, fault };
}

const nobody = "Nobody logged in.";

/** Null: the login is there. */
export function describeFault(end: LoginEnd): string | null {
  if (end.type === "logged_in") return null;
  return end.type === "failed" ? end.message : nobody;
}
