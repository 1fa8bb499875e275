/** The result of one connection that a command wanted. `rule`: the pattern that decided; null where none matched. */
export type EgressEvent =
  | { readonly type: "host.allowed"; readonly host: string; readonly port: number; readonly rule: string }
  | EgressDenial
  | {
      readonly type: "host.closed";
      readonly host: string;
      readonly port: number;
      /** Bytes that the command sent and received on the connection to the host. */
      readonly sentBytes: number;
      readonly receivedBytes: number;
    };

/** A connection, or a request on it, that was not let through. */
export interface EgressDenial {
  readonly type: "host.denied";
  /** Null, with the port: what came did not say where it wants to go. */
  readonly host: string | null;
  readonly port: number | null;
  readonly rule: string | null;
  /** A sentence for people and the model. */
  readonly reason: string;
}
