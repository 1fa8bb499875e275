import { describeServerFailure } from "@unroll/text";

/** Why a queue cannot be used. */
export type QueueErrorCode =
  /** The URL is none of Redis or PostgreSQL, or a driver for it is missing. */
  | "queue_url"
  /** The server does not answer, or refuses the login. */
  | "queue_unreachable"
  /** A task does not fit into the queue, or the queue has another task of its id. */
  | "queue_task"
  /** This machine's clock differs from that of the queue's server: locks and delays would end at wrong times. */
  | "queue_clock";

/** An error that you can fix; the message says where and how, and never has a password. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** `cause`: of the driver. */
export function toUnreachable(cause: unknown): QueueError {
  return new QueueError("queue_unreachable", `The server of the queue: ${describeServerFailure(cause)}`, { cause });
}
