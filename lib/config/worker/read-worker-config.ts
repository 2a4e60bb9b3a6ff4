import type { z } from 'zod';
import type { Place } from '../../core/errors/failure.ts';
import { meantClause } from '../../core/text/did-you-mean.ts';
import type { YamlPath } from '../../yaml/read-yaml.ts';
import { isTeam, workerName, workerTokenName } from './operator-schema.ts';
import { type ConfigValidator, readConfig } from '../fields/read-config.ts';
import { workerSchema } from './worker-schema.ts';
import { numberOf } from '../../core/text/number-of.ts';

type WorkerValue = z.output<typeof workerSchema>;

/** The parsed `worker.yaml`, with the position of each part, so that a denial can name the line to change. */
export interface WorkerConfig extends WorkerValue {
  readonly placeOf: (path: YamlPath) => Place;
}

/** Parses `worker.yaml`. Throws Failure 'config-invalid' at the line and column of the first problem. */
export function readWorkerConfig(text: string, file: string): WorkerConfig {
  const { value, placeOf } = readConfig(text, file, { schema: workerSchema, validateValue: validateWorker });
  return { ...value, placeOf };
}

const validateWorker: ConfigValidator<WorkerValue> = (value, report) => {
  validateRepositories(value, report);
  validateOperators(value, report);
};

const validateRepositories: ConfigValidator<WorkerValue> = (
  { credentials, repositories, operators },
  report,
) => {
  // A person who is listed as an operator and by login counts once.
  const personOf = (name: string): string => {
    const login = name.toLowerCase();
    const operator = operators.find((entry) => (entry.github ?? entry.name).toLowerCase() === login);
    return operator?.name.toLowerCase() ?? login;
  };
  const names = Object.keys(credentials);
  for (const [i, repository] of repositories.entries()) {
    const { id, credential, environments, gates, approvers, 'working-directories': folders } = repository;
    if (repositories.findIndex((other) => other.id === id) < i)
      report(['repositories', i, 'id'], `repository ${id} is listed twice; remove one of the two entries`);
    if (repository['webhook-secret-env'] !== undefined && repository['webhook-secret-file'] !== undefined)
      report(
        ['repositories', i, 'webhook-secret-file'],
        'this repository has both `webhook-secret-env` and `webhook-secret-file`; remove one',
      );
    for (const [j, folder] of folders.entries())
      if (folders.indexOf(folder) < j)
        report(
          ['repositories', i, 'working-directories', j],
          `the folder "${folder}" is listed twice; remove one of the two`,
        );
    if (!names.includes(credential)) {
      report(
        ['repositories', i, 'credential'],
        `"${credential}" is not one of the \`credentials\` of this file${meantClause(credential, names)}`,
      );
    }
    for (const [environment, { approvals }] of Object.entries(gates)) {
      const path = ['repositories', i, 'gates', environment];
      if (environment !== '*' && !environments.includes(environment)) {
        report(
          path,
          `"${environment}" is not in this repository’s \`environments\`${meantClause(environment, environments)}`,
        );
      }
      if (!approvers.some(isTeam) && approvals > new Set(approvers.map(personOf)).size)
        report(
          path,
          `this gate requires ${numberOf(approvals, 'approval')}, more than this repository has \`approvers\``,
        );
    }
    for (const [j, name] of approvers.entries()) {
      if (name.toLowerCase() === workerTokenName)
        report(
          ['repositories', i, 'approvers', j],
          `"${workerTokenName}" is the worker’s own name, not a person; name a person who may approve`,
        );
    }
  }
};

/** Each name and login must identify exactly one person, in the API and on GitHub. */
const validateOperators: ConfigValidator<WorkerValue> = ({ operators, repositories }, report) => {
  const same = (a: string, b: string | undefined): boolean => a.toLowerCase() === b?.toLowerCase();
  for (const [i, operator] of operators.entries()) {
    const { name, github = name, tokenHashes, repositories: ids } = operator;
    const before = operators.slice(0, i);
    if (same(name, workerTokenName) || same(name, workerName))
      report(['operators', i, 'name'], `"${name}" is reserved for the worker itself`);
    // Otherwise the bearer of the worker's own token could approve as this operator.
    else if (same(github, workerTokenName))
      report(['operators', i, 'github'], `"${github}" is reserved for the worker itself`);
    if (before.some((other) => same(name, other.name)))
      report(['operators', i, 'name'], `operator "${name}" is listed twice; remove one of the two entries`);
    if (
      operators.some(
        (other) => other !== operator && (same(github, other.github) || same(github, other.name)),
      )
    )
      report(
        ['operators', i, 'github'],
        `the GitHub login "${github}" also belongs to another operator; each login must belong to one operator only`,
      );
    if (before.some((other) => other.tokenHashes.some((hash) => tokenHashes.includes(hash))))
      report(
        ['operators', i, 'token-hash'],
        'this hash also belongs to another operator; create a token for each operator (`millrace worker token`)',
      );
    for (const [j, id] of (ids === 'all' ? [] : ids).entries()) {
      if (!repositories.some((repository) => repository.id === id))
        report(['operators', i, 'repositories', j], `repository ${id} is not in \`repositories\``);
    }
  }
};
