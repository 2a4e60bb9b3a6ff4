/** A place at which a text is not JSON. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

const token =
  /\s+|[{}[\]:]|,(?=\s*([}\]])?)|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** YAML allows more than JSON: other tools would refuse the file. Undefined for JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  try {
    JSON.parse(text.slice(start));
    return undefined;
  } catch {
    return faultIn(text, start);
  }
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
