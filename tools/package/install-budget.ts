/** Sizes in megabytes (10^6 bytes), on Linux x64. */
export interface InstallSizes {
  /** The package of Millrace itself. */
  readonly 'the package': number;
  /** The packages that it needs. */
  readonly 'its dependencies': number;
  /** The optional engine, an embedded DuckDB. */
  readonly 'the engine': number;
}

/** The maximum size of an installation. To raise a number: at most a twentieth above the size that is needed. */
export const installBudget: InstallSizes = {
  'the package': 10.5,
  'its dependencies': 70,
  'the engine': 75,
};
