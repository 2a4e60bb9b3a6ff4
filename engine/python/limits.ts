/** The time, memory and output that one Python script may use. */
export const defaultLimits = {
  /** The memory of each process, and of all of them together. */
  maxMemoryBytes: 1024 ** 3,
  /** The size of one file, and of each folder that a script may write to. */
  maxMegabytes: 64,
  maxProcesses: 64,
  /** UTF-16 units of a step's output that are kept: steps are stored. */
  outputLength: 8_000,
  /** The size of all variables that a script sets. */
  resultBytes: 32 * 1024 ** 2,
  reportBytes: 10_000,
  /** The time that the launcher has to end all processes, before it is killed itself. */
  endMs: 2_000,
  /** Scripts that run at the same time; others wait. */
  scripts: 4,
};

export type ScriptLimits = Readonly<typeof defaultLimits>;
