import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone: every path of the set-up starts here, wherever it was called from. */
export const clone = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that the set-up fetches; git ignores it, and removing it is always safe. */
export const store = join(clone, '.millrace');
