import type { Running } from "./live-thread.ts";
import type { Scene } from "./live-program.ts";
import { boundTask, simulatedRoles } from "../simulated-roles.ts";

/** The program starts a sub-agent, which may run beside the thread's turns; its result comes before the thread is closed. */
export async function spawnAgent(
  { world, book, agents, count }: Scene,
  { process, thread, family }: Running,
): Promise<void> {
  const { chance } = world;
  const task = `task-${count()}.`;
  const only = chance.pick(null, null, ["shell_command"], ["update_plan"]);
  const isReadOnly = chance.happens(0.2);
  const role = chance.pick(null, null, ...simulatedRoles);
  agents.given(task, boundTask({ only, isReadOnly }, role));
  const options = {
    ...(only && { tools: only }),
    ...(isReadOnly && ({ sandboxMode: "read-only" } as const)),
    ...(role && { role: role.name }),
  };
  try {
    const agent = await process.outlive(thread.spawn(task, options));
    family.knows(agent);
    book.note(`the program has started ${agent.name}`);
  } catch (error) {
    if (!isCoded(error, "agent_not_started")) throw error;
    book.note("the program's sub-agent was not started");
  }
}

/** A person writes to one of the thread's sub-agents, or stops it. */
export async function tendAgent({ world, book, count }: Scene, { process, thread, family }: Running): Promise<void> {
  const { chance } = world;
  const list = thread.agents.list();
  const agent = list[chance.below(list.length)];
  if (agent === undefined) return;
  const { thread_id: id, name } = agent;
  const isStop = chance.happens(0.3);
  book.note(`${isStop ? "stop" : "write to"} ${name}`);
  family.knows({ id });
  const { fault } = await process.outlive(
    isStop ? thread.agents.stop(id) : thread.agents.send(id, `more-${count()}.`, new AbortController().signal),
  );
  book.note(fault ?? "done");
}

function isCoded(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
