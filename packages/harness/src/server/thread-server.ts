import { keepRefusedFeature, type ProviderConfig, readRefusedFeatures, type ServedModel } from "@unroll/config";
import type { ItemForm, JournalEntry, RequestForm, ServerFeature, ServerFeatures } from "@unroll/protocol";
import { describeSystemError } from "@unroll/text";

/** What the server of a thread takes: what its provider declares, without what it refused. */
export interface ThreadServer {
  readonly takes: ServerFeatures;
  /** What is written down with the head of the thread's requests. */
  readonly form: { readonly form?: RequestForm };
  /** In which form the thread's items are sent. */
  readonly itemForm: ItemForm;
  /** The server refused a feature. This thread leaves it out from now on, and so do new ones. */
  refuse(feature: ServerFeature): Promise<RefusalNote>;
}

/** Whether new threads are spared a refusal. `reason`: of the system. */
export type RefusalNote =
  | { readonly type: "kept"; readonly file: string }
  | { readonly type: "unkept"; readonly reason: string };

type OpenedThread = Extract<JournalEntry, { readonly type: "thread.opened" }>;

export interface ThreadServerOptions {
  readonly codexHome: string;
  readonly served: ServedModel;
  readonly provider: Pick<ProviderConfig, "takes" | "took" | "azure">;
  /** How the thread was opened that goes on; null: it is a new one. */
  readonly opened: OpenedThread | null;
}

/** What the server refused when it was last asked is read once, when the thread opens. A thread that goes on keeps the form of its prefix. */
export async function openThreadServer(options: ThreadServerOptions): Promise<ThreadServer> {
  const { codexHome, served, provider, opened } = options;
  const { model, providerId } = served;
  const goesOn = opened !== null && opened.model === model && opened.provider === providerId;
  const kept = goesOn ? pickForm({ ...provider.took, ...opened.form }) : {};
  let takes = { ...without(provider.takes, await readRefusedFeatures(codexHome, served)), ...kept };
  return {
    get takes() {
      return takes;
    },
    get form() {
      const form = pickForm(takes);
      return isSameForm(form, provider.took) ? {} : { form };
    },
    get itemForm(): ItemForm {
      const server = { provider: providerId, model };
      return { ...pickForm(takes), ids: provider.azure ? "kept" : "dropped", server };
    },
    async refuse(feature) {
      takes = without(takes, [feature]);
      try {
        return { type: "kept", file: await keepRefusedFeature(codexHome, served, feature) };
      } catch (error) {
        return { type: "unkept", reason: describeSystemError(error) };
      }
    },
  };
}

function without(features: ServerFeatures, refused: readonly string[]): ServerFeatures {
  const known = refused.filter((feature) => Object.hasOwn(features, feature));
  return { ...features, ...Object.fromEntries(known.map((feature) => [feature, false])) };
}

function pickForm(form: RequestForm): RequestForm {
  const { anyItems, customTools, developerMessages, images, reasoningItems, repeatedRoles, webSearch } = form;
  return { anyItems, customTools, developerMessages, images, reasoningItems, repeatedRoles, webSearch };
}

function isSameForm(a: RequestForm, b: RequestForm): boolean {
  return JSON.stringify(pickForm(a)) === JSON.stringify(pickForm(b));
}
