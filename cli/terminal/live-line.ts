import type { Progress } from '../../lib/core/ports.ts';
import type { Io } from './io.ts';
import { terminalText } from './terminal-text.ts';

/** Progress on stderr: a line that overwrites itself where a person watches, else one plain line per sentence. */
export interface LiveLine extends Progress {
  /** Takes the live line away before something else is written. */
  clear(): void;
}

/** A line that wraps cannot be taken away again; narrower terminals are rare. */
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
