import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import type { ProgramFlags } from "@unroll/program";
import type { PrefixQuestion } from "@unroll/protocol";
import { loadOtherModel } from "@unroll/use-cases/models";

/** What a thread was opened with. */
type OpenedModel = PrefixQuestion["opened"];

/**
 * The answer "go on with its own model", from where it is given, in a question, to who opens the thread anew for it. To the
 * harness it is a no.
 */
export interface OwnModelWish {
  readonly say: (opened: OpenedModel) => void;
  /** Once; null: nobody said so. */
  readonly take: () => OpenedModel | null;
}

function createOwnModelWish(): OwnModelWish {
  let wished: OpenedModel | null = null;
  return {
    say: (opened) => void (wished = opened),
    take() {
      const taken = wished;
      wished = null;
      return taken;
    },
  };
}

/** Whom `openAsWished` asks. */
export interface OwnModel {
  readonly wish: OwnModelWish;
  /** The config in which that model answers, with all else as `now` says. Throws where its provider is not set up any more. */
  readonly load: (opened: OpenedModel, now: ResolvedConfig) => Promise<ResolvedConfig>;
}

/** Opens a thread, and where the person would rather have the model that it was opened with, with that one. */
export async function openAsWished<Opened>(
  config: ResolvedConfig,
  { wish, load }: OwnModel,
  open: (config: ResolvedConfig) => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(config);
  } catch (error) {
    const opened = wish.take();
    if (opened === null) throw error;
    return open(await load(opened, config));
  }
}

/** `flags`: of the command line. */
export function createOwnModel(flags: ProgramFlags, host: Host): OwnModel {
  return {
    wish: createOwnModelWish(),
    load: (opened, now) => loadOtherModel(opened, { flags, host, now }),
  };
}
