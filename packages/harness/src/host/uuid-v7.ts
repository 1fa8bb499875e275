/** A UUID of version 7 (RFC 9562, 5.7) of a time in ms since 1970 and 16 random bytes. Not every runtime brings one. */
export function toUuidV7(now: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  new DataView(bytes.buffer).setBigUint64(
    0,
    (BigInt(now) << 16n) | BigInt((bytes[6] ?? 0) << 8) | BigInt(bytes[7] ?? 0),
  );
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
