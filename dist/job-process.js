import { startJobProcess } from './index.js';

await startJobProcess();
