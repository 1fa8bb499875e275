import { type Clock, untilAborted } from "@unroll/flow";
import { AuthError } from "../auth-error.ts";
import type { AuthorizationHeaders, OnCredential, RequestCredential } from "./request-credential.ts";

/** How a command that prints a key ended. Its stderr is discarded. */
export type KeyCommandResult =
  | { readonly type: "exited"; readonly exitCode: number; readonly stdout: string }
  /** `reason`: a clause, such as "it was not found". */
  | { readonly type: "failed"; readonly reason: string };

export interface CommandCredentialOptions {
  /** The config key, for messages: `model_providers.x.auth_command`. */
  readonly configKey: string;
  /** Runs the command to its end, in limited time. */
  readonly run: () => Promise<KeyCommandResult>;
  /** In ms: how old a key may become before the command runs again; null: until a 401. */
  readonly refreshMs: number | null;
  readonly clock: Pick<Clock, "elapsed">;
  readonly onCredential: OnCredential;
}

/** A key is one printable line, because a header carries it (RFC 9110, 5.5). */
const printable = /^[\x21-\x7e]+$/;
const maxKeyCharacters = 64 * 1024;

/**
 * A key that a command prints. The command runs once, again after each 401, and when the key is too
 * old. Its output never appears in a message.
 */
export function createCommandCredential(options: CommandCredentialOptions): RequestCredential {
  const { configKey, onCredential, refreshMs, clock } = options;
  let known: string | null = null;
  let knownAt = 0;
  let asking: Promise<string> | null = null;

  async function ask(): Promise<string> {
    const key = read(await options.run());
    onCredential({ name: configKey, value: key });
    known = key;
    knownAt = clock.elapsed();
    return key;
  }

  function read(result: KeyCommandResult): string {
    if (result.type === "failed") throw fail(result.reason);
    if (result.exitCode !== 0) throw fail(`it ended with exit code ${result.exitCode}`);
    const key = result.stdout.trim();
    if (key === "") throw fail("it printed nothing");
    if (key.length > maxKeyCharacters || !printable.test(key)) throw fail("its output is not one line with a key");
    return key;
  }

  function fail(reason: string): AuthError {
    const message = `${configKey} returned no key: ${reason}. Run it by hand to see its output.`;
    return new AuthError("command_failed", message);
  }

  function findFresh(): string | null {
    return refreshMs !== null && clock.elapsed() - knownAt >= refreshMs ? null : known;
  }

  async function askOnce(signal: AbortSignal): Promise<string> {
    asking ??= ask().finally(() => (asking = null));
    const key = await untilAborted(asking, signal);
    signal.throwIfAborted();
    return key ?? "";
  }

  return {
    authorization: async (signal) => toHeaders(findFresh() ?? (await askOnce(signal))),
    async refresh({ authorization: refused }, signal) {
      const isKnown = known !== null && toHeaders(known)["authorization"] !== refused;
      return isKnown || toHeaders(await askOnce(signal))["authorization"] !== refused;
    },
  };
}

function toHeaders(key: string): AuthorizationHeaders {
  return { authorization: `Bearer ${key}` };
}
