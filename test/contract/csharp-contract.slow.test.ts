import { spawnSync } from 'node:child_process';
import { type AnyCallResult, isRetryable, nextCall, parseResult } from '@mortise/plugin/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { buildPluginHost, fixture } from '../support/plugin-host.js';
import { createWorkplace } from '../support/workplace.js';
import { recordedResults } from './recorded-results.js';

/** What dotnet/fixtures/Contract prints of a result. */
function summary(result: AnyCallResult): object {
  const parsed = parseResult(result);
  const failure = parsed.ok ? undefined : parsed;
  const error = failure?.errors[0];
  const wait = isRetryable(parsed);
  return {
    ok: parsed.ok,
    code: error?.code ?? null,
    hint: error?.hint ?? null,
    file: error?.file ?? null,
    line: error?.line ?? null,
    exitCode: failure?.exitCode ?? null,
    errors: failure?.errors.length ?? null,
    lockKey: failure?.lockInfo?.lockKey ?? null,
    output: (parsed.ok && parsed.output) || null,
    next: nextCall(parsed) ?? null,
    retryAfterMs: wait ? wait.afterMs : null,
  };
}

describe.skipIf(!hasSdk)('the contract in C#', () => {
  beforeAll(buildPluginHost);

  it('reads the recorded results, in each form and from each half, as the package for JavaScript does', () => {
    const results = recordedResults();
    expect(results.length).toBeGreaterThan(60);
    const file = createWorkplace().write('results.jsonl', results.map((result) => JSON.stringify(result)).join('\n'));
    const { stdout, stderr } = spawnSync('dotnet', [fixture('Contract'), file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const read = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(read).toEqual(results.map(summary));
  });
});
