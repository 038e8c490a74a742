import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { connect, type WAYS } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

interface Row {
  id: string;
  returns: string;
  isError: boolean;
  text?: string[];
  content?: object[];
  structured?: object | null;
  code?: string;
  message?: string;
  metadata?: object;
}

const { cases } = JSON.parse(readFileSync(new URL('./cases/normalization.json', import.meta.url), 'utf8')) as {
  cases: Row[];
};

/** One registered tool a row; each returns the row's expression. */
const plugin = `module.exports.register = (api) => {
${cases.map(({ id, returns }) => `  api.registerTool({ name: '${id}', description: 'row', inputSchema: { type: 'object' }, run: () => ${returns} });`).join('\n')}
};`;

/** The tests of what a tool may return, through a client that is connected in this way. */
export function testNormalization(way: (typeof WAYS)[number]): void {
  it('becomes the result that its row says', async () => {
    const client = await connect(createWorkplace({ 'plugins/rows.cjs': plugin }), way);
    for (const row of cases) await checkRow(client, row);
  });
}

async function checkRow(client: Client, row: Row): Promise<void> {
  const { content, structuredContent, isError } = await client.callTool({ name: row.id, arguments: {} });
  const seen = { content, structuredContent, isError };
  expect(isError, row.id).toBe(row.isError ? true : undefined);
  if (row.text)
    expect(
      content.map((block) => (block.type === 'text' ? block.text : block.type)),
      row.id,
    ).toEqual(row.text);
  if (row.content) expect(content, row.id).toEqual(row.content);
  if (row.structured === null) expect(structuredContent, row.id).toBeUndefined();
  if (row.structured) expect(structuredContent, row.id).toEqual(row.structured);
  if (!row.isError) return;
  const error = {
    code: row.code,
    ...(row.message !== undefined && { message: row.message }),
    rawOutput: expect.any(String),
  };
  expect(seen.structuredContent, row.id).toMatchObject({
    success: false,
    errors: [error],
    exitCode: -1,
    ...(row.metadata && { metadata: row.metadata }),
  });
}
