import { startRunPost } from './index.js';

await startRunPost();
