import type { Progress } from '../../lib/core/ports.ts';
import type { Io } from './io.ts';
import { terminalText } from './terminal-text.ts';

/** Progress on stderr: on a terminal one line that is updated in place, otherwise one plain line per sentence. */
export interface LiveLine extends Progress {
  /** Removes the live line before other output is written. */
  clear(): void;
}

/** A wrapped line cannot be removed again. Terminals with fewer columns are rare. */
const width = 79;

export function createLiveLine({ stderr, interactive }: Pick<Io, 'stderr' | 'interactive'>): LiveLine {
  let shown = '';
  return {
    step(sentence) {
      const text = terminalText(sentence).replaceAll(/\s+/g, ' ');
      if (text === shown) return;
      stderr.write(interactive ? `\r\u001b[K${text.slice(0, width)}` : `${text}\n`);
      shown = text;
    },
    clear() {
      if (interactive && shown !== '') stderr.write('\r\u001b[K');
      shown = '';
    },
  };
}
