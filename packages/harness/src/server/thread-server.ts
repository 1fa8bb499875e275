import type { ProviderConfig, RefusedMember, RefusedParts, ServedModel, ServerNote, ServerNotes } from "@unroll/config";
import type { ItemForm, JournalEntry, RequestForm, ServerFeature, ServerFeatures } from "@unroll/protocol";
import { describeSystemError } from "@unroll/text";
import { membersOf } from "./feature-members.ts";
import type { PlannedChange } from "./plan-change.ts";

/** The features of a thread's server: those that its provider declares, without those that it refused. */
export interface ThreadServer {
  readonly takes: ServerFeatures;
  /** The form that is recorded with the head of the thread's requests. */
  readonly form: { readonly form?: RequestForm };
  /** The form in which the thread's items are sent. */
  readonly itemForm: ItemForm;
  /** Members that requests are sent without, since the server refused them. */
  readonly omitted: readonly RefusedMember[];
  /** The server refused these. This thread leaves them out from now on; so do new ones, unless it is a guess. */
  refuse(refused: PlannedChange): Promise<RefusalNote>;
}

/** Whether new threads avoid a refusal. `untold`: there was nothing to save. `reason`: a system error. */
export type RefusalNote =
  | { readonly type: "kept" }
  | { readonly type: "untold" }
  | { readonly type: "unkept"; readonly reason: string };

type OpenedThread = Extract<JournalEntry, { readonly type: "thread.opened" }>;

export interface ThreadServerOptions {
  readonly notes: ServerNotes;
  readonly served: ServedModel;
  readonly provider: Pick<ProviderConfig, "takes" | "took" | "azure">;
  /** The opening of a resumed thread; null: it is new. */
  readonly opened: OpenedThread | null;
}

/**
 * Reads once, when the thread opens, what the server last refused. A resumed thread keeps the form
 * of its prefix.
 */
export async function openThreadServer(options: ThreadServerOptions): Promise<ThreadServer> {
  const { notes, served, provider, opened } = options;
  const { model, providerId } = served;
  const goesOn = opened !== null && opened.model === model && opened.provider === providerId;
  const kept = goesOn ? pickForm({ ...provider.took, ...opened.form }) : {};
  const note = await notes.read(served);
  let refused: RefusedParts = { features: note.features.filter(isFeatureOf(provider.takes)), members: note.members };
  let takes = { ...without(provider.takes, refused.features), ...kept };
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
    get omitted() {
      return [...membersOf(refused.features), ...refused.members];
    },
    async refuse(more) {
      refused = { features: [...refused.features, ...more.features], members: [...refused.members, ...more.members] };
      takes = without(takes, more.features);
      if (more.isGuess) return { type: "untold" };
      try {
        await notes.save(served, mergeNote(await notes.read(served), more));
        return { type: "kept" };
      } catch (error) {
        return { type: "unkept", reason: describeSystemError(error) };
      }
    },
  };
}

/** Another thread may have saved more since this one was opened. */
function mergeNote(note: ServerNote, more: RefusedParts): ServerNote {
  const isNew = (each: RefusedMember): boolean =>
    !note.members.some(({ path, value }) => path === each.path && value === each.value);
  return {
    features: [...new Set([...note.features, ...more.features])],
    members: [...note.members, ...more.members.filter(isNew)],
  };
}

function isFeatureOf(features: ServerFeatures): (name: string) => name is ServerFeature {
  return (name): name is ServerFeature => Object.hasOwn(features, name);
}

function without(features: ServerFeatures, refused: readonly ServerFeature[]): ServerFeatures {
  return { ...features, ...Object.fromEntries(refused.map((feature) => [feature, false])) };
}

function pickForm(form: RequestForm): RequestForm {
  const { anyItems, customTools, developerMessages, images, reasoningItems, repeatedRoles, webSearch } = form;
  return { anyItems, customTools, developerMessages, images, reasoningItems, repeatedRoles, webSearch };
}

function isSameForm(a: RequestForm, b: RequestForm): boolean {
  return JSON.stringify(pickForm(a)) === JSON.stringify(pickForm(b));
}
