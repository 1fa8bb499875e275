import { cp, mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHost, openThread } from "@unroll/harness/node";
import { startDemoModel } from "@unroll/scripted-model";

/** One request of a thread, in bytes of its body. */
export interface MeasuredRequest {
  readonly bytes: number;
  /** How many of its first bytes are those of the request before it; 0 for the first. */
  readonly shared: number;
  /** Its bytes behind the input, which the next request does not repeat there. */
  readonly tail: number;
}

const sampleProject = join(import.meta.dirname, "../../../examples/sample-project");

/** Lets the demo model repair a copy of the sample project, and compares each request with the one before it. */
export async function measurePrefixes(): Promise<readonly MeasuredRequest[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-prefixes-"));
  const [cwd, home] = [join(folder.path, "shop"), join(folder.path, "home")];
  await cp(sampleProject, cwd, { recursive: true });
  await mkdir(home);
  await using server = await startDemoModel();
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    CODEX_HOME: home,
    OPENAI_API_KEY: "any",
    OPENAI_BASE_URL: server.url,
  };
  {
    await using thread = await openThread({
      host: nodeHost({ env, cwd }),
      config: { sandboxMode: "danger-full-access", approvalPolicy: "never" },
      ephemeral: true,
    });
    await thread.run("fix the failing test");
  }
  const bodies = server.requests.map(({ raw }) => raw);
  return bodies.map((body, at) => ({
    bytes: body.length,
    shared: countShared(bodies[at - 1] ?? Buffer.alloc(0), body),
    tail: body.length - body.lastIndexOf(`],"reasoning"`),
  }));
}

function countShared(before: Buffer, after: Buffer): number {
  const differs = before.findIndex((byte, at) => byte !== after[at]);
  return differs === -1 ? before.length : differs;
}
