/** The operations of the specification, by the section that describes them. */
export const operations = {
  '§4.1': [
    'POST /v1/projects',
    'GET /v1/projects',
    'POST /v1/projects/{projectId}/data-platform-connections',
    'POST /v1/projects/{projectId}/environments',
    'GET /v1/projects/{projectId}/environments',
    'POST /v1/projects/{projectId}/repositories',
  ],
  '§4.2': [
    'POST /v1/projects/{projectId}/streaming-pipelines',
    'GET /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}',
    'POST /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}/commands',
    'GET /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}/status',
  ],
  '§4.3': [
    'POST /v1/projects/{projectId}/artifacts',
    'POST /v1/projects/{projectId}/artifacts/promotions',
    'GET /v1/projects/{projectId}/artifacts/',
    'PATCH /v1/projects/{projectId}/artifacts',
    'GET /v1/custom-connectors',
    'GET /v1/flex-connectors',
  ],
  '§4.4': [
    'GET /v1/projects/{projectId}/published-pipelines',
    'POST /v1/projects/{projectId}/pipeline-executions',
    'GET /v1/projects/{projectId}/pipeline-executions/{pipelineExecutionId}',
    'PATCH /v1/projects/{projectId}/pipeline-executions/{pipelineExecutionId}',
  ],
  '§4.5': ['POST /v1/projects/{projectId}/reviews'],
  '§4.6': [
    'GET /v1/projects/{projectId}/variables',
    'POST /v1/projects/{projectId}/variables',
    'PATCH /v1/projects/{projectId}/variables/{variableName}',
    'DELETE /v1/projects/{projectId}/variables/{variableName}',
    'GET /v1/projects/{projectId}/variables/{variableName}/environment-overrides',
    'POST /v1/projects/{projectId}/variables/{variableName}/environment-overrides',
    'DELETE /v1/projects/{projectId}/variables/{variableName}/environment-overrides/{environmentName}',
  ],
  '§4.7': ['GET /v1/events'],
  '§4.8': [
    'GET /v1/shared-pipelines',
    'GET /v1/shared-pipelines/artifacts',
    'GET /v1/shared-pipelines/artifacts/details',
    'POST /v1/shared-pipelines/artifacts',
    'PATCH /v1/shared-pipelines/artifacts',
  ],
} as const;

/** Numbered rules, and what the tables and the prose promise as one. */
export const rules = [
  '§1 a new project is visible to Super Admins only',
  '§2 envelope of a paged list',
  '§2.1 projectId is a v4 UUID',
  '§2.1 HYBRID is the supported deployment',
  '§2.2 supported authentication',
  '§2.3 required fields',
  '§2.3 access levels',
  '§2.3 noAccess',
  '§2.3 readOnly',
  '§2.3 runner',
  '§2.3 admin',
  '§2.3 default',
  '§2.3 reads of the project',
  '§2.3 writes of the project',
  '§2.3 runners',
  '§2.3 a paused runner',
  '§2.3 a stopped runner',
  '§2.3 connections are registered ones',
  '§2.4 full hosted repositories are not supported',
  '§2.5 the id is generated',
  '§2.5 secrets are references',
  '§2.6 files of connectors',
  '§2.8 statuses of rules',
  '§2.8 excluded files',
  '§2.8 reviewStatus follows the enforcement',
  '§2.9 types of values',
  '§2.10 fields of an entry',
  '§2.11 [Latest] is the most recent enabled version',
  '§2.11 ignoredResources',
  '§4.1 call order',
  '§4.3 keys are paths',
  '§4.3 archives are not supported',
  '§4.4 rule 1',
  '§4.4 rule 2',
  '§4.5 the header Agent-Version',
  '§4.6 default page and size',
  '§4.6 type and behaviour on every change',
  '§4.6 deletion takes the overrides along',
  '§4.6 one override by its environment',
  '§4.6 rule 1',
  '§4.6 rule 2',
  '§4.7 from and to',
  '§4.7 page and size',
  '§4.8 details without a version',
  '§4.8 rule 1',
  '§4.8 rule 2',
  '§4.8 rule 3',
  '§5 rule 1',
  '§5 rule 2',
  '§5 rule 4',
  '§5 rule 5',
  '§5 rule 6',
  '§5 rule 7',
  '§6 events are recorded',
  '§6 an entry for each operation with a name',
  '§6 all names',
  '§6 ninety days',
  '§8 limits',
  '§9 rule 1',
  '§9 rule 2',
  '§9 rule 3',
  '§9 rule 4',
] as const;

/** Every way from one state to another (§3). */
export const transitions = [
  '§3.1 start',
  '§3.1 stop',
  '§3.2 start',
  '§3.2 terminate',
  '§3.3 disable a project artifact',
  '§3.3 enable a project artifact',
  '§3.3 disable a shared version',
  '§3.3 enable a shared version',
] as const;

/** Every condition of §7, and the evaluation errors of a review (§2.8). */
export const errors = [
  '§7 400 streaming definition',
  '§7 403 shared pipelines',
  '§7 404 shared version',
  '§7 409 executionTag',
  '§7 409 shared version',
  '§2.8 designer/rules-file-retrieval-error',
  '§2.8 designer/rules-file-parse-error',
  '§2.8 designer/document-parse-error',
  '§2.8 designer/validator-not-found',
  '§2.8 designer/invalid-enforcement-level',
  '§2.8 designer/empty-regex-pattern',
  '§2.8 designer/invalid-regex-pattern',
  '§2.8 designer/no-start-component',
  '§2.8 designer/invalid-rule-configuration',
  '§2.8 designer/duplicate-enabled-rule',
] as const;

type Values<Table> = Table[keyof Table];

/** One thing that the specification promises, and that at least one test must show. */
export type Point =
  | Values<typeof operations>[number]
  | (typeof rules)[number]
  | (typeof transitions)[number]
  | (typeof errors)[number];

export const points: readonly Point[] = [
  ...Object.values(operations).flat(),
  ...rules,
  ...transitions,
  ...errors,
];
