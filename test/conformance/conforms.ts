import { test } from 'vitest';
import type { Point } from './points.ts';

/** What a server must offer beyond the API for a test to be possible, and whether this one does. */
export interface Need {
  readonly met: boolean;
  /** For the title of the skipped test. */
  readonly words: string;
}

/**
 * A test of the specification: the points that it shows, what holds, and the requests that show it. The points are written
 * literally at the call: `coverage.test.ts` reads them there. With a `need` that is not met the test is skipped, and
 * its title says what is missing.
 */
export function conforms(
  shows: readonly [Point, ...Point[]],
  title: string,
  body: () => Promise<void>,
  need: Need = { met: true, words: '' },
): void {
  const name = `${shows.join('; ')} — ${title}`;
  if (need.met) test(name, body);
  // Skipped where the server lacks what the test needs; the title says what.
  else test.skip(`${name} (skipped: ${need.words})`, body);
}
