/** BullMQ's queue for a name: tasks of one host have a queue of their own, since a worker cannot choose among jobs. */
export function toQueueName(name: string | undefined, host: string | undefined): string {
  const shared = encodeURIComponent(name ?? "unroll");
  return host === undefined ? shared : `${shared}@${encodeURIComponent(host)}`;
}
