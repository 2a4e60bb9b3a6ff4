/** The characters that begin a value of several values. */
const aggregates = new Set(['*', '~', '>']);

/** Where the RESP value that begins at `start` ends; undefined where its end has not come yet. */
export function endOfValue(bytes: Buffer, start: number): number | undefined {
  const line = bytes.indexOf('\r\n', start);
  if (line === -1) return undefined;
  const type = String.fromCharCode(bytes[start] ?? 0);
  const next = line + 2;
  if (type === '$' || type === '=' || type === '!') {
    const length = Number(bytes.toString('latin1', start + 1, line));
    const end = length < 0 ? next : next + length + 2;
    return end <= bytes.length ? end : undefined;
  }
  const count = Number(bytes.toString('latin1', start + 1, line));
  const parts = aggregates.has(type) ? count : type === '%' ? 2 * count : 0;
  let end: number | undefined = next;
  for (let i = 0; i < parts && end !== undefined; i += 1) end = endOfValue(bytes, end);
  return end;
}

/** The words of a command. */
export function wordsOfCommand(message: Buffer): string[] {
  const words: string[] = [];
  let at = message.indexOf('\r\n') + 2;
  while (at < message.length) {
    const line = message.indexOf('\r\n', at);
    const length = Number(message.toString('latin1', at + 1, line));
    words.push(message.toString('utf8', line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
  return words;
}

/** Splits chunks into whole values. */
export function createSplitter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const values: Buffer[] = [];
    let start = 0;
    for (let end = endOfValue(rest, 0); end !== undefined; end = endOfValue(rest, start)) {
      values.push(rest.subarray(start, end));
      start = end;
      if (start >= rest.length) break;
    }
    rest = rest.subarray(start);
    return values;
  };
}
