import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { createRedactor } from '@mortise/redact';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/property-runs.js';
import { wireSchema } from '../../../../../test/support/wire-schema.js';
import type { Candidate } from '../../../src/core/plugin-candidate.js';
import type { Runner } from '../../../src/core/plugin-runner.js';
import type { McpLists } from '../../../src/core/server-api.js';
import { buildSnapshot } from '../../../src/plugins/catalog/build-snapshot.js';
import type { CatalogEntry } from '../../../src/plugins/catalog/catalog-entry.js';
import { toMcpLists } from '../../../src/plugins/catalog/mcp-lists.js';
import { checkDefinition, type DefinitionSource } from '../../../src/plugins/load/check-definition.js';

/** Any JSON, as it comes from a pipe or a file. */
const anything = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
/** Mostly `honest`, else anything, or nothing at all. */
const mostly = (honest: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 60, arbitrary: honest },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
const record = (members: Record<string, fc.Arbitrary<unknown>>) =>
  mostly(fc.record(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, mostly(value)]))));

const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-zA-Z0-9_.-]{0,12}$/),
  fc.constantFrom('builtin.evil', 'builtin_plugins', 'mcp_bank_x', 'mcp.bank.x', 'same', '__proto__', 'constructor'),
  fc.string(),
);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('a\u200bb', '\ud800', '<!-- x -->'));
const hostile = fc.constantFrom({ pattern: '(' }, { $ref: '#' }, { $id: 'urn:example:same' }, { minimum: 'x' }, null);
const keyword = fc.oneof(
  { weight: 20, arbitrary: fc.record({ type: fc.constantFrom('string', 'integer', 'boolean', 'array', 'object') }) },
  { weight: 10, arbitrary: fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }) },
  { weight: 10, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: hostile },
  { weight: 1, arbitrary: anything },
);
const DRAFTS = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'];
const schema = fc.record(
  {
    type: fc.oneof({ weight: 40, arbitrary: fc.constant('object') }, { weight: 1, arbitrary: anything }),
    properties: mostly(fc.dictionary(name, keyword, { maxKeys: 4 })),
    required: mostly(fc.uniqueArray(name, { maxLength: 2 })),
    $defs: mostly(fc.dictionary(fc.constantFrom('a', 'b'), keyword, { maxKeys: 2 })),
    $schema: mostly(fc.constantFrom(...DRAFTS)),
    $id: fc.constantFrom('https://example.org/same', 'urn:example:same'),
    anyOf: fc.array(keyword, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const definition = fc.record({
  tools: mostly(
    fc.array(
      record({
        name,
        title: text,
        description: text,
        inputSchema: schema,
        outputSchema: schema,
        annotations: fc.record({ readOnlyHint: mostly(fc.boolean()), title: mostly(text) }, { requiredKeys: [] }),
        timeoutMs: fc.integer({ min: 1, max: 9e5 }),
        listed: fc.constantFrom(true, true, true, false),
        origin: text,
      }),
      { maxLength: 4 },
    ),
  ),
  resources: mostly(
    fc.array(
      fc.oneof(
        record({ uri: fc.oneof(fc.webUrl(), fc.constantFrom('a://b', 'mortise://x', 'http://['), text), name: text }),
        record({ uriTemplate: fc.constantFrom('a://{b}', 'a://{', 'x://{?y*}'), name: text, mimeType: text }),
      ),
      { maxLength: 3 },
    ),
  ),
  prompts: mostly(
    fc.array(
      record({
        name: text,
        title: text,
        description: text,
        arguments: fc.array(record({ name: text, description: text, required: fc.boolean() }), { maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
  ),
  problems: mostly(fc.array(anything, { maxLength: 2 })),
});

const redactor = createRedactor({ secrets: [] });

async function entryOf(candidate: Candidate, input: unknown, source: DefinitionSource): Promise<CatalogEntry> {
  return { candidate, runner: {} as Runner, definition: await checkDefinition(input, source) };
}

async function mcpListsOf(plugin: unknown, mounted: unknown): Promise<McpLists> {
  const common = { directory: '/plugins', problems: [] };
  const entries = await Promise.all([
    entryOf({ ...common, kind: 'module', name: 'p', path: '/plugins/p.mjs', entry: '/plugins/p.mjs' }, plugin, {
      file: '/plugins/p.mjs',
      prefix: '',
    }),
    entryOf(
      {
        ...common,
        kind: 'server',
        name: 'mcp.bank',
        path: 'Plugins.McpServers.bank',
        mounted: { command: 'x' } as never,
      },
      mounted,
      { file: 'Plugins.McpServers.bank', prefix: 'mcp.bank.', judgesArguments: true },
    ),
  ]);
  return toMcpLists(buildSnapshot({ entries, nameStyle: 'portable' }), redactor);
}

/** The results as they are on the wire, by method. */
function resultsOf({ tools, resources, templates, prompts }: McpLists): Record<string, object> {
  const results = {
    'tools/list': { tools },
    'resources/list': { resources },
    'resources/templates/list': { resourceTemplates: templates },
    'prompts/list': { prompts },
  };
  return JSON.parse(JSON.stringify(results)) as Record<string, object>;
}

const MODERN = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Answers an official client from these results. */
function answering(results: Record<string, object>): Transport {
  const more: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 's', version: '1' },
    },
    'server/discover': {
      ...MODERN,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
    },
  };
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message: JSONRPCMessage) {
      if (!('id' in message && 'method' in message)) return;
      const { id, method } = message;
      const result = more[method] ?? results[method];
      queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, result } as JSONRPCMessage));
    },
  };
  return transport;
}

async function listed(mode: 'legacy' | { pin: string }, results: Record<string, object>): Promise<number[]> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(answering(results));
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  await client.close();
  return [tools.length, resources.length, resourceTemplates.length, prompts.length];
}

describe('whatever a plugin and a mounted server say that they offer', () => {
  it("every list validates against MCP's schema, of both versions", async () => {
    let listedCount = 0;
    await fc.assert(
      fc.asyncProperty(definition, definition, async (plugin, mounted) => {
        const listing = await mcpListsOf(plugin, mounted);
        listedCount += listing.tools.length;
        for (const [method, result] of Object.entries(resultsOf(listing))) {
          const message = { jsonrpc: '2.0', id: 1 };
          expect(wireSchema('2025-11-25').ofResponse({ ...message, result }, method)).toEqual([]);
          expect(wireSchema('2026-07-28').ofResponse({ ...message, result: { ...result, ...MODERN } }, method)).toEqual(
            [],
          );
        }
      }),
      { numRuns: runs(60) },
    );
    expect(listedCount).toBeGreaterThan(0);
  });

  it('both official clients can read every list', async () => {
    await fc.assert(
      fc.asyncProperty(definition, definition, async (plugin, mounted) => {
        const listing = await mcpListsOf(plugin, mounted);
        const lengths = [listing.tools, listing.resources, listing.templates, listing.prompts].map(
          ({ length }) => length,
        );
        const results = resultsOf(listing);
        expect(await listed('legacy', results)).toEqual(lengths);
        const modern = Object.fromEntries(
          Object.entries(results).map(([method, result]) => [method, { ...result, ...MODERN }]),
        );
        expect(await listed({ pin: '2026-07-28' }, modern)).toEqual(lengths);
      }),
      { numRuns: runs(20) },
    );
  });
});
