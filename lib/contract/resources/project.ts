import * as z from 'zod';
import { answeredUuid, closedEnum, nonEmpty } from '../description/field.ts';

/** The body that creates a project (spec §2.1). The names of the warehouse kinds depend on the deployment. */
export const projectDefinition = z.strictObject({
  name: nonEmpty,
  description: z.string().optional(),
  warehouse: nonEmpty.meta({ description: 'Uppercase name of a supported warehouse kind.' }),
  agentDeploymentType: closedEnum(['HYBRID']),
});

export const projectCreated = z.looseObject({ projectId: answeredUuid });

export const project = z.looseObject({
  id: answeredUuid,
  name: z.string(),
  description: z.string().nullish(),
});

/** The body that registers a connection (spec §2.2). It only has basic metadata, no credentials. */
export const connectionDefinition = z.strictObject({
  name: nonEmpty,
  platformConnectionType: closedEnum(['dwh']),
  authProvider: nonEmpty.meta({ description: 'Lowercase name of the warehouse kind.' }),
  authType: closedEnum(['key_pair', 'password']),
});

/** The body that links a repository to a project (spec §2.4). */
export const repositoryLink = z.strictObject({
  provider: nonEmpty.meta({ description: 'Lowercase name of the supported Git host.' }),
  providerParameters: z.strictObject({ ownerName: nonEmpty }),
  repositoryName: nonEmpty,
});
