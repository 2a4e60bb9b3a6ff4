import type { z } from 'zod';
import type { Place } from '../core/failure.ts';
import { closestWord } from '../core/closest-word.ts';
import type { YamlPath } from '../yaml/read-yaml.ts';
import { workerName, workerTokenName } from './operator-schema.ts';
import { type ConfigCheck, readConfig } from './read-config.ts';
import { workerSchema } from './worker-schema.ts';

type WorkerValue = z.output<typeof workerSchema>;

/** `worker.yaml` as read, and the place of each part of it: a denial names the line that would have to change. */
export interface WorkerConfig extends WorkerValue {
  readonly placeOf: (path: YamlPath) => Place;
}

/** Reads `worker.yaml`. Failure 'config-invalid' at the line and column of the first problem. */
export function readWorkerConfig(text: string, file: string): WorkerConfig {
  const { value, placeOf } = readConfig(text, file, { schema: workerSchema, checkValue: checkWorker });
  return { ...value, placeOf };
}

const checkWorker: ConfigCheck<WorkerValue> = (value, report) => {
  checkRepositories(value, report);
  checkOperators(value, report);
};

const checkRepositories: ConfigCheck<WorkerValue> = ({ credentials, repositories, operators }, report) => {
  // Somebody who stands there as an operator and by their login counts once.
  const personOf = (name: string): string => {
    const wanted = name.toLowerCase();
    const known = operators.find((one) => (one.github ?? one.name).toLowerCase() === wanted);
    return known?.name.toLowerCase() ?? wanted;
  };
  const names = Object.keys(credentials);
  for (const [i, repository] of repositories.entries()) {
    const { id, credential, environments, gates, approvers, 'working-directories': folders } = repository;
    if (repositories.findIndex((other) => other.id === id) < i)
      report(['repositories', i, 'id'], `repository ${id} is there twice`);
    for (const [j, folder] of folders.entries())
      if (folders.indexOf(folder) < j)
        report(['repositories', i, 'working-directories', j], `"${folder}" is there twice`);
    if (!names.includes(credential)) {
      const meant = closestWord(credential, names);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      report(['repositories', i, 'credential'], `there is no credential "${credential}"${hint}`);
    }
    for (const [environment, { approvals }] of Object.entries(gates)) {
      const path = ['repositories', i, 'gates', environment];
      if (environment !== '*' && !environments.includes(environment)) {
        report(path, `"${environment}" is not in this repository’s \`environments\``);
      }
      if (approvals > new Set(approvers.map(personOf)).size)
        report(path, `asks for more approvals than there are \`approvers\``);
    }
    for (const [j, name] of approvers.entries()) {
      if (name.toLowerCase() === workerTokenName)
        report(['repositories', i, 'approvers', j], `"${workerTokenName}" is nobody: name a person`);
    }
  }
};

/** Whoever acts must be one and the same person, whatever the way: names and logins never stand for two. */
const checkOperators: ConfigCheck<WorkerValue> = ({ operators, repositories }, report) => {
  const same = (a: string, b: string | undefined): boolean => a.toLowerCase() === b?.toLowerCase();
  for (const [i, operator] of operators.entries()) {
    const { name, github = name, tokenHashes, repositories: ids } = operator;
    const before = operators.slice(0, i);
    if (same(name, workerTokenName) || same(name, workerName))
      report(['operators', i, 'name'], `"${name}" is taken: the worker itself uses it`);
    // Or whoever bears the worker's own token could approve as this operator.
    else if (same(github, workerTokenName))
      report(['operators', i, 'github'], `"${github}" is taken: the worker itself uses it`);
    if (before.some((other) => same(name, other.name)))
      report(['operators', i, 'name'], `operator "${name}" is there twice`);
    if (
      operators.some(
        (other) => other !== operator && (same(github, other.github) || same(github, other.name)),
      )
    )
      report(['operators', i, 'github'], `"${github}" stands for another operator, too`);
    if (before.some((other) => other.tokenHashes.some((hash) => tokenHashes.includes(hash))))
      report(['operators', i, 'token-hash'], 'is another operator’s token, too: each needs one of its own');
    for (const [j, id] of (ids === 'all' ? [] : ids).entries()) {
      if (!repositories.some((repository) => repository.id === id))
        report(['operators', i, 'repositories', j], `repository ${id} is not in \`repositories\``);
    }
  }
};
