import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cases from '../cases/published-examples.json' with { type: 'json' };
import { withoutCallId } from '../support/call-id.js';
import { createClient, stdioTransport } from '../support/clients.js';
import { createWireCheck, expectValid } from '../support/wire-check.js';
import { removeWorkplace, type Workplace } from '../support/workplace.js';
import { exampleDifferences } from './example-differences.js';
import { makeScriptedDotnet, type Printed, type ScriptedDotnet } from './scripted-dotnet.js';
import { setGlobalJson } from './stand-in.js';

interface Row {
  id: string;
  title: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** structuredContent, or the JSON text of `machineReadable: true`. */
  form: 'structured' | 'envelope';
  /** What `dotnet` prints to it. */
  printed?: Printed;
  /** A call that runs meanwhile. */
  during?: { tool: string; arguments: Record<string, unknown> };
  globalJson?: object;
  withoutDotnet?: true;
  declines?: true;
  example: Record<string, unknown>;
  /** Nothing beside what the example has. */
  exact?: true;
  /** Members, as dotted paths, whose value is another here; they are there, of the same type. */
  differs?: string[];
  /** Why, where the specification says otherwise than the published contract. */
  overruled?: string;
  text?: string;
  textBegins?: string;
}

const ENVELOPE_KEYS = ['success', 'command', 'output', 'exitCode', 'metadata'];

