/** Error codes: those of JSON-RPC 2.0, and two of our own. */
export const faultCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  overloaded: -32001,
  notInitialized: -32002,
} as const;

/** The error of one request; only the client that sent it gets it. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
  readonly code: number;

  constructor(kind: keyof typeof faultCodes, message: string) {
    super(message);
    this.code = faultCodes[kind];
  }
}
