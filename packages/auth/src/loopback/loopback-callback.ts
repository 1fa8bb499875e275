import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { systemErrorCode } from "@unroll/text";
import { type CallbackPage, renderCallbackPage } from "./render-callback-page.ts";

/** The address to which the browser brings the code (RFC 8252, 7.3). Listens on 127.0.0.1 only. */
export interface LoopbackCallback extends AsyncDisposable {
  readonly redirectUrl: string;
  /**
   * Waits for a visit with the right state; other visits are rejected and change nothing. `opening`
   * is the browser being opened, which may end only with the login. Rejects when `opening` rejects,
   * and when the signal aborts.
   */
  wait(opening: Promise<void>, signal: AbortSignal): Promise<CallbackVisit>;
}

/** The browser, which waits for a page. */
interface CallbackVisit {
  readonly result: CallbackResult;
  readonly parameters: URLSearchParams;
  /**
   * Finishes the login, and then shows the result. Returns what `finish` returns, and throws what
   * it throws.
   */
  settle<Outcome>(finish: () => Promise<Outcome>, toPage: (outcome: Outcome) => CallbackPage): Promise<Outcome>;
}

type CallbackResult =
  | { readonly type: "code"; readonly code: string }
  /** The authorization server's error code (RFC 6749, 4.1.2.1). */
  | { readonly type: "error"; readonly error: string };

export interface LoopbackOptions {
  /** Tried in order; 0 means any free port. */
  readonly ports: readonly number[];
  /** The name of this machine in the redirect address. */
  readonly host: "127.0.0.1" | "localhost";
  readonly path: string;
  /** The value that the right visitor brings. */
  readonly state: string;
}

/** Opens the first free port. If none is free, throws the system's error for the last one. */
export async function openLoopbackCallback(options: LoopbackOptions): Promise<LoopbackCallback> {
  const { createServer } = await import("node:http"); // large, and most programs that load this file never log in
  const visits = Promise.withResolvers<CallbackVisit>();
  let isVisited = false;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const result = pathname === options.path ? parseResult(searchParams) : null;
    const isMeant = result !== null && searchParams.get("state") === options.state && isOwnHost(request.headers.host);
    if (!isMeant || isVisited) {
      return void answer(response, strayPage);
    }
    isVisited = true;
    visits.resolve({
      result,
      parameters: searchParams,
      async settle(finish, toPage) {
        let page = brokenPage;
        try {
          const outcome = await finish();
          page = toPage(outcome);
          return outcome;
        } finally {
          await answer(response, page);
        }
      },
    });
  });
  const port = await listen(server, options.ports);

  return {
    redirectUrl: `http://${options.host}:${port}${options.path}`,
    async wait(opening, signal) {
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(signal.reason);
      opening.catch((error: unknown) => aborted.reject(error));
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([visits.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const strayPage: CallbackPage = {
  outcome: "stray",
  title: "Not this login",
  text: "This page does not belong to the login in progress. See the terminal.",
};

const brokenPage: CallbackPage = {
  outcome: "bad",
  title: "You are not logged in",
  text: "Something went wrong. See the terminal.",
};

async function listen(server: Server, ports: readonly number[]): Promise<number> {
  for (const [index, port] of ports.entries()) {
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      break;
    } catch (error) {
      if (index === ports.length - 1 || !busyCodes.has(systemErrorCode(error) ?? "")) throw error;
    }
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * Whether the browser meant this machine. A page of another site can point its own name to
 * 127.0.0.1 (DNS rebinding); its requests carry that name. The port may differ: an editor's tunnel
 * forwards another one.
 */
function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);
}

const busyCodes: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);

function parseResult(parameters: URLSearchParams): CallbackResult | null {
  const code = parameters.get("code");
  if (code !== null) return { type: "code", code };
  const error = parameters.get("error");
  return error === null ? null : { type: "error", error: parameters.get("error_description") ?? error };
}

async function answer(response: ServerResponse, page: CallbackPage): Promise<void> {
  if (response.destroyed) return; // the browser has gone
  const over = new Promise<void>((resolve) => void response.once("close", resolve));
  response
    .writeHead(page.outcome === "good" ? 200 : 400, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      connection: "close",
    })
    .end(renderCallbackPage(page));
  await over;
}
