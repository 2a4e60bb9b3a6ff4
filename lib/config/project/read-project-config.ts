import { validateProject } from './check-project.ts';
import { type ProjectConfig, projectSchema } from './project-schema.ts';
import { readConfig } from '../fields/read-config.ts';
import { refuseSecrets } from './refuse-secrets.ts';

export type { ProjectConfig };

/**
 * Parses `millrace.yaml`. Throws Failure 'config-invalid' at the line and column of the first problem; the message
 * and `details.problems` list all of them.
 */
export function readProjectConfig(text: string, file: string): ProjectConfig {
  return readConfig(text, file, {
    schema: projectSchema,
    // Variables of an execution are texts, and are passed as written.
    textPaths: [['lanes', '*', 'verify', '*', 'variables', '*']],
    validateWritten: refuseSecrets,
    validateValue: validateProject,
  }).value;
}
