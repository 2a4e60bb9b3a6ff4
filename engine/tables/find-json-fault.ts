/** The place at which a text stops being valid JSON. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

const token =
  /\s+|[{}[\]:]|,(?=\s*([}\]])?)|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * The offset of the second JSON text in a file that contains several JSON texts, one after another. Undefined for any
 * other file.
 */
export function findSecondText(text: string): number | undefined {
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  const start = token.lastIndex;
  let depth = 0;
  let isEnded = false;
  for (;;) {
    const at = token.lastIndex;
    const [match] = token.exec(text) ?? [];
    if (match === undefined) return undefined;
    if (/^\s/.test(match)) continue;
    if (isEnded) return isJson(text.slice(start, at)) ? at : undefined;
    if (match === '{' || match === '[') depth += 1;
    else if (match === '}' || match === ']') depth -= 1;
    isEnded = depth === 0;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The comment, as in JavaScript or YAML, that makes a text invalid as JSON. Undefined if the first mistake in the
 * text is not a comment.
 */
export function findComment(text: string): JsonFault | undefined {
  const fault = findJsonFault(text);
  return fault !== undefined && isComment(text, fault.offset) ? fault : undefined;
}

function isComment(text: string, offset: number): boolean {
  return /^(?:\/\/|\/\*|#)/.test(text.slice(offset, offset + 2));
}

/**
 * Finds the place where a text is valid YAML but not valid JSON, so that other tools would refuse the file. Undefined
 * if the text is valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return isJson(text.slice(start)) ? undefined : faultIn(text, start);
}

function faultIn(text: string, start: number): JsonFault {
  token.lastIndex = start;
  let offset = start;
  while (offset < text.length) {
    const [, closing] = token.exec(text) ?? [];
    if (closing !== undefined)
      return { offset, message: `JSON allows no comma before \`${closing}\`: remove it` };
    if (token.lastIndex === 0)
      return {
        offset,
        message: isComment(text, offset)
          ? 'JSON allows no comments: remove this one'
          : 'this is valid YAML, but not valid JSON: write it as JSON',
      };
    offset = token.lastIndex;
  }
  return { offset: start, message: 'the file is valid YAML, but not valid JSON: write it as JSON' };
}
