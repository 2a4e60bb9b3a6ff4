import type { BundleSizes } from './bundle-size.ts';

/** What `dist/` may weigh, in bytes. To raise a number: at most a twentieth above the size that is needed. */
export const bundleBudget: BundleSizes = {
  total: 3_100_000,
  compressed: 730_000,
  'loaded by every action': 2_060_000,
  'each stub': 100,
};
