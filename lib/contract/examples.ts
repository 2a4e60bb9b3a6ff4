import type { OperationExample } from './description/example.ts';
import { artifactsExamples } from './examples/artifacts.ts';
import { auditExamples } from './examples/audit.ts';
import { executionsExamples } from './examples/executions.ts';
import { provisioningExamples } from './examples/provisioning.ts';
import { sharedExamples } from './examples/shared.ts';
import { streamingExamples } from './examples/streaming.ts';
import { variablesExamples } from './examples/variables.ts';
import type { OperationId } from './operations.ts';

/** One call of each operation, for the reference. Apart from the contract: only readers of the reference need them. */
export const operationExamples: Readonly<Record<OperationId, OperationExample>> = {
  ...provisioningExamples,
  ...streamingExamples,
  ...artifactsExamples,
  ...executionsExamples,
  ...variablesExamples,
  ...auditExamples,
  ...sharedExamples,
};
