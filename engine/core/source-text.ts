import type { Place } from './refusal.ts';

/**
 * A text whose variables are already replaced by their values. Each position in it can be mapped to a position in the
 * file. Offsets count UTF-16 code units.
 */
export interface SourceText {
  readonly text: string;
  /** The position in the file of the character at an offset of `text`. */
  placeOf(offset: number): Place;
}

/** A text that is not in a file as it is, for example one that was made from the parameters of a component. */
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

/** The position in the file at which the text begins, after leading blanks. */
export function startOf(source: SourceText): Place {
  return source.placeOf(source.text.length - source.text.trimStart().length);
}

/** Joins several texts into one. An offset between two of them has the position at which the second one begins. */
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
