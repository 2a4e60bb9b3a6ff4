import { startPromote } from './index.js';

await startPromote();
