/** A comment in a Python file that names the file's encoding (PEP 263), such as `# -*- coding: latin-1 -*-`. */
export interface CodingComment {
  /** The name as written. */
  readonly encoding: string;
  /** The offset of the name in the text. */
  readonly offset: number;
}

const comment = /^[ \t\f]*#.*?coding[:=][ \t]*(?<encoding>[-\w.]{1,50})/d;
const blankOrComment = /^[ \t\f]*(?:#.*)?$/;

/** Finds this comment in the first or second line of a text; undefined if there is none. */
export function codingComment(text: string): CodingComment | undefined {
  let offset = text.startsWith('\uFEFF') ? 1 : 0;
  for (let line = 1; line <= 2; line += 1) {
    const rest = text.slice(offset, offset + 10_000);
    const [content = ''] = /^[^\r\n]*/.exec(rest) ?? [];
    const match = comment.exec(content);
    const [start] = match?.indices?.groups?.['encoding'] ?? [];
    const encoding = match?.groups?.['encoding'];
    if (encoding !== undefined && start !== undefined) return { encoding, offset: offset + start };
    if (!blankOrComment.test(content)) return undefined;
    offset += content.length + (rest.startsWith('\r\n', content.length) ? 2 : 1);
  }
  return undefined;
}

/** Python's names of UTF-8. Editors add the line ends: `utf-8-unix`; Python ignores what follows `utf-8-`. */
const utf8 = /^(?:utf-8(?:-.*)?|utf8(?:-ucs[24])?|utf|u8|cp65001)$/;
/** Python's names of encodings in which the letters of ASCII have the same bytes. Python refuses a name that it does not know. */
const asciiLike = new RegExp(
  `^(?:${[
    '(?:us-)?ascii',
    'latin(?:[1-9]|10)?',
    'l(?:[1-9]|10)',
    '(?:iso-)?latin-1(?:-.*)?',
    'iso-8859-1(?:-.*)?',
    'iso-?8859-(?:[1-9]|1[013456])',
    'iso8859',
    '(?:windows-|cp)125[0-8]',
    'cp(?:437|720|737|775|85[025678]|86[012356]|869|874)',
    'koi8-[rtu]',
    'mac-(?:arabic|centeuro|croatian|cyrillic|farsi|greek|iceland|latin2|roman|romanian|turkish)',
  ].join('|')})$`,
);

/** Whether a text in UTF-8 has, or may have, a different meaning in the encoding that its comment names. */
export function differsInEncoding(text: string, { encoding }: CodingComment): boolean {
  const name = encoding.toLowerCase().replaceAll('_', '-');
  if (utf8.test(name)) return false;
  return !asciiLike.test(name) || /\P{ASCII}/u.test(text);
}
