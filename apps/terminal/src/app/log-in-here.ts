import type { ResolvedConfig } from "@unroll/config";
import { openPage, toProgramPlaces } from "@unroll/program";
import { openChoice } from "@unroll/screen";
import type { LoginEnd, LoginWay } from "@unroll/use-cases/login";
import type { LoginWay as LoginKind } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { done } from "../dialog/dialog-flow.ts";
import { type Opening, tell } from "./app.ts";

type LoginPlace = Omit<Opening, "flags">;

/** Logs you in without leaving the program; false: it failed, and an error was shown. */
export async function logInHere(place: LoginPlace, config: ResolvedConfig, way: LoginKind): Promise<boolean> {
  const { driver, host } = place;
  const { logIn } = await import("@unroll/use-cases/login");
  const { explainLoginFault } = await import("@unroll/report");
  const end = await waitFor(place, async (signal, shown) => {
    const ways = await createWays(place, config, shown);
    // a server that is slow must not leave you without a way out
    if (way !== "key") shown(`Contacting ${new URL(config.login.issuer).host}.`);
    return logIn({ config, host, signal }, ways[way]);
  });
  if (end.type === "failed" || end.type === "forbidden") tell({ driver }, explainLoginFault(end), "error");
  if (end.type !== "logged_in") return false;
  for (const notice of end.notices) tell({ driver }, notice);
  tell({ driver }, "Logged in.", "success");
  return true;
}

async function createWays(
  place: LoginPlace,
  config: ResolvedConfig,
  shown: (text: string) => void,
): Promise<Readonly<Record<LoginKind, LoginWay>>> {
  const { describeLoginCode, describeLoginPage } = await import("@unroll/report");
  return {
    key: { type: "key", readKey: () => askKey(place) },
    code: { type: "code", showCode: async (code) => shown(describeLoginCode(code)) },
    browser: {
      type: "browser",
      openPage: async (url) =>
        shown(describeLoginPage(url, await openPage(url, { ...place.host, ...toProgramPlaces(config, place.host) }))),
    },
  };
}

/** Waits until you have logged in, or choose another way in the question below. */
async function waitFor(
  { driver, signal }: LoginPlace,
  run: (signal: AbortSignal, shown: (text: string) => void) => Promise<LoginEnd>,
): Promise<LoginEnd> {
  const [left, ended] = [new AbortController(), new AbortController()];
  const options = [{ value: "back", label: "another way", description: "cancel this login" }];
  const flow = createChooseFlow({ title: "Waiting for your login", options });
  const asking: Promise<void>[] = [];

  function shown(text: string): void {
    tell({ driver }, text);
    if (asking.length > 0) return;
    const isOver = AbortSignal.any([signal, ended.signal]);
    asking.push(
      driver.ask(flow, isOver).then(
        () => left.abort(),
        () => {},
      ),
    );
  }

  const end = await run(AbortSignal.any([signal, left.signal]), shown);
  ended.abort();
  await Promise.all(asking);
  return end;
}

/** Null: you left. */
function askKey({ driver, signal }: LoginPlace): Promise<string | null> {
  const head = [
    {
      spans: [{ text: "Enter your API key. It is stored for later runs; `unroll logout` deletes it." }],
      wrap: "words",
    },
  ] as const;
  const field = { text: "", placeholder: "paste it here; only its length is shown", isSecret: true } as const;
  const options = [{ id: "key", key: null, label: "key", field }];
  return driver.ask(
    { choice: openChoice(head, options), typed: "key", next: (answer) => done(answer?.text?.trim() || null) },
    signal,
  );
}
