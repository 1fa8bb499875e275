import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
/** As on a machine without bubblewrap. */
const permissions = ["sandbox_mode=workspace-write", "approval_policy=never"];
const weaker = { permissions, config: ["programs.bwrap=/proc/nowhere/bwrap", "sandbox.allow_weaker=true"] };
const landlock = {
  backend: "landlock",
  lacks: ["protected_paths", "hidden_files", "file_modes", "process_list", "process_end", "loopback"],
};
const notice =
  "Commands run in the weaker sandbox (Landlock), which sandbox.allow_weaker allows. unroll sandbox --explain lists its gaps.";

/** Where the kernel has no Landlock there is no weaker sandbox either. */
async function hasLandlock(world: ThreadWorld): Promise<boolean> {
  await using thread = await world.openThread(weaker);
  return (await thread.sandbox.report()).backend === "landlock";
}

test("where the weaker sandbox is allowed, a thread names it, and the model learns what differs", async ({ skip }) => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  skip(!(await hasLandlock(world)), "the weaker sandbox does not work here");
  await using thread = await world.openThread(weaker);
  const { events } = await runToEnd(thread, "Go");
  expect(events[0]).toEqual({ type: "thread.started", thread_id: thread.id, sandbox: landlock });
  expect(events).toContainEqual({ type: "warning", message: notice });
  expect(await thread.sandbox.report()).toEqual(landlock);
  expect(world.model.requests[0]?.raw.toString()).toContain("No program can open a socket of any kind");
  await runToEnd(thread, "Go on");
  // Nothing changed, so no message repeats it.
  const [first = [], second = []] = world.model.requests.map(({ input }) => input);
  expect(second).toHaveLength(first.length + 2);
  expect(world.model.violations).toEqual([]);
});

test("a change of settings that changes what confines commands is an event, and reaches the model", async ({
  skip,
}) => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  skip(!(await hasLandlock(world)), "the weaker sandbox does not work here");
  await using thread = await world.openThread({ ...weaker, reportSandbox: true });
  const { events } = await runToEnd(thread, "Go");
  expect(events).not.toContainEqual({ type: "warning", message: notice }); // its program shows the report
  const changes = thread.events({ ofTurns: false });
  thread.change({ sandboxMode: "danger-full-access" });
  const told = await changes.next();
  expect(told.value).toMatchObject({ event: { type: "sandbox.updated", sandbox: { backend: "none", lacks: [] } } });
  await runToEnd(thread, "Go on");
  expect(JSON.stringify(world.model.requests[1]?.input.slice(-2))).toContain("# Sandbox: none");
});

test("a program may ask what confines commands; otherwise a thread starts without looking", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("One.")] } });
  await using asked = await world.openThread({ reportSandbox: true });
  const sandbox = { backend: "none", lacks: [] };
  expect((await runToEnd(asked, "Go")).events[0]).toEqual({ type: "thread.started", thread_id: asked.id, sandbox });
  await using other = await world.openThread({ permissions });
  expect((await runToEnd(other, "Go")).events[0]).toEqual({ type: "thread.started", thread_id: other.id });
});
