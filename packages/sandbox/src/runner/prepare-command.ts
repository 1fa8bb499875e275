import { join } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../backend/sandbox-backend.ts";
import { makeFolder } from "../files/make-folder.ts";
import { createGitGuard } from "../git-guard/git-guard.ts";
import { createPlaceholderRegistry } from "../placeholder/placeholder-registry.ts";
import { confineCommand } from "../plan/confine-command.ts";
import type { InnerCommand, LaunchPlan } from "../plan/launch-plan.ts";
import type { Workspace } from "../rules/workspace.ts";
import type { ConfinedCommand } from "./to-outcome.ts";

export type Preparation = PreparedCommand | { readonly type: "refused"; readonly message: string };

/** Everything is in place for the command to start. */
export interface PreparedCommand {
  readonly type: "prepared";
  readonly plan: LaunchPlan;
  /** Nothing for a command outside of any sandbox. */
  readonly confined: ConfinedCommand | undefined;
  /** To be called once, after the command has ended. Returns what had to be put right, in sentences. */
  readonly settle: () => Promise<readonly string[]>;
}

/** Builds the walls for commands, and clears up after them. */
export interface CommandPreparer {
  readonly prepare: (command: InnerCommand) => Promise<Preparation>;
  readonly dispose: () => void;
}

export interface PreparerOptions {
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend;
  readonly workspace: Workspace;
  /** Tells this preparer's files in the state folder from others'. */
  readonly name: string;
}

export function createCommandPreparer(options: PreparerOptions): CommandPreparer {
  const { policy, backend } = options;
  const { stateFolder } = options.workspace;
  const placeholders = createPlaceholderRegistry(stateFolder, options.name);
  const guard = createGitGuard(join(stateFolder, `${options.name}.clock`));

  async function prepare(command: InnerCommand): Promise<Preparation> {
    const obstacle = makeFolder(stateFolder);
    if (obstacle !== undefined) {
      const message = `The command was not run: the sandbox keeps its files in ${stateFolder}, which fails (${obstacle}).`;
      return { type: "refused", message };
    }
    const confinement = confineCommand(command, options);
    if (confinement.type === "refused") return confinement;

    const { plan, rules } = confinement;
    await guard.open(rules);
    const absent = rules.rules.filter(({ type }) => type === "absent").map(({ path }) => path);
    const release = placeholders.acquire(backend.type === "bubblewrap" ? absent : []);
    return {
      type: "prepared",
      plan,
      confined: { command, policy, backend: backend.type, rules: rules.rules },
      settle() {
        release();
        return guard.close(rules);
      },
    };
  }

  return {
    prepare,
    dispose() {
      placeholders.close();
      guard.dispose();
    },
  };
}

/** The command as it is, outside of any wall. */
export function prepareUnconfined({ argv, cwd, environment }: InnerCommand): PreparedCommand {
  const [file = "", ...args] = argv;
  return {
    type: "prepared",
    plan: { file, args, cwd, environment, inputs: [], reportsStatus: false },
    confined: undefined,
    settle: async () => [],
  };
}
