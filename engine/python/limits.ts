/** The maximum time, memory and output of a Python script. */
export const defaultLimits = {
  /** The maximum memory of each process, and of all processes together. */
  maxMemoryBytes: 1024 ** 3,
  /** The maximum size of a file, and of each folder that a script may write to. */
  maxMegabytes: 64,
  maxProcesses: 64,
  /**
   * The maximum length of the output that a step keeps, in UTF-16 code units. There is a limit because steps are
   * stored.
   */
  outputLength: 8_000,
  /** The maximum size of all variables that a script sets. */
  resultBytes: 32 * 1024 ** 2,
  reportBytes: 10_000,
  /**
   * The time in which the launcher must end all processes, in milliseconds. After that, the launcher itself is
   * killed.
   */
  endMs: 2_000,
  /** The maximum number of scripts that run at the same time. Others wait. */
  scripts: 4,
};

export type ScriptLimits = Readonly<typeof defaultLimits>;
