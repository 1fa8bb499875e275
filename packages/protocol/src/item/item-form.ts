import type { RequestForm } from "../model/server-features.ts";

/** In which form the items of a thread are sent. It is fixed for an epoch. */
export interface ItemForm extends RequestForm {
  /**
   * `dropped`: items are sent without their `id`; with `store: false` the server keeps nothing that an id could point to.
   * `kept`: for servers that store items (Azure). A server that does not take all items gets its own ids back in any case.
   */
  readonly ids: "dropped" | "kept";
  /** Whose server it is: what only its maker can read goes to nobody else. */
  readonly server: ItemMaker;
}

/** Whose model made an item. */
export interface ItemMaker {
  /** The id of the provider. */
  readonly provider: string;
  readonly model: string;
}
