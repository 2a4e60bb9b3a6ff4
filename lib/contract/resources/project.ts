import * as z from 'zod';
import { answeredUuid, closedEnum, nonEmpty } from '../description/field.ts';

/** Spec §2.1. What the warehouse kinds are called is a matter of the deployment. */
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

/** Spec §2.2: the record holds only basic metadata, not credentials. */
export const connectionDefinition = z.strictObject({
  name: nonEmpty,
  platformConnectionType: closedEnum(['dwh']),
  authProvider: nonEmpty.meta({ description: 'Lowercase name of the warehouse kind.' }),
  authType: closedEnum(['key_pair', 'password']),
});

/** Spec §2.4. */
export const repositoryLink = z.strictObject({
  provider: nonEmpty.meta({ description: 'Lowercase name of the supported Git host.' }),
  providerParameters: z.strictObject({ ownerName: nonEmpty }),
  repositoryName: nonEmpty,
});
