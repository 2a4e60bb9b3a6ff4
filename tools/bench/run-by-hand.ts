import { readFileSync } from 'node:fs';
import process from 'node:process';
import { DuckDBInstance } from '@duckdb/node-api';

// Runs a list of statements, as JSON in a file, one after the other: the reference for tests of pipelines.
const [file = ''] = process.argv.slice(2);
const statements: unknown = JSON.parse(readFileSync(file, 'utf8'));
if (!Array.isArray(statements)) throw new Error('expected a list of statements');
const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
for (const sql of statements.map(String)) (await connection.runAndReadAll(sql)).getRows();
