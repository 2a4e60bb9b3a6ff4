import type { BundleSizes } from './bundle-size.ts';

/** What `dist/` may weigh, in bytes. To raise a number: at most a twentieth above the size that is needed. */
export const bundleBudget: BundleSizes = {
  total: 2_990_000,
  compressed: 720_000,
  'loaded by every action': 1_990_000,
  'each stub': 100,
};
