import { startRollback } from './index.js';

await startRollback();
