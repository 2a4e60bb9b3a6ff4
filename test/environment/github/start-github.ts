import process from 'node:process';
import {
  type GitHub,
  type GitHubOptions,
  startGitHub as startWithout,
} from '../../../local-github/server/start-github.ts';
import { createExchangeCheck } from './openapi/check-exchange.ts';

export type { Fault, GitHub, GitHubOptions } from '../../../local-github/server/start-github.ts';

/** The stand-in of the product, held against GitHub's published description of its API. */
export function startGitHub(options: Omit<GitHubOptions, 'check' | 'environment'>): Promise<GitHub> {
  return startWithout({ ...options, environment: process.env, check: createExchangeCheck() });
}
