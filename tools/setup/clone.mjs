import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. All paths of the set-up start here, independent of the current folder. */
export const clone = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder for all downloads of the set-up. git ignores it, and you can delete it at any time. */
export const store = join(clone, '.millrace');
