import * as z from 'zod';
import { answeredTimestamp, extension, nonEmpty } from '../description/field.ts';

/** The headers with version, environment and commit of an upload (spec §4.3). `branch`: see unknowns §3. */
export const artifactHeaders = z.strictObject({
  versionName: nonEmpty,
  environmentName: nonEmpty,
  commitHash: nonEmpty,
  branch: extension(nonEmpty.optional()),
});

const ignoredResource = z.looseObject({ name: z.string(), reason: z.string().nullish() });

/** The answer to the creation of an artifact. The specification does not show it (unknowns §3). */
export const artifactCreated = z.looseObject({
  versionName: z.string().optional(),
  ignoredResources: z.array(ignoredResource).optional(),
});

export const promotion = z.strictObject({
  sourceEnvironmentName: nonEmpty,
  targetEnvironmentName: nonEmpty,
  versionName: nonEmpty,
});

/** The answer to a promotion. The specification does not show it (unknowns §3). */
export const promoted = z.looseObject({
  environmentName: z.string().optional(),
  versionName: z.string().optional(),
});

export const artifactSwitch = z.strictObject({
  environmentName: nonEmpty,
  versionName: nonEmpty,
  enabled: z.boolean(),
});

/** An artifact in a list. The specification does not show it (unknowns §3). */
export const artifact = z.looseObject({
  versionName: z.string(),
  environmentName: z.string(),
  commitHash: z.string().nullish(),
  branch: z.string().nullish(),
  enabled: z.boolean(),
  createdAt: answeredTimestamp,
  deployedAt: answeredTimestamp.nullish(),
});

/** A connector object (spec §2.6). It is stored unchanged; only its id is read. `alternateId`: see unknowns §3. */
export const connector = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  alternateId: z.string().optional(),
});

/**
 * The headers with prefix and version of an upload of shared pipelines (spec §4.8). That they are headers is our
 * decision (unknowns §3).
 */
export const sharedArtifactHeaders = z.strictObject({
  sharedPipelineIdPrefix: nonEmpty,
  versionName: nonEmpty,
  commitHash: nonEmpty.optional(),
  branch: nonEmpty.optional(),
});

/**
 * The answer to a publication of shared pipelines (spec §2.11). Its fields except `ignoredResources` are our
 * decision (unknowns §3).
 */
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

/** A published version of shared pipelines: `artifactDetails` in spec §2.11. */
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
