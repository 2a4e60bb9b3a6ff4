export interface BundleSizes {
  readonly total: number;
  /** The compressed size, as it is downloaded. */
  readonly compressed: number;
  readonly 'loaded by every action': number;
  readonly 'each stub': number;
}

/** The maximum sizes of `dist/`, in bytes. To raise a number: at most a twentieth above the size that is needed. */
export const bundleBudget: BundleSizes = {
  total: 5_600_000,
  compressed: 1_300_000,
  'loaded by every action': 1_970_000,
  'each stub': 100,
};
