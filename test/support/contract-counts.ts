// vitest calls `teardown` in its own process once all tests have ended.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The forms of which results are counted (docs/spec/contract.md#outcome). */
export type Form =
  | 'data of a first-party success'
  | 'data of a first-party failure'
  | 'error of a plugin or mounted server'
  | 'SuccessResult'
  | 'ErrorResponse with machineReadable'
  | 'JSON-RPC error';

/** @param pid of vitest */
const fileOf = (pid: number): string => join(tmpdir(), `mortise-contract-${pid}.txt`);

/** Counts a result that was validated, for the report at the end. Called in a process of tests. */
export function countResult(form: Form): void {
  appendFileSync(fileOf(process.ppid), `${form}\n`);
}

/** Says how many results were validated against docs/spec/contract.schema.json. */
export function teardown(): void {
  const file = fileOf(process.pid);
  if (!existsSync(file)) return;
  const counts = new Map<string, number>();
  for (const form of readFileSync(file, 'utf8').trim().split('\n')) counts.set(form, (counts.get(form) ?? 0) + 1);
  const lines = [...counts].sort().map(([form, count]) => `  ${count} ${form}`);
  console.log(['Results that were validated against the schema of the contract:', ...lines].join('\n'));
  rmSync(file);
}
