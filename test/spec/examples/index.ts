import type { Example } from '../example.ts';
import { artifacts } from './artifacts.ts';
import { audit } from './audit.ts';
import { executions } from './executions.ts';
import { provisioning } from './provisioning.ts';
import { refusals } from './refusals.ts';
import { shared } from './shared.ts';
import { streaming } from './streaming.ts';
import { variables } from './variables.ts';

/** All examples, in an order in which a platform can answer one after the other. */
export const examples: readonly Example[] = [
  ...provisioning,
  ...streaming,
  ...artifacts,
  ...executions,
  ...variables,
  ...shared,
  ...audit,
  ...refusals,
];
