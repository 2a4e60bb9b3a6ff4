import type { Place } from './refusal.ts';

/** A text after its variables were replaced, with a mapping to positions in the file. Offsets count UTF-16 units. */
export interface SourceText {
  readonly text: string;
  /** Where the character at an offset of `text` comes from. */
  placeOf(offset: number): Place;
}

/** A text that is not in a file, for example one that was made from a component's parameters. */
export function sourceText(text: string, file: string, line = 1, column = 1): SourceText {
  return {
    text,
    placeOf(offset) {
      const before = text.slice(0, offset).split('\n');
      const last = before.at(-1) ?? '';
      return {
        file,
        line: line + before.length - 1,
        column: before.length === 1 ? column + last.length : last.length + 1,
      };
    },
  };
}

/** The position at which the text begins, after leading blanks. */
export function startOf(source: SourceText): Place {
  return source.placeOf(source.text.length - source.text.trimStart().length);
}

/** Joins several texts. An offset between two of them has the position at which the later one begins. */
export function joinTexts(parts: readonly SourceText[]): SourceText {
  return {
    text: parts.map(({ text }) => text).join(''),
    placeOf(offset) {
      let rest = offset;
      for (const part of parts.slice(0, -1)) {
        if (rest < part.text.length) return part.placeOf(rest);
        rest -= part.text.length;
      }
      const last = parts.at(-1);
      if (last === undefined) throw new Error('no texts to join');
      return last.placeOf(rest);
    },
  };
}
