import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";
import { makeClientToken } from "./client-token.ts";
import type { Listening } from "./listening.ts";
import { openWebSocketServer } from "./open-web-socket-server.ts";

interface Place {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/** A client shows a token (`Authorization: Bearer …`): that of the flags, or the one that is written to stderr. */
export async function serveWebSockets({ host, port }: Place, listening: Listening): Promise<void> {
  const { io, signal, tokenVariable } = listening;
  const token = listening.token ?? makeClientToken(tokenVariable, io);
  const server = openWebSocketServer(listening, token);
  try {
    server.http.listen(port, host);
    await once(server.http, "listening");
  } catch (error) {
    throw new ProgramError("input", `--listen ws://${host}:${port}: ${describeSystemError(error)}.`, { cause: error });
  }
  const shown = token.shown === null ? "" : `, token ${token.shown}`;
  io.stderr.stream.write(`unroll: listening on ws://${describeAddress(server.http.address())}${shown}\n`);
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
}

function describeAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return address ?? "";
  return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
