/** A message to a starter: its length and its fields, each with its length (32 bits, big-endian). */
export function encodeMessage(fields: readonly string[]): Buffer {
  const sizes = fields.map((field) => Buffer.byteLength(field));
  const size = sizes.reduce((sum, each) => sum + lengthBytes + each, 0);
  const message = Buffer.allocUnsafe(lengthBytes + size);
  let position = message.writeUInt32BE(size, 0);
  for (const [index, field] of fields.entries()) {
    position = message.writeUInt32BE(sizes[index] ?? 0, position);
    position += message.write(field, position);
  }
  return message;
}

const lengthBytes = 4;
