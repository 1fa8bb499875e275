import type { RequestForm } from "../model/server-features.ts";

/** The form in which a thread's items are sent. It is fixed for an epoch. */
export interface ItemForm extends RequestForm {
  /**
   * `dropped`: items are sent without their `id`; with `store: false` the server keeps nothing that an id could point to.
   * `kept`: for servers that store items (Azure). A server that does not take all items gets its own ids back in any case.
   */
  readonly ids: "dropped" | "kept";
  /** The server that receives them: items that only their maker can read go to nobody else. */
  readonly server: ItemMaker;
}

/** The model that made an item. */
export interface ItemMaker {
  /** The id of the provider. */
  readonly provider: string;
  readonly model: string;
}
