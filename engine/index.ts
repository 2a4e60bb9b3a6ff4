/** Runs pipelines. See `README.md`. */
export * from './execution/index.ts';
