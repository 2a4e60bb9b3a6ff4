import type { CommonOptions } from '../kit/session.ts';

export const scopes = ['changed', 'all'] as const;
export const levels = ['error', 'warning', 'notice', 'never'] as const;
export const formats = ['text', 'json', 'sarif', 'markdown', 'gitlab', 'junit'] as const;

export interface ReviewOptions extends CommonOptions {
  readonly format?: (typeof formats)[number];
  readonly local?: boolean;
  readonly staged?: boolean;
  readonly workingTree?: boolean;
  readonly commit: string;
  readonly branch?: string;
  readonly base?: string;
  readonly affected?: string;
  readonly newOnly?: boolean;
  readonly scope?: (typeof scopes)[number];
  readonly failOn?: (typeof levels)[number];
  readonly timeout?: number;
  readonly agentVersion?: string;
  readonly configDir?: string;
  readonly updateBaseline?: boolean;
  readonly fix?: boolean;
  readonly unsafeFixes?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly explain?: string;
  readonly statistics?: boolean;
  readonly outputFile?: string;
}
