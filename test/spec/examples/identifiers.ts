/** The identifiers in the literals. A platform makes its own; the walk replaces these by them. */
export const projectId = '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77';
export const agentId = '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70';
export const streamingPipelineId = '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4';
export const pipelineExecutionId = 'a7e1f0c2-5d4b-4a39-8c2d-6b5a4f3e2d1c';
export const variableId = 'c0ffee00-1234-4abc-8def-0123456789ab';
export const commitHash = '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0';
