/** Waits for all of them, also where one fails. Throws the first failure then. */
export async function settleAll(promises: Iterable<PromiseLike<unknown>>): Promise<void> {
  const ends = await Promise.allSettled(promises);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
