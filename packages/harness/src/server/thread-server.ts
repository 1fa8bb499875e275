import { keepRefusedFeature, readRefusedFeatures, type ServedModel } from "@unroll/config";
import type { ServerFeature, ServerFeatures } from "@unroll/protocol";
import { describeSystemError } from "@unroll/text";

/** What the server of a thread takes: what its provider declares, without what it refused. */
export interface ThreadServer {
  readonly takes: ServerFeatures;
  /** The server refused a feature. This thread leaves it out from now on, and so do new ones. */
  refuse(feature: ServerFeature): Promise<RefusalNote>;
}

/** Whether new threads are spared a refusal. `reason`: of the system. */
export type RefusalNote =
  | { readonly type: "kept"; readonly file: string }
  | { readonly type: "unkept"; readonly reason: string };

export interface ThreadServerOptions {
  readonly codexHome: string;
  readonly served: ServedModel;
  /** By its provider. */
  readonly declared: ServerFeatures;
}

/** What the server refused when it was last asked is read once, when the thread opens. */
export async function openThreadServer({ codexHome, served, declared }: ThreadServerOptions): Promise<ThreadServer> {
  let refused: readonly string[] = await readRefusedFeatures(codexHome, served);
  let takes = without(declared, refused);
  return {
    get takes() {
      return takes;
    },
    async refuse(feature) {
      refused = [...refused, feature];
      takes = without(declared, refused);
      try {
        return { type: "kept", file: await keepRefusedFeature(codexHome, served, feature) };
      } catch (error) {
        return { type: "unkept", reason: describeSystemError(error) };
      }
    },
  };
}

function without(declared: ServerFeatures, refused: readonly string[]): ServerFeatures {
  const known = refused.filter((feature) => Object.hasOwn(declared, feature));
  return { ...declared, ...Object.fromEntries(known.map((feature) => [feature, false])) };
}
