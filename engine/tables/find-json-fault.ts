/** A place at which a text is not JSON. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

const token =
  /\s+|[{}[\]:]|,(?=\s*([}\]])?)|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The offset of the second text where each line is a JSON text of its own: JSON Lines. Undefined for any other text. */
export function findJsonLines(text: string): number | undefined {
  // A byte order mark is a blank for `\S`.
  const lines = [...text.matchAll(/\S[^\r\n]*/g).take(2)];
  const [, second] = lines;
  return second !== undefined && lines.every(([line]) => isJson(line)) ? second.index : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** YAML allows more than JSON: other tools would refuse the file. Undefined for JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return isJson(text.slice(start)) ? undefined : faultIn(text, start);
}

function faultIn(text: string, start: number): JsonFault {
  token.lastIndex = start;
  let offset = start;
  while (offset < text.length) {
    const [, closing] = token.exec(text) ?? [];
    if (closing !== undefined) return { offset, message: `JSON has no comma before \`${closing}\`` };
    if (token.lastIndex === 0) return { offset, message: 'this is YAML, but not JSON' };
    offset = token.lastIndex;
  }
  return { offset: start, message: 'the file is YAML, but not JSON' };
}
