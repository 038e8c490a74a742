import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelSource } from '@mortise/mcp/util';
import { createRedactor, createUnsafeRedactor } from '@mortise/redact';
import { afterAll, describe, expect, it } from 'vitest';
import { CallDeadlines } from '../../src/call/deadline.js';
import { createOutputTable } from '../../src/call/results/output-store.js';
import { callTool } from '../../src/call/tool-call.js';
import { SchemaValidator } from '../../src/call/validation/schema-validator.js';
import type { Runner } from '../../src/core/plugin-runner.js';
import type { Tool } from '../../src/core/snapshot.js';
import { createLog } from '../../src/log/log.js';
import { loadSettings } from '../../src/settings/load.js';

const folder = mkdtempSync(join(tmpdir(), 'mortise-call-'));
const redactor = createRedactor({ secrets: [] });
const validator = new SchemaValidator((text) => redactor.text(text));

describe('a fault of the server itself', () => {
  afterAll(() => {
    validator.close();
    rmSync(folder, { recursive: true });
  });

  it('is INTERNAL_ERROR with the id of the call; the exception is in the log alone, redacted', async () => {
    const lines: string[] = [];
    const run: Runner['run'] = () => {
      throw new TypeError('runner: password=hunter2-is-long');
    };
    const tool = {
      plugin: 'p',
      path: '/plugins/p.mjs',
      name: 'broken',
      wireName: 'broken',
      definition: { name: 'broken', description: 'broken', inputSchema: { type: 'object' }, origin: 'p.mjs' },
      advertisedInputSchema: { type: 'object' },
      runner: { run },
    } as unknown as Tool;
    const snapshot = {
      ...{ tools: [tool], resources: [], templates: [], prompts: [], plugins: [] },
      findTool: () => tool,
      findPrompt: () => undefined,
    };
    const { settings } = await loadSettings({ cwd: folder, env: {}, userConfigDir: folder });
    const services = {
      ...{
        settings,
        validator,
        redactor,
        interceptors: [],
        showsCallIds: false,
        maxResultBytes: () => 5_000_000,
        inspectedPlugins: new Set<string>(),
      },
      unloadedPlugins: { knownLabels: () => [], loadAgain: async () => {} },
      viewOf: () => snapshot,
      hiddenNames: () => undefined,
      unsafeRedactor: createUnsafeRedactor(),
      valuesRedactor: redactor,
      outputs: createOutputTable(),
      log: createLog('info', redactor, { write: (line) => void lines.push(line) }),
      deadlines: new CallDeadlines(new CancelSource()),
    };
    const caller = { signal: new AbortController().signal, clientCapabilities: {}, inputMode: 'retry' } as const;
    const answer = await callTool(services, 'broken', {}, caller);

    const [line] = lines.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ level: 50, msg: 'internal error', tool: 'broken' });
    expect(line.error).toMatch(/^TypeError: runner: password=\[REDACTED\]\n\s+at /);
    expect(answer).toMatchObject({
      kind: 'result',
      result: {
        isError: true,
        structuredContent: {
          success: false,
          errors: [
            {
              code: 'INTERNAL_ERROR',
              message: `The server failed while it handled the call ${line.callId}`,
              mcpErrorCode: -32603,
              data: { additionalData: { callId: line.callId } },
            },
          ],
        },
      },
    });
    expect(JSON.stringify(answer)).not.toMatch(/TypeError|hunter2/);
  });
});
