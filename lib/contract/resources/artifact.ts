import * as z from 'zod';
import { answeredTimestamp, extension, nonEmpty } from '../description/field.ts';

/** Spec §4.3: version, environment and commit travel as headers. `branch`: unknowns §3. */
export const artifactHeaders = z.strictObject({
  versionName: nonEmpty,
  environmentName: nonEmpty,
  commitHash: nonEmpty,
  branch: extension(nonEmpty.optional()),
});

const ignoredResource = z.looseObject({ name: z.string(), reason: z.string().nullish() });

/** Not shown in the specification; unknowns §3. */
export const artifactCreated = z.looseObject({
  versionName: z.string().optional(),
  ignoredResources: z.array(ignoredResource).optional(),
});

export const promotion = z.strictObject({
  sourceEnvironmentName: nonEmpty,
  targetEnvironmentName: nonEmpty,
  versionName: nonEmpty,
});

/** Not shown in the specification; unknowns §3. */
export const promoted = z.looseObject({
  environmentName: z.string().optional(),
  versionName: z.string().optional(),
});

export const artifactSwitch = z.strictObject({
  environmentName: nonEmpty,
  versionName: nonEmpty,
  enabled: z.boolean(),
});

/** Not shown in the specification; unknowns §3. */
export const artifact = z.looseObject({
  versionName: z.string(),
  environmentName: z.string(),
  commitHash: z.string().nullish(),
  branch: z.string().nullish(),
  enabled: z.boolean(),
  createdAt: answeredTimestamp,
  deployedAt: answeredTimestamp.nullish(),
});

/** Spec §2.6: connector objects are saved as they come; only the id is looked at. `alternateId`: unknowns §3. */
export const connector = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  alternateId: z.string().optional(),
});

/** Spec §4.8: prefix and version as headers is a decision (unknowns §3). */
export const sharedArtifactHeaders = z.strictObject({
  sharedPipelineIdPrefix: nonEmpty,
  versionName: nonEmpty,
  commitHash: nonEmpty.optional(),
  branch: nonEmpty.optional(),
});

/** Spec §2.11; the fields besides `ignoredResources` are a decision (unknowns §3). */
export const sharedArtifactPublished = z.looseObject({
  sharedPipelineIdPrefix: z.string().optional(),
  versionName: z.string().optional(),
  ignoredResources: z.array(ignoredResource).optional(),
});

export const sharedArtifactSwitch = z.strictObject({
  sharedPipelineIdPrefix: nonEmpty,
  versionName: nonEmpty,
  enabled: z.boolean(),
});

export const sharedPipeline = z.looseObject({
  sharedPipelineIdPrefix: z.string(),
  sharedPipelineId: z.string(),
  description: z.string().nullish(),
  latestVersionName: z.string().nullish(),
});

/** Spec §2.11, `artifactDetails`. */
export const sharedArtifact = z.looseObject({
  sharedPipelineIdPrefix: z.string(),
  versionName: z.string(),
  enabled: z.boolean(),
  createdAt: answeredTimestamp,
  provider: z.string().nullish(),
  commitHash: z.string().nullish(),
  branch: z.string().nullish(),
});

export const sharedArtifactDetails = z.looseObject({
  artifactDetails: sharedArtifact,
  sharedPipelines: z.array(
    z.looseObject({
      sharedPipelineId: z.string(),
      sourcePipeline: z.string(),
      description: z.string().nullish(),
    }),
  ),
});
