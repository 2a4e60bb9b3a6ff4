import type { z } from 'zod';
import type { Place } from '../model/failure.ts';
import { closestWord } from '../model/closest-word.ts';
import type { YamlPath } from '../source/read-yaml.ts';
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

const checkWorker: ConfigCheck<WorkerValue> = ({ credentials, repositories }, report) => {
  const names = Object.keys(credentials);
  for (const [i, { id, credential, environments, gates, approvers }] of repositories.entries()) {
    if (repositories.findIndex((other) => other.id === id) < i)
      report(['repositories', i, 'id'], `repository ${id} is there twice`);
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
      if (approvals > new Set(approvers).size)
        report(path, `asks for more approvals than there are \`approvers\``);
    }
  }
};
