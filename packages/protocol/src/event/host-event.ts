/**
 * A host that a command in the sandbox wanted to reach, where hosts are allowed by name. The first
 * two come once for each host and command.
 */
export type HostEvent = HostAllowedEvent | HostDeniedEvent | HostClosedEvent;

interface OfCommand {
  /** The item of the call whose command it was; null: it was none of a call. */
  readonly item_id: string | null;
  /** The command, as a shell would take it. */
  readonly command: string;
}

/** `rule`: the pattern that allowed it. */
export interface HostAllowedEvent extends OfCommand {
  readonly type: "host.allowed";
  readonly host: string;
  readonly port: number;
  readonly rule: string;
}

/** A connection that was not let through. */
export interface HostDeniedEvent extends OfCommand {
  readonly type: "host.denied";
  /** Null, with the port: the command did not say which. */
  readonly host: string | null;
  readonly port: number | null;
  /** The pattern that decided; null: none names the host. */
  readonly rule: string | null;
  /** Sentences for people and the model. */
  readonly reason: string;
}

/** The command is over, and so are its connections to this host. */
export interface HostClosedEvent extends OfCommand {
  readonly type: "host.closed";
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Bytes that the command sent and received. */
  readonly sent_bytes: number;
  readonly received_bytes: number;
}
