/**
 * An item of a type, or with a part, that this version does not know. It is sent back as exactly the bytes that came.
 * `unknown` is our tag, never on the wire: `itemType` is the wire's.
 */
export interface UnknownItem {
  readonly type: "unknown";
  readonly itemType: string;
  /** The item's JSON text, byte for byte as received. */
  readonly json: string;
}
