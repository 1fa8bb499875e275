import type { ResolvedConfig } from "@unroll/config";
import { openPage } from "@unroll/program";
import { openChoice } from "@unroll/screen";
import type { LoginEnd, LoginWay } from "@unroll/use-cases/login";
import type { LoginWay as LoginKind } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { done } from "../dialog/dialog-flow.ts";
import { type Opening, tell } from "./app.ts";

type LoginPlace = Omit<Opening, "flags">;

/** Logs the person in without leaving the program; false: they did not, which was told. */
export async function logInHere(place: LoginPlace, config: ResolvedConfig, way: LoginKind): Promise<boolean> {
  const { driver, host } = place;
  const { logIn } = await import("@unroll/use-cases/login");
  const { explainLoginFault } = await import("@unroll/report");
  const ways = await createWays(place);
  const run = (signal: AbortSignal): Promise<LoginEnd> => logIn({ config, host, signal }, ways[way]);
  const end = await (way === "key" ? run(place.signal) : waitFor(place, run));
  if (end.type === "failed" || end.type === "forbidden") tell({ driver }, explainLoginFault(end), "error");
  if (end.type !== "logged_in") return false;
  for (const notice of end.notices) tell({ driver }, notice);
  tell({ driver }, "Logged in.", "success");
  return true;
}

async function createWays(place: LoginPlace): Promise<Readonly<Record<LoginKind, LoginWay>>> {
  const { driver, host } = place;
  const { describeLoginCode, describeLoginPage } = await import("@unroll/report");
  return {
    key: { type: "key", readKey: () => askKey(place) },
    code: { type: "code", showCode: async (shown) => tell({ driver }, describeLoginCode(shown)) },
    browser: {
      type: "browser",
      openPage: async (url) => tell({ driver }, describeLoginPage(url, await openPage(url, host))),
    },
  };
}

/** Until the person has logged in, or wants another way. */
async function waitFor(
  { driver, signal }: LoginPlace,
  run: (signal: AbortSignal) => Promise<LoginEnd>,
): Promise<LoginEnd> {
  const [left, ended] = [new AbortController(), new AbortController()];
  const options = [{ value: "back", label: "another way", description: "this one is given up" }];
  const asking = driver
    .ask(
      createChooseFlow({ title: "Waiting until you have logged in", options }),
      AbortSignal.any([signal, ended.signal]),
    )
    .then(
      () => left.abort(),
      () => {},
    );
  const outcome = await run(AbortSignal.any([signal, left.signal]));
  ended.abort();
  await asking;
  return outcome;
}

/** Null: the person left. */
function askKey({ driver, signal }: LoginPlace): Promise<string | null> {
  const head = [
    { spans: [{ text: "The API key. It is kept for later runs (unroll logout forgets it)." }], wrap: "words" },
  ] as const;
  const field = { text: "", placeholder: "paste it here; only its length is shown", isSecret: true } as const;
  const options = [{ id: "key", key: null, label: "key", field }];
  return driver.ask(
    { choice: openChoice(head, options), next: (answer) => done(answer?.text?.trim() || null) },
    signal,
  );
}
