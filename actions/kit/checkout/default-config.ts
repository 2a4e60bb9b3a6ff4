import { type ProjectConfig, projectSchema } from '../../../lib/config/project/project-schema.ts';

export const configName = 'millrace.yaml';

/** The settings of a project without `millrace.yaml`. */
export const defaultConfig: ProjectConfig = projectSchema.parse({ version: 1 });
