import { groupDigits, pluralize } from "@unroll/text";

interface Moved {
  readonly connections: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** The connections of commands to one host: `2 connections, 1,200 bytes sent, 30,000 received`. */
export function describeMoved({ connections, sentBytes, receivedBytes }: Moved): string {
  return `${pluralize(connections, "connection")}, ${groupDigits(sentBytes)} bytes sent, ${groupDigits(receivedBytes)} received`;
}
