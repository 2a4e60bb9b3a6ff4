import { checkProject } from './check-project.ts';
import { type ProjectConfig, projectSchema } from './project-schema.ts';
import { readConfig } from './read-config.ts';
import { refuseSecrets } from './refuse-secrets.ts';

export type { ProjectConfig };

/**
 * Reads `millrace.yaml`. Failure 'config-invalid' at the line and column of the first problem; all of them stand
 * in the message and in `details.problems`.
 */
export function readProjectConfig(text: string, file: string): ProjectConfig {
  return readConfig(text, file, {
    schema: projectSchema,
    checkWritten: refuseSecrets,
    checkValue: checkProject,
  }).value;
}
