import process from 'node:process';
import {
  type GitHub,
  type GitHubOptions,
  startGitHub as startWithout,
} from '../../../local-github/server/start-github.ts';
import { createExchangeCheck, type ExchangeCheck } from './openapi/check-exchange.ts';

export type { Fault, GitHub, GitHubOptions } from '../../../local-github/server/start-github.ts';

/** Without state, and the description takes 15 ms of CPU to read: once for all that a process starts. */
let check: ExchangeCheck | undefined;

/** The stand-in of the product, held against GitHub's published description of its API. */
export function startGitHub(options: Omit<GitHubOptions, 'check' | 'environment'>): Promise<GitHub> {
  check ??= createExchangeCheck();
  return startWithout({ requireCompletedChecks: true, ...options, environment: process.env, check });
}
