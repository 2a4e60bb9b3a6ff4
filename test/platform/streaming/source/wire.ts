/** Messages of the plugin `pgoutput`, written by hand. */
export const wire = {
  uint8: (...values: readonly number[]): Buffer => Buffer.from(values),
  int16: (value: number): Buffer => numbered(2, (bytes) => bytes.writeInt16BE(value)),
  int32: (value: number): Buffer => numbered(4, (bytes) => bytes.writeInt32BE(value)),
  int64: (value: bigint): Buffer => numbered(8, (bytes) => bytes.writeBigInt64BE(value)),
  name: (text: string): Buffer => Buffer.from(`${text}\0`),
  /** A value of a row: a text, null, undefined for one that did not change. */
  cell(value: string | null | undefined): Buffer {
    if (value === null) return Buffer.from('n');
    if (value === undefined) return Buffer.from('u');
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from('t'), wire.int32(text.length), text]);
  },
  row: (kind: 'N' | 'O' | 'K', ...cells: readonly (string | null | undefined)[]): Buffer =>
    Buffer.concat([Buffer.from(kind), wire.int16(cells.length), ...cells.map(wire.cell)]),
  relation: (id: number, table: string, columns: readonly string[], identity = 'd'): Buffer =>
    Buffer.concat([
      Buffer.from('R'),
      wire.int32(id),
      wire.name('public'),
      wire.name(table),
      Buffer.from(identity),
      wire.int16(columns.length),
      ...columns.flatMap((name, nth) => [
        wire.uint8(nth === 0 ? 1 : 0),
        wire.name(name),
        wire.int32(25),
        wire.int32(-1),
      ]),
    ]),
  change: (kind: 'I' | 'U' | 'D', id: number, ...rows: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.from(kind), wire.int32(id), ...rows]),
  begin: (position: bigint, time: bigint, id: number): Buffer =>
    Buffer.concat([Buffer.from('B'), wire.int64(position), wire.int64(time), wire.int32(id)]),
  commit: (position: bigint, end: bigint, time: bigint): Buffer =>
    Buffer.concat([Buffer.from('C\0'), wire.int64(position), wire.int64(end), wire.int64(time)]),
  truncate: (...ids: readonly number[]): Buffer =>
    Buffer.concat([Buffer.from('T'), wire.int32(ids.length), wire.uint8(0), ...ids.map(wire.int32)]),
};

function numbered(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}