describe('the examples of the published contract (test/cases/published-examples.json)', () => {
  let dotnet: ScriptedDotnet;
  let workplace: Workplace;
  let server: Client;
  let bare: Client;
  const wire = createWireCheck();

  async function connect(env: Workplace['env']): Promise<Client> {
    const client = createClient('2025-11-25', { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' as const }));
    await client.connect(stdioTransport({ ...workplace, env }, [], wire));
    return client;
  }

  beforeAll(async () => {
    dotnet = makeScriptedDotnet();
    workplace = dotnet.workplace;
    const nothing = join(workplace.folder, 'nothing');
    mkdirSync(nothing);
    server = await connect(dotnet.env);
    bare = await connect({ ...dotnet.env, PATH: nothing });
  });
  afterAll(async () => {
    await Promise.all([server?.close(), bare?.close()]);
    expectValid(wire);
    removeWorkplace(workplace);
  });

  /** A call that runs until the returned function lets it end. */
  async function hold({ tool, arguments: args }: NonNullable<Row['during']>): Promise<() => Promise<unknown>> {
    const held = dotnet.hold();
    const call = server.callTool({ name: tool, arguments: args });
    await held.started();
    return () => {
      held.release();
      return call;
    };
  }

  /** Calls what the example is shown for. */
  async function callOf(row: Row, more: object = {}) {
    setGlobalJson(workplace, row.globalJson);
    dotnet.print(row.printed ?? {});
    await server.callTool({ name: 'dotnet_sdk', arguments: { action: 'ClearTemplateCache' } });
    const finish = row.during && (await hold(row.during));
    const client = row.withoutDotnet ? bare : server;
    const result = await client.callTool({ name: row.tool, arguments: { ...row.arguments, ...more } });
    await finish?.();
    return result;
  }

  const ROWS = cases.cases as unknown as Row[];
  const isFailure = ({ example }: Row) => example.success === false;

  it.each(ROWS)('$id $title', async (row) => {
    const isV1 = row.form === 'envelope';
    const result = await callOf(row, isV1 ? { machineReadable: true } : {});
    const [{ text }] = result.content as unknown as [{ text: string }];
    const actual = isV1 ? JSON.parse(text) : result.structuredContent;
    expectLike(actual, row.example, row.differs ?? []);
    if (row.exact) expect(withoutCallId(actual)).toEqual(row.example);
    if (isV1) expect(result.content).toHaveLength(1);
    expect(result.isError).toBe(isFailure(row) ? true : undefined);
    if (row.text !== undefined) expect(text).toBe(row.text);
    if (row.textBegins !== undefined) expect(text.startsWith(row.textBegins)).toBe(true);
  });

  it.each(ROWS.filter((row) => row.form === 'structured'))('$id with machineReadable: $title', async (row) => {
    const { content, structuredContent } = await callOf(row, { machineReadable: true });
    expectLike(structuredContent, row.example, row.differs ?? []);
    const [{ text }] = content as unknown as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({
      success: !isFailure(row),
      exitCode: isFailure(row) ? expect.any(Number) : 0,
    });
  });

  it.each(ROWS.filter((row) => row.form === 'envelope' && isFailure(row)))(
    '$id without machineReadable: $title',
    async (row) => {
      const { structuredContent, isError } = await callOf(row);
      expectLike(structuredContent, row.example, row.differs ?? []);
      expect(isError).toBe(true);
    },
  );

  it.each(ROWS.filter((row) => row.form === 'envelope' && !isFailure(row)))(
    '$id without machineReadable: $title',
    async (row) => {
      const { content, structuredContent, isError } = await callOf(row);
      const data = structuredContent as Record<string, unknown>;
      const [{ text }] = content as unknown as [{ text: string }];
      expect(isError).toBeUndefined();
      const enveloped = await callOf(row, { machineReadable: true });
      const envelope = JSON.parse((enveloped.content as unknown as [{ text: string }])[0].text) as typeof row.example;
      const inMode = enveloped.structuredContent as Record<string, unknown>;
      expect(Object.keys(envelope)).toEqual(ENVELOPE_KEYS.filter((key) => key in envelope));
      expect({ ...inMode, fullOutput: undefined }).toEqual({ ...data, fullOutput: undefined });
      // Key by key: success and exitCode are in data and text, output is summed up, command belongs to the envelope alone.
      expect(data.success ?? true).toBe(row.example.success);
      expect(text.split('\n').at(-1)).toBe(`Exit Code: ${row.example.exitCode}`);
      const { summary, ...metadata } = { summary: undefined, ...(envelope.metadata as object) };
      if (data.summary === undefined) expect(text).toContain(envelope.output);
      else expect(text.split('\n')[0]!.replace(/\.$/, '')).toBe(String(summary).replace(/\.$/, ''));
      expect(data).not.toHaveProperty('command');
      expect(data.metadata ?? {}).toEqual(metadata);
      if (row.example.metadata !== undefined) expectLike(data.metadata, row.example.metadata);
    },
  );

  it('lets clients that validate send machineReadable, of which mortise://contract tells', async () => {
    const { tools } = await server.listTools();
    const ajv = new Ajv2020({ strict: false });
    for (const { tool: name, arguments: args } of ROWS.filter(
      ({ arguments: { action } }) => action !== 'InvalidAction',
    )) {
      const validate = ajv.compile(tools.find((item) => item.name === name)!.inputSchema);
      const isValid = validate(args);
      expect(validate({ ...args, machineReadable: true, unsafeOutput: false }), name).toBe(isValid);
    }
    const { contents } = await server.readResource({ uri: 'mortise://contract' });
    const { text } = contents[0] as { text: string };
    for (const word of ['`machineReadable: true`', '`unsafeOutput: true`', 'metadata.summary', 'processExitCode'])
      expect(text).toContain(word);
    expect(text.length).toBeLessThan(2000);
  });

  it('logs what a command line has of ours, which results do not show', async () => {
    const row = ROWS.find(({ id }) => id === 'S28')!;
    const logged: string[] = [];
    server.setNotificationHandler(
      'notifications/message',
      ({ params }) => void logged.push(JSON.stringify(params.data)),
    );
    await server.setLoggingLevel('debug');
    const { content } = await callOf(row, { machineReadable: true });
    const [{ text }] = content as unknown as [{ text: string }];
    expect(JSON.parse(text).command).toBe('dotnet package search serilog --take 3');
    expect(logged.join('\n')).toContain('dotnet package search serilog --take 3 --format json');
  });
});

function expectLike(...[actual, example, differs]: Parameters<typeof exampleDifferences>): void {
  expect(exampleDifferences(actual, example, differs)).toEqual([]);
}
