import { startComment } from './index.js';

await startComment();
