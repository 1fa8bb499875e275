import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** The place where the browser brings the code. */
export interface LoopbackCallback extends AsyncDisposable {
  readonly redirectUrl: string;
  /** What came with the right state; other visits change nothing. Rejects when the signal aborts. */
  wait(signal: AbortSignal): Promise<CallbackResult>;
}

type CallbackResult =
  | { readonly type: "code"; readonly code: string }
  /** The authorization server's word for it (RFC 6749, 4.1.2.1). */
  | { readonly type: "error"; readonly error: string };

const path = "/callback";

/** Listens on 127.0.0.1; port 0 is any free one. `state` is what the right visitor brings. */
export async function openLoopbackCallback(port: number, state: string): Promise<LoopbackCallback> {
  const results = Promise.withResolvers<CallbackResult>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const result = pathname === path ? parseResult(searchParams) : null;
    if (result === null || searchParams.get("state") !== state) {
      return answer(response, 400, "This is not the answer to the login that is under way.");
    }
    const isGood = result.type === "code";
    answer(response, isGood ? 200 : 400, isGood ? "Logged in. You can close this window." : "The login was refused.");
    results.resolve(result);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;

  return {
    redirectUrl: `http://127.0.0.1:${bound}${path}`,
    async wait(signal) {
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([results.promise, aborted.promise]);
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

function parseResult(parameters: URLSearchParams): CallbackResult | null {
  const code = parameters.get("code");
  if (code !== null) return { type: "code", code };
  const error = parameters.get("error");
  return error === null ? null : { type: "error", error: parameters.get("error_description") ?? error };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${text}\n`);
}
