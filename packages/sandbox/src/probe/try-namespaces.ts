import { findOwnUser, findSystemProgram, runProgram } from "@unroll/process-tree";

/** With a user namespace and, for root, without one; bwrap needs a new `/proc` only without one. */
const withUser = ["--user", "--map-root-user"];
const withoutUser = ["--mount-proc"];

/** Whether namespaces like bwrap's work here, shown by another program; null: there is none to try it with. */
export async function tryNamespaces(): Promise<boolean | null> {
  const file = findSystemProgram("unshare");
  const program = findSystemProgram("true");
  if (file === null || program === null) return null;
  const ways = findOwnUser().uid === 0 ? [withUser, withoutUser] : [withUser];
  const tried = await Promise.all(
    ways.map((way) =>
      runProgram(file, [...way, "--mount", "--pid", "--fork", program], {
        env: {},
        timeout: 5_000,
        maxBytes: 1_000,
      }),
    ),
  );
  return tried.some(({ code }) => code === 0);
}
