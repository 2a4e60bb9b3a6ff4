/** Where git runs and what it may trust. */
export interface GitPlace {
  readonly directory: string;
  /** The only folder that may belong to another user (a container's work space); nothing else is trusted. */
  readonly safeDirectory: string;
  /** The result of `gitEnvironment`. Undefined: git inherits the environment of this process. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
}
