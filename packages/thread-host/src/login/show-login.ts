import { toProgramFailure } from "@unroll/program";
import { explainLoginFault, type LoginFault } from "@unroll/report";
import { ThreadHostError } from "../thread-host-error.ts";

type LoginEnd = { readonly type: "logged_in" } | LoginFault;

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
  const fault = end.then(
    (ended) => (ended.type === "logged_in" ? null : explainLoginFault(ended)),
    (error: unknown) => toProgramFailure(error).error.message,
  );
  void fault.then((error) => page.reject(new ThreadHostError("not_logged_in", error ?? "Nobody logged in.")));
  return { shown: page.promise, fault };
}
