import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cases from '../cases/validation.json' with { type: 'json' };
import { type StandIn, startStandIn } from './stand-in.js';

interface Row {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  mentions: string;
}

/** Questions to the catalogue of templates. */
const CATALOGUE = [/^--version$/, /^new list\b/, /^new \S+ --help$/];

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

describe('validation (test/cases/validation.json)', () => {
  it.each(cases.cases as Row[])('$id $tool $arguments.action', async ({ tool, arguments: args, mentions }) => {
    standIn.recorded();
    const result = await standIn.client.callTool({ name: tool, arguments: args });
    expect(result.isError).toBe(true);
    const commands = standIn
      .recorded()
      .filter((commandArgs) => !CATALOGUE.some((own) => own.test(commandArgs.join(' '))));
    expect(commands).toEqual([]);
    const { errors, exitCode } = result.structuredContent as unknown as {
      errors: { code: string; category: string; mcpErrorCode?: number; data?: { additionalData?: object } }[];
      exitCode: number;
    };
    const answerText =
      `${JSON.stringify(result.content)} ${JSON.stringify(errors[0]?.data?.additionalData)}`.toLowerCase();
    const parts = mentions === '(any error)' ? [] : mentions.split(' + ');
    for (const part of parts) expect(answerText).toContain(part.toLowerCase());
    if (mentions === 'not found') return;
    expect(errors[0]).toMatchObject({ code: 'INVALID_PARAMS', category: 'Validation', mcpErrorCode: -32602 });
    expect(exitCode).toBe(-1);
  });
});
