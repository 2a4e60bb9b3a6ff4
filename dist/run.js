import { startRun } from './index.js';

await startRun();
