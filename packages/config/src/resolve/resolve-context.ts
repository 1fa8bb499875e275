import type { ConfigSources } from "../config-sources.ts";
import type { CombinedLayers } from "../layer/combine-layers.ts";

/** What the parts of the configuration are resolved from. */
export interface ResolveContext extends CombinedLayers {
  readonly sources: ConfigSources;
  /** The working folder of the thread. */
  readonly cwd: string;
  readonly projectRoot: string | null;
  /** Null: the user says nothing of the project. */
  readonly projectTrust: "trusted" | "untrusted" | null;
}
